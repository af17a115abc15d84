package dev.substrat.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.agent.ConfigFile;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Tests that a provider can call tools: creates a temporary agent, asks it to call one, and
/// terminates it. The test checks the calls that the daemon recorded, not the agent's answer.
record McpRoundTrip(DaemonClient daemon, ProviderTrial trial) {
  private static final String TOOL = "check_inbox";
  private static final String QUESTION =
      "This is a check of your connection. Call your tool " + TOOL + " once, then answer: ok";

  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  /// Final states of a message.
  private static final Set<String> SETTLED = Set.of("replied", "dead", "expired");

  CheckResult prove() {
    try (var agent = ProbeAgent.create(daemon, trial.agent())) {
      return result(agent.id(), outcome(agent.id()));
    } catch (Fault fault) {
      return CheckResult.broken(name(), fault.message(), fault.hint());
    }
  }

  private String name() {
    return "trip " + trial.name();
  }

  private JsonNode outcome(String agent) {
    var question = JsonTree.object().put("text", QUESTION).put("sync", true);
    long end = System.nanoTime() + trial.timeout().toNanos();
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
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
  }

  /// There is only one attempt, so a failed turn is final.
  private static boolean isOver(JsonNode state) {
    return state.has("reply")
        || SETTLED.contains(state.path("status").asText())
        || state.hasNonNull("delay")
        || state.hasNonNull("waits");
  }

  private CheckResult result(String agent, JsonNode state) {
    JsonNode run =
        daemon.read(DaemonClient.query("/api/runs", "agent", agent, "limit", "1")).at("/runs/0");
    if (!state.has("reply")) {
      return CheckResult.broken(
          name(), "no answer: " + reason(state, run), "see the provider's page in docs/providers");
    }
    String messages = DaemonClient.path("/api/runs/", run.path("id").asText()) + "/messages";
    for (JsonNode message : daemon.read(messages).path("messages")) {
      if (message.path("toolName").asText().equals(TOOL)) {
        return CheckResult.ok(name(), "called " + TOOL + " over MCP and answered");
      }
    }
    return CheckResult.broken(
        name(),
        "answered without calling " + TOOL,
        "try again, or use a model with better tool support");
  }

  private String reason(JsonNode state, JsonNode run) {
    String failure = run.path("status").asText().equals("failed") ? "stopReason" : "";
    String late =
        "no answer within %d s; increase --timeout".formatted(trial.timeout().toSeconds());
    return state
        .path("reason")
        .asText(state.at("/delay/reason").asText(run.path(failure).asText(late)));
  }

  /// Temporary agent. When it is closed or the command is interrupted, the agent is terminated and
  /// its messages are marked as read.
  ///
  /// Both the command and the JVM's shutdown hook may terminate it. The second waits for the first,
  /// because the JVM would exit before the first has finished.
  private static final class ProbeAgent implements AutoCloseable {
    private final DaemonClient daemon;
    private final String id;
    private final String handle;
    private final Thread hook = new Thread(this::terminate, "probe-agent-cleanup");
    private boolean isGone;

    private ProbeAgent(DaemonClient daemon, JsonNode agent) {
      this.daemon = daemon;
      this.id = agent.path("id").asText();
      this.handle = agent.path("handle").asText();
    }

    static ProbeAgent create(DaemonClient daemon, ObjectNode config) {
      var agent = new ProbeAgent(daemon, daemon.post("/api/agents", config));
      try {
        Runtime.getRuntime().addShutdownHook(agent.hook);
      } catch (IllegalStateException _) {
        // Already shutting down: the hooks are running.
        agent.terminate();
      }
      return agent;
    }

    String id() {
      return id;
    }

    @Override
    public void close() {
      terminate();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException _) {
        // The hook itself is running.
      }
    }

    private synchronized void terminate() {
      if (isGone) {
        return;
      }
      isGone = true;
      try {
        daemon.delete(DaemonClient.path("/api/agents/", id));
        JsonNode unread = daemon.read("/api/inbox?unread=true&limit=200").path("messages");
        unread.valueStream().filter(this::isItsOwn).forEach(this::markRead);
      } catch (Fault _) {
        // The test result is still valid, and the agent's budget allows no further turn.
      }
    }

    private boolean isItsOwn(JsonNode message) {
      return message.path("from").asText().equals(handle)
          || message.path("text").asText().startsWith("BUDGET_EXHAUSTED: " + handle + " ");
    }

    private void markRead(JsonNode message) {
      var seen = JsonTree.object().put("message", message.path("message_id").asText());
      daemon.post("/api/inbox/read", seen);
    }
  }

  /// A provider to test: its settings and the time limit.
  record ProviderTrial(ObjectNode provider, Duration timeout) {
    /// Enough for the first start of a CLI in a new home directory and a slow model.
    private static final Duration USUAL = Duration.ofMinutes(3);

    /// `wanted` is a provider's name or a file with its settings. The typed timeout overrides the
    /// file's `maxTurnSeconds`, which overrides the default.
    static ProviderTrial of(String wanted, @Nullable Duration typed) {
      Path file = Path.of(wanted);
      if (!Files.isRegularFile(file)) {
        if (wanted.contains("/") || wanted.contains(".")) {
          throw ErrorCode.NOT_FOUND.fault(
              "file not found: " + wanted, "pass a provider name or a configuration file");
        }
        return new ProviderTrial(
            JsonTree.object().put("name", wanted), typed == null ? USUAL : typed);
      }
      ObjectNode settings = ConfigFile.read(file);
      ObjectNode provider =
          settings.path("provider") instanceof ObjectNode inside ? inside : settings;
      JsonNode own = settings.at("/limits/maxTurnSeconds");
      Duration said = own.isIntegralNumber() ? Duration.ofSeconds(own.asLong()) : USUAL;
      return new ProviderTrial(provider, typed == null ? said : typed);
    }

    String name() {
      return provider.path("name").asText();
    }

    /// Configuration of an agent whose budget allows one turn of that length.
    ObjectNode agent() {
      ObjectNode agent = JsonTree.object().put("name", "doctor");
      agent.set("provider", provider);
      agent
          .putObject("limits")
          .put("maxTurnSeconds", Math.max(1, timeout.toSeconds()))
          .put("budgetTurns", 1);
      return agent;
    }
  }
}
