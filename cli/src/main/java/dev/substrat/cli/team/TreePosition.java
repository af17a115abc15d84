package dev.substrat.cli.team;

/// Position of a declared agent in the tree.
sealed interface TreePosition {

  /// A root.
  record RootPosition() implements TreePosition {}

  /// Under an existing agent.
  record ExistingParent(LiveAgent parent) implements TreePosition {}

  /// Under an agent that the plan creates.
  record PlannedParent(DeclaredAgent parent) implements TreePosition {}

  default boolean matches(LiveAgent agent) {
    return switch (this) {
      case RootPosition _ -> agent.isRoot();
      case ExistingParent(var parent) -> agent.parentId().equals(parent.id());
      case PlannedParent _ -> false;
    };
  }
}
