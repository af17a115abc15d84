package dev.substrat.cli.team;

/// Position of a declared agent in the tree.
sealed interface TreePosition {

  /// A root.
  record Top() implements TreePosition {}

  /// Under an existing agent.
  record Under(LiveAgent parent) implements TreePosition {}

  /// Under an agent that the plan creates.
  record UnderNew(DeclaredAgent parent) implements TreePosition {}

  default boolean matches(LiveAgent agent) {
    return switch (this) {
      case Top _ -> agent.isRoot();
      case Under(var parent) -> agent.parentId().equals(parent.id());
      case UnderNew _ -> false;
    };
  }
}
