package dev.substrat.toolset.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.McpClient;
import dev.substrat.mcp.client.McpConnector;
import dev.substrat.mcp.client.RemoteDeadline;
import dev.substrat.mcp.client.ToolDefinition;
import dev.substrat.platform.log.Log;
import dev.substrat.team.Agent;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.team.toolconfig.UsedSecrets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Opens sessions with servers, and compares their tools with the approved definitions.
record SessionOpener(
    McpConnector connecting, ServerAddressResolver addresses, ServerRecords records) {
  private static final Log LOG = Log.of(SessionOpener.class);

  /// Time limit for the handshake and the tool list.
  static final Duration MAX_OPENING_TIME = Duration.ofSeconds(10);

  private static final Duration MAX_LISTING_TIME = Duration.ofSeconds(60);

  /// Time limit for opening a session. A program with network access may have to download itself
  /// first, as npx does.
  static Duration longestOpening(McpServerConfig server) {
    return ServerAddressResolver.hasNetwork(server) ? MAX_LISTING_TIME : MAX_OPENING_TIME;
  }

  /// A session whose tools were compared. Inserted values are added to `secrets`, also on failure.
  ServerConnection.ServerSession open(
      Agent agent,
      McpServerConfig server,
      UsedSecrets secrets,
      Runnable toolsChanged,
      RemoteDeadline deadline) {
    records.requireApproved(agent, server);
    McpClient client =
        connecting.connect(
            addresses.of(agent.id(), server, secrets), toolsChanged, deadline.left());
    var session = new ServerConnection.ServerSession(client, server, secrets);
    try {
      listTools(agent, session, deadline.left());
      return session;
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  /// Definitions are stored and shown, so they must not contain secrets.
  void listTools(Agent agent, ServerConnection.ServerSession session, Duration timeout) {
    var definitions = new ArrayList<ToolDefinition>();
    for (ToolDefinition one : session.client().listTools(timeout)) {
      var safe = new ToolDefinition((ObjectNode) session.secrets().redact(one.json()));
      if (safe.name().equals(one.name())) {
        definitions.add(safe);
      } else {
        LOG.warn(
            "a remote tool is ignored: its name contains invisible characters",
            "server",
            session.server().name());
      }
    }
    records.seen(agent, session.server(), List.copyOf(definitions));
  }
}
