package dev.substrat.platform.identity;

/// What a route requires of its caller: a [Scope], or one of the few answers here that no scope can
/// express. Every route declares one.
public sealed interface RouteAccess permits Scope, RouteAccess.General {
  /// No credential needed.
  RouteAccess PUBLIC = General.PUBLIC;

  /// Any valid token of a human or an agent, whatever its scopes; not those for tools only.
  RouteAccess ANY_TOKEN = General.ANY_TOKEN;

  /// Every principal with tools: agents, turns, zoo clients; and the operator, whose list is empty.
  RouteAccess TOOLS = General.TOOLS;

  /// Any human, whatever the scopes of the token.
  RouteAccess HUMAN = General.HUMAN;

  /// Requirements that are no scope.
  enum General implements RouteAccess {
    PUBLIC("none"),
    ANY_TOKEN("any token"),
    TOOLS("tools"),
    HUMAN("any person");

    private final String word;

    General(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  /// Name in the documentation.
  String word();
}
