package dev.substrat.console.health;

import dev.substrat.console.agents.TextDiff;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A remote MCP server of an agent. `command` is exactly what would be started, for a program that
/// nobody has approved yet, and null otherwise; `usable` is how many tools the agent has of it, and
/// `policy` says whether tools of a new server wait for a person, and why.
public record ServerRow(
    String id,
    String agent,
    String name,
    String transport,
    String state,
    String problem,
    @Nullable Instant seenAt,
    @Nullable Command command,
    long usable,
    List<Change> changes,
    String policy) {

  /// What would be started, and the hash that names exactly that.
  public record Command(String words, String hash) {}

  /// A tool that is not what was approved, or was never approved: how it would change, and the hash
  /// that names exactly what is offered. `findings` say what is suspicious about it, and where.
  public record Change(
      String tool,
      boolean isNew,
      boolean isRejected,
      String hash,
      List<String> findings,
      List<TextDiff.Line> lines) {}

  public String tone() {
    return switch (state) {
      case "up" -> "good";
      case "down" -> "bad";
      case "unapproved" -> "busy";
      default -> "";
    };
  }

  /// What somebody should look at, in a few words.
  public String trouble() {
    String what =
        command != null
            ? "program not approved"
            : state.equals("down") ? "server is down" : "tools not approved";
    return "%s of %s: %s".formatted(name, agent, what);
  }

  public boolean needsSomebody() {
    return command != null
        || state.equals("down")
        || changes.stream().anyMatch(change -> !change.isRejected());
  }
}
