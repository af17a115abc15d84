package dev.substrat.turn.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// Idempotency keys of a turn's calls, counted from the event that was shown last: the same call at
/// the same position has the same key, so a retried turn does not send a message twice.
///
/// Safe for many threads: a provider may call tools concurrently.
public final class CallKeys {
  private String event;
  private int calls;

  public CallKeys(InboxEvent first) {
    this.event = first.id();
  }

  public synchronized void restartAt(InboxEvent shown) {
    event = shown.id();
    calls = 0;
  }

  public synchronized String next(String tool, ObjectNode arguments) {
    byte[] what = (tool + Json.text(arguments)).getBytes(StandardCharsets.UTF_8);
    calls++;
    return event + "/" + calls + "/" + UUID.nameUUIDFromBytes(what);
  }
}
