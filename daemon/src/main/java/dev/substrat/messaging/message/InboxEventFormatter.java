package dev.substrat.messaging.message;

import dev.substrat.messaging.inbox.InboxEvent;

/// Text of an inbox event as an agent sees it. Only a reply has a special form, so that the agent
/// knows which question it answers.
public final class InboxEventFormatter {
  private InboxEventFormatter() {}

  public static String text(InboxEvent event) {
    String text = event.payload().path("text").asText();
    return event.kind() == InboxEvent.InboxEventKind.REPLY
        ? text(
            event.payload().path("from").asText(),
            event.payload().path("in_reply_to").asText(),
            text)
        : text;
  }

  /// The answer of `from` to the message `inReplyTo`.
  public static String text(String from, String inReplyTo, String text) {
    return "Reply from %s (to message %s):\n%s".formatted(from, inReplyTo, text);
  }
}
