package dev.substrat.provider.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.message.InboxEventFormatter;
import dev.substrat.platform.identity.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The text of one turn: its events first, then a block with what Substrat says about the turn. The
/// same events always give the same text.
///
/// A single reply is not fenced and has the form of [InboxEventFormatter], so that its line is the
/// first of the prompt. Every other event has a header line, and its text is fenced. The block is
/// always last: a reply can contain a false one, but not end the prompt with it.
final class TurnPrompt {
  /// Senders that are not agents; see `team.AgentRules`.
  private static final List<String> RESERVED =
      List.of(Principal.OPERATOR_NAME, "substrat", "yourself");

  /// Prefix of a person's key in the payload of an event.
  private static final String PERSON = "person/";

  static final String PREFACE =
      """
      An earlier turn for the same input ended before it was complete. These are its tool calls, oldest
      first, with their results. Do not repeat calls that have a result. A call without a recorded result
      may or may not have been executed: check before you repeat it. Continue from there.\
      """;

  /// The newest calls: they show best how far the turn got.
  private static final int MOST_CALLS = 30;

  /// Maximum length of all texts of a turn: a small model still has context left for its work.
  static final int ROOM = 96_000;

  /// Maximum length of one text.
  static final int MAX_LENGTH = 32_000;

  private static final String NO_QUESTION = "No question is to be answered in this turn.";

  private TurnPrompt() {}

  /// Prompt of a turn without a subject.
  static String of(List<TurnEvent> events, List<EarlierAttempt> attempts) {
    return of(Optional.empty(), Optional.empty(), events, attempts);
  }

  /// `space` is the section about the turn's space.
  static String of(
      Optional<SubjectSection> subject,
      Optional<String> space,
      List<TurnEvent> events,
      List<EarlierAttempt> attempts) {
    String before = earlier(attempts);
    List<String> headers = events.stream().map(TurnPrompt::header).toList();
    List<TextExcerpt> texts = excerpts(events);
    var foreign = new ArrayList<>(headers);
    texts.forEach(text -> foreign.add(text.text()));
    foreign.add(before);
    space.ifPresent(foreign::add);
    subject.ifPresent(about -> foreign.addAll(about.texts()));
    DataFence fence = DataFence.around(seed(events), foreign);

    boolean isSingleReply = events.size() == 1 && isReply(events.getFirst());
    String given = isSingleReply ? reply(texts.getFirst()) : fenced(headers, texts, fence);
    var about = new ArrayList<String>();
    if (!before.isEmpty()) {
      about.add(PREFACE + "\n" + fence.around(before));
    }
    subject.ifPresent(one -> about.add(one.lines(fence)));
    space.ifPresent(about::add);
    if (about.isEmpty() && isSingleReply && hasBlockTag(given)) {
      about.add(NO_QUESTION);
    }
    return about.isEmpty() ? given : given + "\n\n" + fence.aroundBlock(String.join("\n", about));
  }

  private static String seed(List<TurnEvent> events) {
    return String.join("/", events.stream().map(given -> given.event().id()).toList());
  }

  private static boolean isReply(TurnEvent given) {
    return given.event().kind() == InboxEvent.InboxEventKind.REPLY;
  }

  private static boolean hasBlockTag(String text) {
    return text.toLowerCase(Locale.ROOT).contains(DataFence.BLOCK);
  }

  private static String reply(TextExcerpt reply) {
    return reply.isCut() ? reply.text() + "\n[" + reply.extent() + "]" : reply.text();
  }

  private static String fenced(List<String> headers, List<TextExcerpt> texts, DataFence fence) {
    int count = texts.size();
    var parts = new ArrayList<String>();
    if (count > 1) {
      parts.add("%d events, oldest first.".formatted(count));
    }
    for (int i = 0; i < count; i++) {
      String number = count == 1 ? "" : "[%d/%d] ".formatted(i + 1, count);
      parts.add(number + headers.get(i) + "\n" + fence.around(texts.get(i)));
    }
    return String.join("\n\n", parts);
  }

  private static List<TextExcerpt> excerpts(List<TurnEvent> events) {
    List<TextExcerpt> bare =
        TextExcerpt.sharing(events.stream().map(TurnEvent::text).toList(), ROOM, MAX_LENGTH);
    var texts = new ArrayList<TextExcerpt>();
    for (int i = 0; i < bare.size(); i++) {
      TextExcerpt text = bare.get(i);
      // A reply keeps its first line, also among other events.
      texts.add(
          isReply(events.get(i))
              ? new TextExcerpt(replyForm(events.get(i), text.text()), text.shown(), text.total())
              : text);
    }
    return texts;
  }

  private static String replyForm(TurnEvent given, String text) {
    var payload = given.event().payload();
    return InboxEventFormatter.text(
        AgentNameText.shown(payload.path("from").asText()),
        VisibleText.line(payload.path("in_reply_to").asText()),
        text);
  }

  /// The calls of earlier attempts at the turn: one line per attempt and per call; empty if no
  /// attempt has called a tool.
  static String earlier(List<EarlierAttempt> attempts) {
    int calls = attempts.stream().mapToInt(attempt -> attempt.calls().size()).sum();
    if (calls == 0) {
      return "";
    }
    var lines = new ArrayList<String>();
    int skip = Math.max(0, calls - MOST_CALLS);
    if (skip > 0) {
      lines.add("(%d earlier calls are omitted)".formatted(skip));
    }
    for (EarlierAttempt attempt : attempts) {
      int skipped = Math.min(skip, attempt.calls().size());
      skip -= skipped;
      attempt.calls().stream()
          .skip(skipped)
          .map(EarlierAttempt.EarlierCall::line)
          .forEach(lines::add);
      if (skipped < attempt.calls().size()) {
        lines.add(
            "(the turn ended because: "
                + VisibleText.line(TextExcerpt.of(attempt.reason(), 300).text())
                + ")");
      }
    }
    return String.join("\n", lines);
  }

  /// The line before an event: kind and sender. Agents choose their names, so names are in quotes.
  private static String header(TurnEvent given) {
    InboxEvent event = given.event();
    List<String> facts = facts(given);
    return what(event.kind())
        + " from "
        + sender(event)
        + place(event)
        + (facts.isEmpty() ? "" : " (" + String.join(", ", facts) + ")");
  }

  private static String what(InboxEvent.InboxEventKind kind) {
    return switch (kind) {
      case SERVICE -> "event";
      case SPACE_MESSAGE -> "space message";
      case TOOL_RESULT -> "tool result";
      case START, MESSAGE, BROADCAST, REPLY, REMINDER, PLAN, NOTICE -> kind.toString();
    };
  }

  /// Ids of spaces contain no special characters, so they need no quotes.
  private static String place(InboxEvent event) {
    return event.kind() == InboxEvent.InboxEventKind.SPACE_MESSAGE
        ? " in space " + VisibleText.line(event.payload().path("space").asText())
        : "";
  }

  private static String sender(InboxEvent event) {
    String name = event.payload().path("from").asText();
    if (event.kind() == InboxEvent.InboxEventKind.SERVICE) {
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
    if (given.event().kind() == InboxEvent.InboxEventKind.PLAN) {
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
      facts.add("was due %d more times since your last turn for it".formatted(missed));
    }
    return facts;
  }
}
