package dev.substrat.cli.team;

/// Where a declared agent stands, or will stand.
sealed interface Place {

  /// At the top.
  record Top() implements Place {}

  /// Under an agent that lives.
  record Under(Living parent) implements Place {}

  /// Under an agent that has to be created first.
  record UnderNew(Declared parent) implements Place {}

  default boolean isOf(Living agent) {
    return switch (this) {
      case Top _ -> agent.isRoot();
      case Under(var parent) -> agent.parentId().equals(parent.id());
      case UnderNew _ -> false;
    };
  }
}
