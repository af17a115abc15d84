package dev.substrat.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.Fault;

/// An agent that is there for a moment: it goes, and its mail counts as read, also if the command
/// is interrupted.
///
/// Two threads may want it to go, the command and the end of the JVM; the second waits for the
/// first, because the command's own end would cut the other one short.
final class ProbeAgent implements AutoCloseable {
  private final DaemonClient daemon;
  private final String id;
  private final String handle;
  private final Thread hook = new Thread(this::leave, "guest leaves");
  private boolean isGone;

  private ProbeAgent(DaemonClient daemon, JsonNode agent) {
    this.daemon = daemon;
    this.id = agent.path("id").asText();
    this.handle = agent.path("handle").asText();
  }

  static ProbeAgent invite(DaemonClient daemon, ObjectNode config) {
    var guest = new ProbeAgent(daemon, daemon.post("/api/agents", config));
    try {
      Runtime.getRuntime().addShutdownHook(guest.hook);
    } catch (IllegalStateException _) {
      // Interrupted already: the hooks are running.
      guest.leave();
    }
    return guest;
  }

  String id() {
    return id;
  }

  @Override
  public void close() {
    leave();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // It is what ends us.
    }
  }

  private synchronized void leave() {
    if (isGone) {
      return;
    }
    isGone = true;
    try {
      daemon.delete(DaemonClient.path("/api/agents/", id));
      JsonNode unread = daemon.read("/api/inbox?unread=true&limit=200").path("messages");
      unread.valueStream().filter(this::isItsOwn).forEach(this::markRead);
    } catch (Fault _) {
      // What was found out stays true, and the agent can take no further turn.
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
