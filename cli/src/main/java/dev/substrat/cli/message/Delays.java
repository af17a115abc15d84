package dev.substrat.cli.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.Clock;
import dev.substrat.cli.shell.Plain;
import dev.substrat.cli.shell.Shell;
import dev.substrat.cli.shell.Spinner;
import dev.substrat.cli.wire.Daemon;
import dev.substrat.cli.wire.Json;
import dev.substrat.protocol.Fault;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Tells whoever waits for an agent that its turn has failed, why, and when there is another: a
/// model that is away looks like one that thinks. The same failure is told once.
final class Delays {
  private static final int LONGEST = 200;

  private final Shell shell;
  private final String agent;
  private String told = "";

  Delays(Shell shell, String agent) {
    this.shell = shell;
    this.agent = agent;
  }

  void tell(Spinner spinner) {
    JsonNode seen = shell.wantsJson() ? Json.object() : look();
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
        seen.hasNonNull("nextTryAt") ? "; next try at " + Clock.time(seen.path("nextTryAt")) : "";
    return Optional.of("%s could not go on (%s)%s".formatted(agent, reason(seen), next));
  }

  private static String reason(JsonNode seen) {
    return Plain.cut(seen.path("stateReason").asText(""), LONGEST);
  }

  /// Only a note: that it cannot be given is no reason to stop waiting.
  private JsonNode look() {
    try {
      return shell.daemon().read(Daemon.path("/api/agents/", agent));
    } catch (Fault _) {
      return Json.object();
    }
  }

  private static String left(JsonNode time) {
    try {
      var left = Duration.between(Instant.now(), Instant.parse(time.asText()));
      return Math.max(1, left.toSeconds()) + " s";
    } catch (DateTimeException _) {
      return Clock.time(time);
    }
  }
}
