package dev.substrat.bridge;

import dev.substrat.bridge.json.BridgeMessage;
import dev.substrat.bridge.json.JsonRpcText;
import dev.substrat.bridge.json.JsonText;
import dev.substrat.bridge.json.MessagePart;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What client and daemon agreed on when they first met, in the era that has such meetings.
///
/// A daemon that was restarted has forgotten it, and a client that spoke before the daemon was
/// there has never met it: then the bridge says the client's own `initialize` again, and the client
/// hears nothing of it. Safe for many threads; one renews, the others wait for it.
final class BridgeSession {
  private static final byte[] INITIALIZED = JsonRpcText.notification("notifications/initialized");
  private static final byte[] TOOLS_CHANGED =
      JsonRpcText.notification("notifications/tools/list_changed");

  private final BridgeCredential credential;
  private final IdempotencyKeys keys;
  private final StdioClient client;
  private @Nullable BridgeMessage initialize;
  private boolean open;
  private boolean answeredAlone;
  private @Nullable String id;
  private @Nullable String version;
  private int number;

  BridgeSession(BridgeCredential credential, IdempotencyKeys keys, StdioClient client) {
    this.credential = credential;
    this.keys = keys;
    this.client = client;
  }

  /// What a request of the client has to show; empty if the client never said `initialize`.
  record Pass(@Nullable String id, @Nullable String version, int number) {
    /// In the modern era each request speaks for itself.
    static final Pass NONE = new Pass(null, null, -1);

    RequestHead show(RequestHead head) {
      return head.with("Mcp-Session-Id", id).with("MCP-Protocol-Version", version);
    }
  }

  /// The client begins anew.
  synchronized void begin(BridgeMessage message) {
    initialize = message;
    open = false;
    answeredAlone = false;
    id = null;
    version = null;
  }

  /// The daemon has answered the client's `initialize`.
  synchronized void opened(DaemonReply reply, JsonText answer) {
    open = true;
    id = reply.session();
    version = answer.text(MessagePart.AGREED_VERSION);
    number++;
  }

  /// The bridge has answered it.
  synchronized void answeredAlone() {
    answeredAlone = true;
  }

  /// Whether the daemon itself has met the client.
  synchronized boolean isOpen() {
    return open;
  }

  /// The pass of a session that has an end to be told.
  synchronized Optional<Pass> standing() {
    return id == null ? Optional.empty() : Optional.of(new Pass(id, version, number));
  }

  /// The pass that is good now; renews the session first if it has to.
  synchronized Pass pass(SocketConnection connection) throws IOException {
    BridgeMessage first = initialize;
    if (first != null && !open) {
      renew(connection, first);
    }
    return new Pass(id, version, number);
  }

  /// The daemon does not know the session with that number (any more).
  synchronized void lost(Pass pass) {
    if (pass.number() == number) {
      open = false;
      id = null;
    }
  }

  private void renew(SocketConnection connection, BridgeMessage first) throws IOException {
    DaemonReply reply =
        connection.ask(
            credential.head(connection).with("Idempotency-Key", keys.renewal(number)),
            first.bytes());
    if (reply.status() != 200) {
      throw credential.refused(reply);
    }
    JsonText answer = ResponseReader.read(reply, first.id(), _ -> {});
    // To the end of the reply: the connection is needed again at once.
    reply.body();
    if (!answer.has(MessagePart.RESULT)) {
      throw new BridgeError("INTERNAL", "the daemon did not take the client's initialize", "");
    }
    opened(reply, answer);
    RequestHead head = new Pass(id, version, number).show(credential.head(connection));
    connection.ask(head, INITIALIZED).body();
    if (answeredAlone) {
      answeredAlone = false;
      // What it was told alone was a guess; now there is something to list.
      client.send(TOOLS_CHANGED);
    }
  }
}
