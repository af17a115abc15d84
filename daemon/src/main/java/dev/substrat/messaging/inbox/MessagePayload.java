package dev.substrat.messaging.inbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.ResultRow;

/// Payload of an event that brings a message, without what the row of the message has.
///
/// The rest is the sender's name at that time, and the subject. Rows of older versions, and copies
/// for forks, have the whole payload.
final class MessagePayload {
  /// Columns of the message that [#read] needs.
  static final String COLUMNS =
      """
      message.kind as message_kind, message.text as message_text, message.sync as message_sync,
      message.depth as message_depth, case when message.in_reply_to is not null
        then coalesce(message.broadcast_id, message.in_reply_to) end as message_answers
      """;

  private static final String FROM = "from";
  private static final String TEXT = "text";

  private MessagePayload() {}

  /// Whether the payload follows from the message.
  static boolean isBrief(InboxEvent event) {
    return event.message() != null && event.id().equals(event.message().value());
  }

  /// As it is stored. The subject is `true` if it is the message itself.
  static String stored(InboxEvent event) {
    if (!isBrief(event)) {
      return Json.text(event.payload());
    }
    var brief = Json.object();
    brief.set(FROM, event.payload().path(FROM));
    String subject = event.payload().path(InboxEvent.SUBJECT).textValue();
    if (event.id().equals(subject)) {
      brief.put(InboxEvent.SUBJECT, true);
    } else if (subject != null) {
      brief.put(InboxEvent.SUBJECT, subject);
    }
    return Json.text(brief);
  }

  /// The payload of a row with the columns of message `id`.
  static ObjectNode read(ResultRow row, String id) {
    var stored = (ObjectNode) Json.own(row.text("payload"));
    String text = row.textOrNull("message_text");
    if (stored.has(TEXT) || text == null) {
      return stored;
    }
    var payload = Json.object().put("kind", row.text("message_kind"));
    payload.set(FROM, stored.path(FROM));
    payload
        .put(TEXT, text)
        .put("message_id", id)
        .put("sync", row.flag("message_sync"))
        .put("depth", row.integer("message_depth"));
    String answers = row.textOrNull("message_answers");
    if (answers != null) {
      payload.put("in_reply_to", answers);
    }
    if (stored.has(InboxEvent.SUBJECT)) {
      String subject = stored.path(InboxEvent.SUBJECT).textValue();
      payload.put(InboxEvent.SUBJECT, subject == null ? id : subject);
    }
    return payload;
  }
}
