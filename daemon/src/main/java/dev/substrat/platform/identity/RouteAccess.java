package dev.substrat.platform.identity;

/// Access requirement of a route: a [Scope], or one of the few requirements that no scope
/// expresses. Every route declares one.
public sealed interface RouteAccess permits Scope, RouteAccess.GeneralAccess {
  /// No credential needed.
  RouteAccess PUBLIC = GeneralAccess.PUBLIC;

  /// Any valid token of a human or an agent, with any scopes; not tokens for tools only.
  RouteAccess ANY_TOKEN = GeneralAccess.ANY_TOKEN;

  /// Every principal with tools: agents, turns, zoo clients; and the operator, whose list is empty.
  RouteAccess TOOLS = GeneralAccess.TOOLS;

  /// Any human, with any scopes.
  RouteAccess HUMAN = GeneralAccess.HUMAN;

  /// Requirements that are not scopes.
  enum GeneralAccess implements RouteAccess {
    PUBLIC("none"),
    ANY_TOKEN("any token"),
    TOOLS("tools"),
    HUMAN("any person");

    private final String word;

    GeneralAccess(String word) {
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
