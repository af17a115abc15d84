package dev.substrat.cli.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.RelativeTime;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.shell.Spinner;
import dev.substrat.cli.shell.TerminalText;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.Fault;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Tells whoever waits for an agent that its turn has failed, why, and when there is another: a
/// model that is away looks like one that thinks. The same failure is told once.
final class RetryNotices {
  private static final int LONGEST = 200;

  private final RootCommand shell;
  private final String agent;
  private String told = "";

  RetryNotices(RootCommand shell, String agent) {
    this.shell = shell;
    this.agent = agent;
  }

  void tell(Spinner spinner) {
    JsonNode seen = shell.wantsJson() ? JsonTree.object() : look();
    String reason = reason(seen);
    String failure = reason + " " + seen.path("nextTryAt").asText();
    if (seen.hasNonNull("nextTryAt") && !failure.equals(told)) {
      told = failure;
      spinner.note(
          "%s could not go on (%s); next try in %s"
              .formatted(agent, reason, left(seen.path("nextTryAt"))));
    }
  }

  /// What keeps the agent now, if something does.
  Optional<String> sentence() {
    JsonNode seen = look();
    if (reason(seen).isEmpty()) {
      return Optional.empty();
    }
    String next =
        seen.hasNonNull("nextTryAt")
            ? "; next try at " + RelativeTime.time(seen.path("nextTryAt"))
            : "";
    return Optional.of("%s could not go on (%s)%s".formatted(agent, reason(seen), next));
  }

  private static String reason(JsonNode seen) {
    return TerminalText.cut(seen.path("stateReason").asText(""), LONGEST);
  }

  /// Only a note: that it cannot be given is no reason to stop waiting.
  private JsonNode look() {
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
