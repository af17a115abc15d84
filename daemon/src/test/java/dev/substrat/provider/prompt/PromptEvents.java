package dev.substrat.provider.prompt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.InboxEvent.InboxEventKind;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import java.time.Instant;

/// Inbox events with fixed ids.
final class PromptEvents {
  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private PromptEvents() {}

  static TurnEvent message(int number, String from, String text) {
    return sent(
        number,
        InboxEventKind.MESSAGE,
        payload(InboxEventKind.MESSAGE, from, text).put("sync", true));
  }

  static TurnEvent broadcast(int number, String from, String text) {
    return sent(
        number,
        InboxEventKind.BROADCAST,
        payload(InboxEventKind.BROADCAST, from, text).put("sync", false));
  }

  static TurnEvent notice(int number, String text) {
    return sent(
        number,
        InboxEventKind.NOTICE,
        payload(InboxEventKind.NOTICE, "substrat", text).put("sync", false));
  }

  static TurnEvent reply(int number, String from, String text) {
    return sent(
        number,
        InboxEventKind.REPLY,
        payload(InboxEventKind.REPLY, from, text).put("sync", false).put("in_reply_to", id(99)));
  }

  static TurnEvent reminder(int number, String text) {
    var payload = payload(InboxEventKind.REMINDER, "yourself", text).put("reminder_id", id(98));
    return new TurnEvent(
        new InboxEvent(id(number), InboxEventKind.REMINDER, null, payload, 0, false), null);
  }

  static TurnEvent plan(int number, String text, int missed) {
    var payload =
        payload(InboxEventKind.PLAN, "yourself", text)
            .put("plan_id", id(97))
            .put("name", "Report")
            .put("due", "2026-01-01T09:00:00Z")
            .put("missed", missed);
    return new TurnEvent(
        new InboxEvent(id(number), InboxEventKind.PLAN, null, payload, 0, false), null);
  }

  static TurnEvent other(int number, InboxEventKind kind, String from, String text) {
    var event = new InboxEvent(id(number), kind, null, payload(kind, from, text), 0, false);
    return new TurnEvent(event, null);
  }

  static String id(int number) {
    return "01980000-0000-7000-8000-0000000000%02d".formatted(number);
  }

  private static TurnEvent sent(int number, InboxEventKind kind, ObjectNode payload) {
    payload.put("message_id", id(number));
    var event = new InboxEvent(id(number), kind, new MessageId(id(number)), payload, 0, false);
    return new TurnEvent(event, NOON.plusSeconds(number));
  }

  private static ObjectNode payload(InboxEventKind kind, String from, String text) {
    return Json.object()
        .put("kind", kind.toString())
        .put("from", from)
        .put("text", text)
        .put("depth", 0);
  }
}
