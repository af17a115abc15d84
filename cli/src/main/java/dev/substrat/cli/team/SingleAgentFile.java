package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Handle;
import java.util.function.Supplier;

/// A file that declares a single agent instead of a team. The hint depends on whether the agent
/// exists.
record SingleAgentFile(String source, ObjectNode tree) {

  boolean isSingleAgent() {
    return tree.has("name") && !tree.has("agents") && !tree.has("spaces");
  }

  Fault refusal(Supplier<DaemonClient> daemon) {
    String handle = tree.path("handle").asText(Handle.of(tree.path("name").asText()));
    String file = source.equals("stdin") ? "FILE" : source;
    String advice =
        exists(handle, daemon)
            ? "%s exists; update it: ./substrat agent update %s --config %s"
                .formatted(handle, handle, file)
            : "create it: ./substrat agent create --config " + file;
    return ErrorCode.INVALID_CONFIG.fault(
        source + " declares an agent, not a team",
        advice + "; in a team file, put it under agents:");
  }

  /// False if the daemon cannot be reached.
  private static boolean exists(String handle, Supplier<DaemonClient> daemon) {
    try {
      JsonNode agent = daemon.get().read(DaemonClient.path("/api/agents/", handle));
      return !agent.path("state").asText().equals("terminated");
    } catch (Fault _) {
      return false;
    }
  }
}
