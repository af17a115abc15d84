package dev.substrat.provider.prompt;

import dev.substrat.messaging.inbox.InboxEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An event of a turn, with the time it was sent if it is a message.
record TurnEvent(InboxEvent event, @Nullable Instant at) {
  String text() {
    return event.payload().path("text").asText();
  }
}
