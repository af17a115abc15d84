package dev.substrat.turn.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// Names the calls of a turn, from the event on that was shown last: the same call at the same
/// place has the same key, so that a retried turn does not send the same message twice.
///
/// Safe for many threads: a mind may call tools side by side.
public final class CallKeys {
  private String event;
  private int calls;

  public CallKeys(InboxEvent first) {
    this.event = first.id();
  }

  public synchronized void shown(InboxEvent shown) {
    event = shown.id();
    calls = 0;
  }

  public synchronized String next(String tool, ObjectNode arguments) {
    byte[] what = (tool + Json.text(arguments)).getBytes(StandardCharsets.UTF_8);
    calls++;
    return event + "/" + calls + "/" + UUID.nameUUIDFromBytes(what);
  }
}
