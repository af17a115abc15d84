package dev.substrat.prompt;

import dev.substrat.inbox.InboxEvent;
import dev.substrat.message.ReplyForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a turn is given to read, made of its events alone: the same events, the same text.
///
/// A reply that comes alone stands there first in the form of [ReplyForm]: its first line says
/// whose it is. Everything else stands behind a line that tells where it is from, and inside a
/// fence. A turn with a subject names it, in front or behind a reply that comes alone.
final class TurnPrompt {
  /// All texts of a turn together: what a small model reads and still has room to think.
  static final int ROOM = 96_000;

  /// One text.
  static final int LONGEST = 32_000;

  private TurnPrompt() {}

  /// For a turn without a subject.
  static String of(List<Given> events, List<Attempt> attempts) {
    return of(Optional.empty(), events, attempts);
  }

  static String of(Optional<TurnSubject> subject, List<Given> events, List<Attempt> attempts) {
    String before = DoneBefore.text(attempts);
    Given first = events.getFirst();
    boolean isLoneReply = events.size() == 1 && first.event().kind() == InboxEvent.Kind.REPLY;
    return isLoneReply && before.isEmpty()
        ? reply(subject, first)
        : fenced(subject, events, before);
  }

  private static String reply(Optional<TurnSubject> subject, Given given) {
    Excerpt excerpt = Excerpt.of(given.text(), LONGEST);
    String reply = replyForm(given, excerpt.text());
    String whole = excerpt.isCut() ? reply + "\n[" + excerpt.extent() + "]" : reply;
    return subject
        .map(about -> {
          DataFence fence = fence(subject, List.of(given), List.of(whole), List.of(), "");
          return about(about, fence) + "\n\n" + whole;
        })
        .orElse(whole);
  }

  /// Which question the turn answers, between tags that no text can contain.
  private static String about(TurnSubject subject, DataFence fence) {
    return "<turn-%s>\n%s\n</turn-%s>".formatted(fence.word(), subject.lines(fence), fence.word());
  }

  private static String fenced(Optional<TurnSubject> subject, List<Given> events, String before) {
    List<Excerpt> texts = excerpts(events);
    List<String> headers = events.stream().map(Provenance::line).toList();
    DataFence fence = fence(subject, events, headers, texts, before);
    var parts = new ArrayList<String>();
    subject.ifPresent(about -> parts.add(about(about, fence)));
    if (!before.isEmpty()) {
      parts.add(DoneBefore.PREFACE + "\n" + fence.around(before));
    }
    if (events.size() > 1) {
      parts.add("%d events, oldest first.".formatted(events.size()));
    }
    for (int i = 0; i < events.size(); i++) {
      String number = events.size() == 1 ? "" : "[%d/%d] ".formatted(i + 1, events.size());
      parts.add(number + headers.get(i) + "\n" + fence.around(texts.get(i)));
    }
    return String.join("\n\n", parts);
  }

  private static List<Excerpt> excerpts(List<Given> events) {
    List<Excerpt> bare = Excerpt.sharing(events.stream().map(Given::text).toList(), ROOM, LONGEST);
    var texts = new ArrayList<Excerpt>();
    for (int i = 0; i < bare.size(); i++) {
      Excerpt text = bare.get(i);
      boolean isReply = events.get(i).event().kind() == InboxEvent.Kind.REPLY;
      // An answer keeps its form among others, too.
      texts.add(
          isReply
              ? new Excerpt(replyForm(events.get(i), text.text()), text.shown(), text.total())
              : text);
    }
    return texts;
  }

  private static DataFence fence(
      Optional<TurnSubject> subject,
      List<Given> events,
      List<String> headers,
      List<Excerpt> texts,
      String before) {
    var all = new ArrayList<>(headers);
    texts.forEach(text -> all.add(text.text()));
    all.add(before);
    subject.ifPresent(about -> all.addAll(about.texts()));
    String seed = String.join("/", events.stream().map(given -> given.event().id()).toList());
    return DataFence.around(seed, all);
  }

  private static String replyForm(Given given, String text) {
    var payload = given.event().payload();
    return ReplyForm.text(
        Name.shown(payload.path("from").asText()),
        Visible.line(payload.path("in_reply_to").asText()),
        text);
  }
}
