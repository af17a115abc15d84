package dev.substrat.bridge;

import dev.substrat.bridge.json.BridgeMessage;
import dev.substrat.bridge.json.JsonRpcMessages;
import dev.substrat.bridge.json.MessageField;
import dev.substrat.bridge.json.RawJsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Handles the client's `initialize`. The daemon answers it, or the bridge if the daemon is not
/// running: clients have short startup timeouts, and a daemon may take longer.
final class InitializeHandler {
  private static final List<String> VERSIONS = List.of("2025-11-25", "2025-06-18", "2025-03-26");
  private static final String CAPABILITIES =
      "{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true},"
          + "\"resources\":{\"listChanged\":true,\"subscribe\":true},"
          + "\"completions\":{},\"logging\":{}}";

  private final BridgeContext ends;
  private final BridgeMessage request;

  InitializeHandler(BridgeContext ends, BridgeMessage request) {
    this.ends = ends;
    this.request = request;
  }

  void run() {
    ends.session().initialize(request);
    try {
      if (!forwarded()) {
        ends.session().answeredByBridge();
        ends.client().send(alone());
      }
    } catch (BridgeError refusal) {
      ends.client().send(JsonRpcMessages.error(request.id(), refusal));
    }
  }

  private boolean forwarded() {
    Optional<SocketConnection> found = ends.daemon().tryConnect();
    if (found.isEmpty()) {
      return false;
    }
    SocketConnection connection = found.get();
    try {
      RequestHeadBuilder head =
          ends.credential().head(connection).with("Idempotency-Key", ends.keys().of(request.id()));
      hear(connection, connection.send(head, request.bytes()));
      return true;
    } catch (IOException _) {
      connection.close();
      return false;
    } catch (BridgeError refusal) {
      connection.close();
      throw refusal;
    }
  }

  private void hear(SocketConnection connection, DaemonReply reply) throws IOException {
    if (reply.status() == 401) {
      throw ends.credential().refused(reply);
    }
    if (reply.status() != 200) {
      Optional<RawJsonObject> body = RawJsonObject.parse(reply.body());
      if (ResponseReader.isStopping(body)) {
        throw new IOException("the daemon is stopping");
      }
      ends.client().send(ResponseReader.error(request.id(), reply.status(), body));
      ends.daemon().release(connection, reply);
      return;
    }
    StdioClient client = ends.client();
    RawJsonObject answer =
        ResponseReader.read(reply, request.id(), message -> client.send(message.bytes()));
    if (ResponseReader.isStopping(Optional.of(answer))) {
      throw new IOException("the daemon is stopping");
    }
    if (answer.has(MessageField.RESULT)) {
      ends.session().opened(reply, answer);
    }
    client.send(answer.bytes());
    ends.daemon().release(connection, reply);
  }

  private byte[] alone() {
    String wanted = request.text(MessageField.WANTED_VERSION);
    String version = wanted != null && VERSIONS.contains(wanted) ? wanted : VERSIONS.getFirst();
    String own = InitializeHandler.class.getPackage().getImplementationVersion();
    return JsonRpcMessages.result(
        request.id(),
        "{\"protocolVersion\":"
            + RawJsonObject.quoted(version)
            + ",\"capabilities\":"
            + CAPABILITIES
            + ",\"serverInfo\":{\"name\":\"substrat\",\"version\":"
            + RawJsonObject.quoted(own == null ? "dev" : own)
            + "}}");
  }
}
