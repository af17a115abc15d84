package dev.substrat.provider.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.identity.Principal;
import java.util.ArrayList;
import java.util.List;

/// The line before an event in a prompt: kind and sender. Agents choose their names, so names are
/// in quotes.
final class EventHeader {
  /// Senders that are not agents; see `team.AgentRules`.
  private static final List<String> RESERVED =
      List.of(Principal.OPERATOR_NAME, "substrat", "yourself");

  /// Prefix of a person's key in the payload of an event.
  private static final String PERSON = "person/";

  private EventHeader() {}

  static String line(TurnEvent given) {
    InboxEvent event = given.event();
    List<String> facts = facts(given);
    return what(event.kind())
        + " from "
        + sender(event)
        + place(event)
        + (facts.isEmpty() ? "" : " (" + String.join(", ", facts) + ")");
  }

  private static String what(InboxEvent.Kind kind) {
    return switch (kind) {
      case SERVICE -> "event";
      case SPACE_MESSAGE -> "space message";
      case TOOL_RESULT -> "tool result";
      case START, MESSAGE, BROADCAST, REPLY, REMINDER, PLAN, NOTICE -> kind.toString();
    };
  }

  /// Ids of spaces contain no special characters, so they need no quotes.
  private static String place(InboxEvent event) {
    return event.kind() == InboxEvent.Kind.SPACE_MESSAGE
        ? " in space " + VisibleText.line(event.payload().path("space").asText())
        : "";
  }

  private static String sender(InboxEvent event) {
    String name = event.payload().path("from").asText();
    if (event.kind() == InboxEvent.Kind.SERVICE) {
      return "service " + AgentNameText.quoted(name);
    }
    if (event.payload().path("author").asText().startsWith(PERSON)) {
      return "person " + AgentNameText.shown(name);
    }
    return RESERVED.contains(name) ? name : "agent " + AgentNameText.quoted(name);
  }

  private static List<String> facts(TurnEvent given) {
    JsonNode payload = given.event().payload();
    var facts = new ArrayList<String>();
    for (String id : List.of("message_id", "parent_id", "in_reply_to", "reminder_id", "plan_id")) {
      if (payload.hasNonNull(id)) {
        facts.add(id + " " + VisibleText.line(payload.path(id).asText()));
      }
    }
    if (given.event().kind() == InboxEvent.Kind.PLAN) {
      facts.addAll(plan(payload));
    }
    if (given.at() != null) {
      facts.add("at " + given.at());
    }
    if (payload.path("sync").asBoolean()) {
      facts.add("wants an answer");
    }
    return facts;
  }

  private static List<String> plan(JsonNode payload) {
    var facts = new ArrayList<String>();
    facts.add(AgentNameText.quoted(payload.path("name").asText()));
    facts.add("due " + payload.path("due").asText());
    long missed = payload.path("missed").asLong();
    if (missed > 0) {
      facts.add("was due %d more times since you last got it".formatted(missed));
    }
    return facts;
  }
}
