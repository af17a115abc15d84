package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// Makes a fake server use the HTTP with SSE transport of 2024: one stream for all responses, and a
/// URL for requests.
final class LegacySseTransport {
  private final BlockingQueue<ObjectNode> stream = new LinkedBlockingQueue<>();
  private volatile boolean used;

  LegacySseTransport(FakeMcpServer server, String mailbox) {
    server.on(
        "GET",
        turn -> {
          var events = turn.events();
          events.raw("event: endpoint\ndata: " + mailbox + "\n\n");
          used = true;
          while (true) {
            events.send(next());
          }
        });
    server.on("server/discover", turn -> turn.status(405, "no"));
    server.on("initialize", turn -> reply(turn, greeting()));
    server.on("tools/list", turn -> reply(turn, list()));
    server.on("tools/call", turn -> reply(turn, FakeMcpServer.said("it rains")));
  }

  boolean isUsed() {
    return used;
  }

  /// A POST to the URL of the stream is rejected.
  private void reply(FakeMcpServer.Turn turn, ObjectNode result) throws IOException {
    if (turn.heard().headers().containsKey("accept") && !used) {
      turn.status(405, "no");
      return;
    }
    stream.add(JsonRpc.result(turn.id(), result));
    turn.status(202, "");
  }

  private ObjectNode next() throws IOException {
    try {
      return stream.take();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static ObjectNode greeting() {
    var result = Json.object().put("protocolVersion", "2024-11-05");
    result.putObject("capabilities").putObject("tools");
    return result;
  }

  private static ObjectNode list() {
    var result = Json.object();
    result.putArray("tools").add(FakeMcpServer.tool("weather", "Tells the weather."));
    return result;
  }
}
