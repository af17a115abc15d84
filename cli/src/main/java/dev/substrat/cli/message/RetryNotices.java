package dev.substrat.cli.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Spinner;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.protocol.Fault;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Notices for `send --wait` that the agent's turn failed and will be retried. Each failure is
/// printed once.
final class RetryNotices {
  private static final int LONGEST = 200;

  private final RootCommand shell;
  private final String agent;
  private String printed = "";

  RetryNotices(RootCommand shell, String agent) {
    this.shell = shell;
    this.agent = agent;
  }

  void print(Spinner spinner) {
    JsonNode seen = shell.wantsJson() ? JsonTree.object() : readAgent();
    String reason = reason(seen);
    String failure = reason + " " + seen.path("nextTryAt").asText();
    if (seen.hasNonNull("nextTryAt") && !failure.equals(printed)) {
      printed = failure;
      spinner.note(
          "turn of %s failed (%s); next attempt in %s"
              .formatted(agent, reason, left(seen.path("nextTryAt"))));
    }
  }

  /// The current problem of the agent, if any.
  Optional<String> sentence() {
    JsonNode seen = readAgent();
    if (reason(seen).isEmpty()) {
      return Optional.empty();
    }
    String next =
        seen.hasNonNull("nextTryAt")
            ? "; next attempt at " + RelativeTime.time(seen.path("nextTryAt"))
            : "";
    return Optional.of("turn of %s failed (%s)%s".formatted(agent, reason(seen), next));
  }

  private static String reason(JsonNode seen) {
    return TerminalText.cut(seen.path("stateReason").asText(""), LONGEST);
  }

  /// Empty on failure: notices are optional, waiting goes on.
  private JsonNode readAgent() {
    try {
      return shell.daemon().read(DaemonClient.path("/api/agents/", agent));
    } catch (Fault _) {
      return JsonTree.object();
    }
  }

  private static String left(JsonNode time) {
    try {
      var left = Duration.between(Instant.now(), Instant.parse(time.asText()));
      return Math.max(1, left.toSeconds()) + " s";
    } catch (DateTimeException _) {
      return RelativeTime.time(time);
    }
  }
}
