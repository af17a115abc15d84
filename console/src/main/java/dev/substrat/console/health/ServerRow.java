package dev.substrat.console.health;

import dev.substrat.console.agents.TextDiff;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A remote MCP server of an agent. `command` is the command line of a program that is not approved
/// yet, otherwise null; `usable` is the number of usable tools, and `policy` says whether tools of
/// a new server need an approval, and why.
public record ServerRow(
    String id,
    String agent,
    String name,
    String transport,
    String state,
    String problem,
    @Nullable Instant seenAt,
    @Nullable ServerCommand command,
    long usable,
    List<ToolChange> changes,
    String policy) {

  /// Command line and its hash.
  public record ServerCommand(String words, String hash) {}

  /// A tool that is new or differs from its approved definition: the diff, and the hash of the
  /// offered definition. `findings` list suspicious parts and their location.
  public record ToolChange(
      String tool,
      boolean isNew,
      boolean isRejected,
      String hash,
      List<String> findings,
      List<TextDiff.DiffLine> lines) {}

  public String tone() {
    return switch (state) {
      case "up" -> "good";
      case "down" -> "bad";
      case "unapproved" -> "busy";
      default -> "";
    };
  }

  /// Short description of the problem.
  public String problemText() {
    String what =
        command != null
            ? "program not approved"
            : state.equals("down") ? "server is down" : "tools not approved";
    return "%s of %s: %s".formatted(name, agent, what);
  }

  public boolean needsAttention() {
    return command != null
        || state.equals("down")
        || changes.stream().anyMatch(change -> !change.isRejected());
  }
}
