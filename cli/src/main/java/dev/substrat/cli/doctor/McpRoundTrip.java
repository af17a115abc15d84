package dev.substrat.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.Fault;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/// Proves that a mind really has its tools: an agent is made for the purpose, asked to call one,
/// and taken away again. Only what the daemon has seen counts, not what the agent says.
record McpRoundTrip(DaemonClient daemon, ProviderTrial trial) {
  private static final String TOOL = "check_inbox";
  private static final String QUESTION =
      "This is a check of your connection. Call your tool " + TOOL + " once, then answer: ok";

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  /// Nothing more happens to a message after one of these.
  private static final Set<String> SETTLED = Set.of("replied", "dead", "expired");

  CheckResult prove() {
    try (var guest = ProbeAgent.invite(daemon, trial.agent())) {
      return judge(guest.id(), outcome(guest.id()));
    } catch (Fault fault) {
      return CheckResult.broken(name(), fault.message(), fault.hint());
    }
  }

  private String name() {
    return "trip " + trial.name();
  }

  private JsonNode outcome(String agent) {
    var question = JsonTree.object().put("text", QUESTION).put("sync", true);
    long end = System.nanoTime() + trial.patience().toNanos();
    String id =
        daemon
            .post(DaemonClient.path("/api/agents/", agent) + "/messages", question)
            .path("message_id")
            .asText();
    while (true) {
      JsonNode state = daemon.read(DaemonClient.path("/api/messages/", id));
      if (isOver(state) || System.nanoTime() > end) {
        return state;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }

  /// There is one attempt: after a turn that failed nothing comes of waiting.
  private static boolean isOver(JsonNode state) {
    return state.has("reply")
        || SETTLED.contains(state.path("status").asText())
        || state.hasNonNull("delay")
        || state.hasNonNull("waits");
  }

  private CheckResult judge(String agent, JsonNode state) {
    JsonNode run =
        daemon.read(DaemonClient.query("/api/runs", "agent", agent, "limit", "1")).at("/runs/0");
    if (!state.has("reply")) {
      return CheckResult.broken(
          name(), "no answer: " + reason(state, run), "see its page in docs/providers");
    }
    String messages = DaemonClient.path("/api/runs/", run.path("id").asText()) + "/messages";
    for (JsonNode message : daemon.read(messages).path("messages")) {
      if (message.path("toolName").asText().equals(TOOL)) {
        return CheckResult.ok(name(), "it called " + TOOL + " over MCP, and answered");
      }
    }
    return CheckResult.broken(
        name(), "it answered without calling " + TOOL, "its model may not be up to it; try again");
  }

  private String reason(JsonNode state, JsonNode run) {
    String failure = run.path("status").asText().equals("failed") ? "stopReason" : "";
    String late =
        "it took longer than %d s; --timeout waits longer".formatted(trial.patience().toSeconds());
    return state
        .path("reason")
        .asText(state.at("/delay/reason").asText(run.path(failure).asText(late)));
  }
}
