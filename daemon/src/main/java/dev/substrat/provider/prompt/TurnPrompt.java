package dev.substrat.provider.prompt;

import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.message.ReplyFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The text of one turn: its events first, then a block with what Substrat says about the turn. The
/// same events always give the same text.
///
/// A single reply is not fenced and has the form of [ReplyFormat], so that its line is the first of
/// the prompt. Every other event has a header line, and its text is fenced. The block is always
/// last: a reply can contain a false one, but not end the prompt with it.
final class TurnPrompt {
  /// Maximum length of all texts of a turn: a small model still has context left for its work.
  static final int ROOM = 96_000;

  /// Maximum length of one text.
  static final int LONGEST = 32_000;

  private static final String NO_QUESTION = "This turn is about no question.";

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
    String before = EarlierAttemptSection.text(attempts);
    List<String> headers = events.stream().map(EventHeader::line).toList();
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
      about.add(EarlierAttemptSection.PREFACE + "\n" + fence.around(before));
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
    return given.event().kind() == InboxEvent.Kind.REPLY;
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
        TextExcerpt.sharing(events.stream().map(TurnEvent::text).toList(), ROOM, LONGEST);
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
    return ReplyFormat.text(
        AgentNameText.shown(payload.path("from").asText()),
        VisibleText.line(payload.path("in_reply_to").asText()),
        text);
  }
}
