package dev.substrat.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.Fault;

/// Temporary agent. When it is closed or the command is interrupted, the agent is terminated and
/// its messages are marked as read.
///
/// Both the command and the JVM's shutdown hook may terminate it. The second waits for the first,
/// because the JVM would exit before the first has finished.
final class ProbeAgent implements AutoCloseable {
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
