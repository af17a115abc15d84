package dev.substrat.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.agent.ConfigFile;
import dev.substrat.cli.wire.Daemon;
import dev.substrat.cli.wire.Json;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Proves that a mind really has its tools: an agent is made for the purpose, asked to call one,
/// and taken away again. Only what the daemon has seen counts, not what the agent says.
final class RoundTrip {
  private static final String TOOL = "check_inbox";
  private static final String QUESTION =
      "This is a check of your connection. Call your tool " + TOOL + " once, then answer: ok";

  /// Enough for a CLI's first start in a new home and a model that thinks.
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  private final Daemon daemon;
  private final String wanted;

  /// `wanted` is a provider's name, or a file with its settings.
  RoundTrip(Path data, String wanted) {
    this.daemon = Daemon.in(data);
    this.wanted = wanted;
  }

  Finding prove() {
    String name = "trip " + wanted;
    String agent = "";
    try {
      ObjectNode provider = provider();
      name = "trip " + provider.path("name").asText();
      var wish = Json.object().put("name", "doctor");
      wish.set("provider", provider);
      agent = daemon.post("/api/agents", wish).path("id").asText();
      return judge(name, agent, outcome(agent));
    } catch (Fault fault) {
      return Finding.broken(name, fault.message(), fault.hint());
    } finally {
      if (!agent.isEmpty()) {
        daemon.delete(Daemon.path("/api/agents/", agent));
      }
    }
  }

  private ObjectNode provider() {
    Path file = Path.of(wanted);
    if (!Files.isRegularFile(file)) {
      if (wanted.contains("/") || wanted.contains(".")) {
        throw new Fault(
            ErrorCode.NOT_FOUND, "there is no file " + wanted, "give a provider's name, or a file");
      }
      return Json.object().put("name", wanted);
    }
    ObjectNode settings = ConfigFile.read(file);
    return settings.path("provider") instanceof ObjectNode inside ? inside : settings;
  }

  private JsonNode outcome(String agent) {
    var question = Json.object().put("text", QUESTION).put("sync", true);
    String id =
        daemon
            .post(Daemon.path("/api/agents/", agent) + "/messages", question)
            .path("message_id")
            .asText();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      JsonNode state = daemon.read(Daemon.path("/api/messages/", id));
      boolean isOver = state.has("reply") || state.path("status").asText().equals("dead");
      if (isOver || System.nanoTime() > end) {
        return state;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }

  private Finding judge(String name, String agent, JsonNode state) {
    if (!state.has("reply")) {
      String otherwise =
          "it took longer than 3 minutes"
              + (state.has("delay") ? "; " + state.at("/delay/reason").asText() : "");
      return Finding.broken(
          name,
          "no answer: " + state.path("reason").asText(otherwise),
          "see its page in docs/providers");
    }
    JsonNode run =
        daemon.read(Daemon.query("/api/runs", "agent", agent, "limit", "1")).at("/runs/0");
    String messages = Daemon.path("/api/runs/", run.path("id").asText()) + "/messages";
    for (JsonNode message : daemon.read(messages).path("messages")) {
      if (message.path("toolName").asText().equals(TOOL)) {
        return Finding.ok(name, "it called " + TOOL + " over MCP, and answered");
      }
    }
    return Finding.broken(
        name, "it answered without calling " + TOOL, "its model may not be up to it; try again");
  }
}
