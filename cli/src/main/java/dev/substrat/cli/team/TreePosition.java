package dev.substrat.cli.team;

/// Where a declared agent stands, or will stand.
sealed interface TreePosition {

  /// At the top.
  record Top() implements TreePosition {}

  /// Under an agent that lives.
  record Under(LiveAgent parent) implements TreePosition {}

  /// Under an agent that has to be created first.
  record UnderNew(DeclaredAgent parent) implements TreePosition {}

  default boolean isOf(LiveAgent agent) {
    return switch (this) {
      case Top _ -> agent.isRoot();
      case Under(var parent) -> agent.parentId().equals(parent.id());
      case UnderNew _ -> false;
    };
  }
}
