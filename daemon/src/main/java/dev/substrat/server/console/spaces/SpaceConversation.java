package dev.substrat.server.console.spaces;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.console.RichText;
import dev.substrat.console.TextPreview;
import dev.substrat.console.spaces.SpaceEntry;
import dev.substrat.console.spaces.SpaceEntry.QuotedMessage;
import dev.substrat.console.spaces.SpaceEntry.ReactionMark;
import dev.substrat.console.spaces.ToolCallCard;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.server.console.CallImages;
import dev.substrat.server.console.DisplayNames;
import dev.substrat.server.console.NamedValueConverter;
import dev.substrat.server.console.approvals.DecisionText;
import dev.substrat.server.console.approvals.QuestionReader;
import dev.substrat.space.SpaceHistory;
import dev.substrat.space.SpaceMember;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.SpaceMessage.SpaceMessageKind;
import dev.substrat.space.UnpostedText;
import dev.substrat.store.Tx;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.toolset.custom.AnswerForm;
import dev.substrat.toolset.custom.PendingCallAccess;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Converts the messages of a space to page entries for one viewer.
final class SpaceConversation {
  /// Messages of the same author within this time are follow-ups without a header.
  private static final Duration FOLLOW_UP_LIMIT = Duration.ofMinutes(5);

  /// Maximum length of a value; the approval and the run show all of it.
  private static final int MAX_VALUE_LENGTH = 4_000;

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMMM yyyy", Locale.ENGLISH);

  private final Tx tx;
  private final ConversationViewer viewer;
  private final Instant now;
  private final DisplayNames faces;
  private final QuestionReader asking;

  /// Viewer and time zone. `readSeq` is the last read message; `back` the path of the page.
  record ConversationViewer(Principal who, ZoneId zone, long readSeq, String back) {
    boolean is(SpaceMember member) {
      return member.key().equals(who.key());
    }
  }

  SpaceConversation(Tx tx, ConversationViewer viewer, Instant now) {
    this.tx = tx;
    this.viewer = viewer;
    this.now = now;
    this.faces = new DisplayNames(tx, viewer.who());
    this.asking = new QuestionReader(tx, viewer.who());
  }

  /// `before` is the message before the first one.
  List<SpaceEntry> of(@Nullable SpaceMessage before, List<SpaceMessage> messages) {
    return of(before, messages, List.of());
  }

  /// Adds the turns that finished without posting.
  List<SpaceEntry> of(
      @Nullable SpaceMessage before, List<SpaceMessage> messages, List<UnpostedText> unposted) {
    List<String> ids = messages.stream().map(one -> one.id().value()).toList();
    Map<String, Long> replies = replies(ids);
    Map<String, QuotedMessage> quotes = quotes(messages);
    var all = new ArrayList<SpaceEntry>();
    boolean isNewsMarked = false;
    @Nullable SpaceMessage last = before;
    for (SpaceMessage one : messages) {
      boolean isFirstNew = !isNewsMarked && isNews(one);
      isNewsMarked |= isFirstNew;
      var behind = unposted.stream().filter(text -> text.afterSeq() == one.seq()).toList();
      all.add(said(last, one, isFirstNew, replies, quotes, behind));
      last = one;
    }
    return all;
  }

  private boolean isNews(SpaceMessage one) {
    return viewer.readSeq() >= 0
        && one.seq() > viewer.readSeq()
        && one.kind() == SpaceMessageKind.MESSAGE
        && !viewer.is(one.author());
  }

  private SpaceEntry said(
      @Nullable SpaceMessage last,
      SpaceMessage one,
      boolean isFirstNew,
      Map<String, Long> replies,
      Map<String, QuotedMessage> quotes,
      List<UnpostedText> unposted) {
    String day = last != null && day(last).equals(day(one)) ? "" : dayName(day(one));
    @Nullable QuotedMessage quote = one.parent() == null ? null : quotes.get(one.parent().value());
    boolean isFollowUp =
        last != null && day.isEmpty() && !isFirstNew && quote == null && isFollowUp(last, one);
    var text = TextPreview.of(one.text(), SpaceHistory.EXCERPT_LENGTH);
    return new SpaceEntry(
        one.id().value(),
        one.seq(),
        faces.of(one.author()),
        form(one.kind()),
        one.kind() == SpaceMessageKind.TOOL ? List.of() : RichText.of(text.marked()),
        text.isCut() && one.kind() != SpaceMessageKind.TOOL,
        one.at(),
        isFollowUp,
        day,
        isFirstNew,
        reactions(one),
        replies.getOrDefault(one.id().value(), 0L),
        quote,
        one.kind() == SpaceMessageKind.TOOL ? card(one) : null,
        one.heldReason() == null ? "" : one.heldReason(),
        unposted.stream().map(this::unposted).toList());
  }

  private SpaceEntry.UnpostedTurn unposted(UnpostedText one) {
    var text = TextPreview.of(one.text(), SpaceHistory.EXCERPT_LENGTH);
    return new SpaceEntry.UnpostedTurn(
        one.run().value(),
        faces.of(one.author()),
        RichText.of(text.marked()),
        text.isCut(),
        one.at(),
        viewer.who().isOperator() ? "/runs/" + one.run().value() : "");
  }

  private static boolean isFollowUp(SpaceMessage last, SpaceMessage one) {
    return last.author().equals(one.author())
        && last.kind() == one.kind()
        && Duration.between(last.at(), one.at()).compareTo(FOLLOW_UP_LIMIT) < 0;
  }

  private static SpaceEntry.SpaceEntryKind form(SpaceMessageKind kind) {
    return switch (kind) {
      case MESSAGE -> SpaceEntry.SpaceEntryKind.WORDS;
      case TOOL -> SpaceEntry.SpaceEntryKind.TOOL;
      case SYSTEM -> SpaceEntry.SpaceEntryKind.NOTE;
    };
  }

  private LocalDate day(SpaceMessage message) {
    return LocalDate.ofInstant(message.at(), viewer.zone());
  }

  private String dayName(LocalDate day) {
    LocalDate today = LocalDate.ofInstant(now, viewer.zone());
    if (day.equals(today)) {
      return "Today";
    }
    return day.equals(today.minusDays(1)) ? "Yesterday" : DAY.format(day);
  }

  private List<ReactionMark> reactions(SpaceMessage message) {
    var byEmoji = new LinkedHashMap<String, List<SpaceMessage.Reaction>>();
    for (var reaction : message.reactions()) {
      byEmoji.computeIfAbsent(reaction.emoji(), _ -> new ArrayList<>()).add(reaction);
    }
    return byEmoji.entrySet().stream()
        .map(entry ->
            new ReactionMark(
                entry.getKey(),
                entry.getValue().size(),
                String.join(
                    ", ",
                    entry.getValue().stream().map(SpaceMessage.Reaction::authorHandle).toList()),
                entry.getValue().stream().anyMatch(one -> viewer.is(one.author()))))
        .toList();
  }

  private ToolCallCard card(SpaceMessage message) {
    JsonNode metadata = message.metadata() == null ? Json.object() : message.metadata();
    Optional<PendingCall> call = PendingCalls.find(tx, metadata.path("callId").asText());
    Optional<PendingCall> asked = call.filter(AnswerForm::isForPeople);
    DecisionText decision =
        switch (message.status()) {
          case REQUIRES_ACTION ->
              new DecisionText(
                  call.isEmpty() || call.get().isAsked() ? "waiting for a person" : "working",
                  "wait",
                  "");
          case COMPLETE -> asked.map(DecisionText::of).orElse(new DecisionText("done", "good", ""));
          case ERROR -> new DecisionText("failed", "bad", "");
          case EXPIRED -> new DecisionText("expired", "bad", "");
        };
    return new ToolCallCard(
        metadata.path("toolName").asText("tool"),
        decision.outcome(),
        decision.tone(),
        NamedValueConverter.of(metadata.path("input"), MAX_VALUE_LENGTH),
        NamedValueConverter.of(metadata.path("output"), MAX_VALUE_LENGTH),
        asked
            .filter(one -> !one.status().isOver())
            .filter(one -> PendingCallAccess.mayAnswer(tx, viewer.who(), one))
            .map(one -> asking.question(one, viewer.back()))
            .orElse(null),
        asked
            .filter(_ -> message.status() == SpaceMessage.ToolCallStatus.COMPLETE)
            .map(one -> decided(one, decision))
            .orElse(null),
        CallImages.find(tx, message.space(), metadata).orElse(null));
  }

  private static ToolCallCard.ToolCallDecision decided(PendingCall call, DecisionText decision) {
    String by = call.sight().answeredBy();
    return new ToolCallCard.ToolCallDecision(
        DecisionText.question(call),
        by == null ? "" : DisplayNames.handle(by),
        decision.answer().isEmpty() ? decision.outcome() : decision.answer());
  }

  private Map<String, Long> replies(List<String> ids) {
    var counts = new LinkedHashMap<String, Long>();
    tx.list(
            """
            select parent_id, count(*) as n from space_message
            where parent_id in (select value from MEMBERS) group by parent_id
            """
                .replace("MEMBERS", tx.dialect().members()),
            row -> Map.entry(row.text("parent_id"), row.number("n")),
            Json.text(ids))
        .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
    return counts;
  }

  /// Parent messages of replies, by id.
  private Map<String, QuotedMessage> quotes(List<SpaceMessage> messages) {
    List<String> parents =
        messages.stream()
            .flatMap(one -> Optional.ofNullable(one.parent()).stream())
            .map(id -> id.value())
            .distinct()
            .toList();
    var quotes = new LinkedHashMap<String, QuotedMessage>();
    if (!parents.isEmpty()) {
      tx.list(
              """
              select id, author, substr(text, 1, 2000) as text from space_message
              where id in (select value from MEMBERS)
              """
                  .replace("MEMBERS", tx.dialect().members()),
              row ->
                  new QuotedMessage(
                      row.text("id"),
                      faces.of(row.text("author")).handle(),
                      QuestionReader.line(row.text("text"))),
              Json.text(parents))
          .forEach(quote -> quotes.put(quote.id(), quote));
    }
    return quotes;
  }
}
