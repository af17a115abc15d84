package dev.substrat.bridge;

import dev.substrat.bridge.json.BridgeMessage;
import dev.substrat.bridge.json.JsonRpcMessages;
import dev.substrat.bridge.json.MessageField;
import dev.substrat.bridge.json.RawJsonObject;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// MCP session of the legacy protocol.
///
/// After a restart of the daemon, or if the client started before the daemon, the bridge repeats
/// the client's `initialize` without involving the client. Thread-safe: one thread renews the
/// session, others wait for it.
final class BridgeSession {
  private static final byte[] INITIALIZED =
      JsonRpcMessages.notification("notifications/initialized");
  private static final byte[] TOOLS_CHANGED =
      JsonRpcMessages.notification("notifications/tools/list_changed");

  private final BridgeCredential credential;
  private final IdempotencyKeys keys;
  private final StdioClient client;
  private @Nullable BridgeMessage initialize;
  private boolean open;
  private boolean answeredByBridge;
  private @Nullable String id;
  private @Nullable String version;
  private int number;

  BridgeSession(BridgeCredential credential, IdempotencyKeys keys, StdioClient client) {
    this.credential = credential;
    this.keys = keys;
    this.client = client;
  }

  /// Session id and protocol version for a request; empty if the client never sent `initialize`.
  record SessionHeaders(@Nullable String id, @Nullable String version, int number) {
    /// Requests of the modern protocol need no session.
    static final SessionHeaders NONE = new SessionHeaders(null, null, -1);

    RequestHeadBuilder show(RequestHeadBuilder head) {
      return head.with("Mcp-Session-Id", id).with("MCP-Protocol-Version", version);
    }
  }

  /// The client sent `initialize`.
  synchronized void initialize(BridgeMessage message) {
    initialize = message;
    open = false;
    answeredByBridge = false;
    id = null;
    version = null;
  }

  /// The daemon answered the client's `initialize`.
  synchronized void opened(DaemonReply reply, RawJsonObject answer) {
    open = true;
    id = reply.session();
    version = answer.text(MessageField.AGREED_VERSION);
    number++;
  }

  /// The bridge answered it.
  synchronized void answeredByBridge() {
    answeredByBridge = true;
  }

  /// True if the session exists at the daemon.
  synchronized boolean isOpen() {
    return open;
  }

  /// The session to close at the end, if any.
  synchronized Optional<SessionHeaders> sessionToClose() {
    return id == null ? Optional.empty() : Optional.of(new SessionHeaders(id, version, number));
  }

  /// The current session; renewed first if necessary.
  synchronized SessionHeaders current(SocketConnection connection) throws IOException {
    BridgeMessage first = initialize;
    if (first != null && !open) {
      renew(connection, first);
    }
    return new SessionHeaders(id, version, number);
  }

  /// Marks the session with that number as unknown to the daemon.
  synchronized void markUnknown(SessionHeaders pass) {
    if (pass.number() == number) {
      open = false;
      id = null;
    }
  }

  private void renew(SocketConnection connection, BridgeMessage first) throws IOException {
    DaemonReply reply =
        connection.send(
            credential.head(connection).with("Idempotency-Key", keys.renewal(number)),
            first.bytes());
    if (reply.status() != 200) {
      throw credential.refused(reply);
    }
    RawJsonObject answer = ResponseReader.read(reply, first.id(), _ -> {});
    // Read the response completely, because the connection is reused immediately.
    reply.body();
    if (!answer.has(MessageField.RESULT)) {
      throw new BridgeError("INTERNAL", "the daemon rejected the client's initialize", "");
    }
    opened(reply, answer);
    RequestHeadBuilder head =
        new SessionHeaders(id, version, number).show(credential.head(connection));
    connection.send(head, INITIALIZED).body();
    if (answeredByBridge) {
      answeredByBridge = false;
      // The bridge's own answer had no tool list; the daemon has one now.
      client.send(TOOLS_CHANGED);
    }
  }
}
