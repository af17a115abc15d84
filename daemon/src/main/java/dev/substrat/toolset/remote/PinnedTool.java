package dev.substrat.toolset.remote;

import dev.substrat.mcp.client.ToolDefinition;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A tool of a remote server: its approved definition, its offered definition, and the decision
/// about it.
record PinnedTool(
    String server,
    String tool,
    @Nullable ToolDefinition pinned,
    ToolDefinition offered,
    PinDecision verdict,
    boolean isListed) {

  /// Decision about a tool.
  public enum PinDecision {
    /// The offered definition is approved.
    APPROVED,
    /// The offered definition is not approved; a person must decide.
    QUARANTINED,
    /// A person rejected it.
    REJECTED;

    static PinDecision of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Why a person must decide.
  String reason() {
    List<DefinitionFinding> findings = DefinitionFinding.in(offered);
    if (!findings.isEmpty()) {
      return "its definition is suspicious: "
          + findings.stream()
              .map(one -> one.pointer() + " " + one.text())
              .collect(Collectors.joining("; "));
    }
    return pinned == null ? "it is new" : "it has changed";
  }

  /// Whether an agent may have it.
  boolean isUsable() {
    return verdict == PinDecision.APPROVED && isListed;
  }

  /// Whether this is the approved definition.
  boolean isPinned(ToolDefinition definition) {
    return pinned != null && pinned.hash().equals(definition.hash());
  }

  /// Whether this is the definition that was offered before.
  boolean isOffered(ToolDefinition definition) {
    return offered.hash().equals(definition.hash());
  }

  /// The same, approved as it is offered.
  PinnedTool approved() {
    return new PinnedTool(server, tool, offered, offered, PinDecision.APPROVED, isListed);
  }

  /// The same, rejected as it is offered. If that is the approved definition, the approval is
  /// removed: otherwise the next comparison would restore it.
  PinnedTool rejected() {
    return new PinnedTool(
        server, tool, isPinned(offered) ? null : pinned, offered, PinDecision.REJECTED, isListed);
  }
}
