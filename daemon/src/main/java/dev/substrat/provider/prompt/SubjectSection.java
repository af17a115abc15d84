package dev.substrat.provider.prompt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.TurnSubject;
import dev.substrat.messaging.message.OpenQuestions;
import dev.substrat.messaging.message.OpenQuestions.QuestionState;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.space.SpaceHistory;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The question that a turn is about, as the turn's prompt describes it: its id and sender, whether
/// it is still open, its text, and which other questions wait for the agent. `quote` is missing if
/// the question is one of the turn's events.
record SubjectSection(
    String source, QuestionState standing, @Nullable QuotedMessage quote, List<String> others) {
  private static final String ADDITIONAL =
      " Your final text is sent to the sender as an additional message; leave it empty if you have"
          + " nothing to add.";
  private static final String RECORDED = " Your final text is recorded but not sent.";

  /// More of them are only counted.
  private static final int MAX_OTHER_QUESTIONS = 5;

  /// The text of an earlier message, and the line that introduces it.
  record QuotedMessage(String preface, String text) {
    static QuotedMessage ofQuestion(String text) {
      return new QuotedMessage(
          "You got this message in an earlier turn. This is its text again:", text);
    }

    /// A person's newest message may have arrived just now.
    static QuotedMessage ofDirectMessage(String text) {
      return new QuotedMessage("This is the text of the newest message:", text);
    }
  }

  /// The subject with this key, for a turn that is given `events`.
  static Optional<SubjectSection> find(
      Tx tx, AgentId agent, @Nullable String key, List<InboxEvent> events) {
    if (key == null) {
      return Optional.empty();
    }
    return switch (TurnSubject.parse(key)) {
      case TurnSubject.QuestionSubject question ->
          OpenQuestions.find(tx, question.message())
              .map(asked ->
                  new SubjectSection(
                      source(tx, asked),
                      OpenQuestions.describe(tx, agent, asked.id(), events),
                      isAmong(events, asked.id().value())
                          ? null
                          : QuotedMessage.ofQuestion(asked.text()),
                      others(tx, agent, key)));
      case TurnSubject.DirectMessageSubject dm ->
          SpaceHistory.newestOfPerson(tx, dm.space())
              .map(said ->
                  new SubjectSection(
                      "the direct messages of %s in space %s"
                          .formatted(
                              said.author().isOperator()
                                  ? Principal.OPERATOR_NAME
                                  : "person " + AgentNameText.shown(said.authorHandle()),
                              VisibleText.line(dm.space())),
                      QuestionState.OPEN,
                      isAmong(events, said.id().value())
                          ? null
                          : QuotedMessage.ofDirectMessage(said.text()),
                      others(tx, agent, key)));
      // The section about the space is sufficient.
      case TurnSubject.SpaceSubject _ -> Optional.empty();
    };
  }

  /// The same for a program: `message_id` or `space`, `from` and `text`.
  static Optional<ObjectNode> json(Tx tx, @Nullable String key) {
    if (key == null) {
      return Optional.empty();
    }
    return switch (TurnSubject.parse(key)) {
      case TurnSubject.QuestionSubject question ->
          OpenQuestions.find(tx, question.message())
              .map(asked ->
                  Json.object()
                      .put("message_id", asked.id().value())
                      .put("from", name(tx, asked))
                      .put("text", asked.text()));
      case TurnSubject.DirectMessageSubject dm ->
          SpaceHistory.newestOfPerson(tx, dm.space())
              .map(said ->
                  Json.object()
                      .put("space", dm.space())
                      .put("from", said.authorHandle())
                      .put("text", said.text()));
      case TurnSubject.SpaceSubject in -> Optional.of(Json.object().put("space", in.space()));
    };
  }

  private static boolean isAmong(List<InboxEvent> events, String message) {
    return events.stream()
        .anyMatch(event -> event.payload().path("message_id").asText().equals(message));
  }

  private static String source(Tx tx, OpenQuestions.AskedQuestion asked) {
    return "message %s from %s"
        .formatted(
            asked.id(),
            asked.sender().equals(Principal.OPERATOR_NAME)
                ? Principal.OPERATOR_NAME
                : "agent " + AgentNameText.quoted(name(tx, asked)));
  }

  private static String name(Tx tx, OpenQuestions.AskedQuestion asked) {
    return AgentTree.find(tx, asked.sender()).map(Agent::name).orElse(asked.sender());
  }

  private static List<String> others(Tx tx, AgentId agent, String key) {
    List<OpenQuestions.AskedQuestion> open =
        OpenQuestions.to(tx, agent).stream()
            .filter(asked -> !asked.id().value().equals(key))
            .toList();
    var lines =
        new ArrayList<>(
            open.stream().limit(MAX_OTHER_QUESTIONS).map(one -> source(tx, one)).toList());
    if (open.size() > MAX_OTHER_QUESTIONS) {
      lines.add("%d more".formatted(open.size() - MAX_OTHER_QUESTIONS));
    }
    return List.copyOf(lines);
  }

  /// Texts that other agents or people may have written.
  List<String> texts() {
    var texts = new ArrayList<>(others);
    texts.add(source);
    texts.add(quote == null ? "" : quote.text());
    return texts;
  }

  /// The lines of the prompt, with the question's text inside the fence.
  String lines(DataFence fence) {
    var lines = new ArrayList<String>();
    lines.add(
        (standing == QuestionState.OPEN ? "You are answering: " : "This turn is about: ")
            + source
            + (quote == null ? ", shown above." : "."));
    if (standing != QuestionState.OPEN) {
      lines.add(closed());
    }
    if (quote != null) {
      lines.add(quote.preface());
      lines.add(fence.around(TextExcerpt.of(quote.text(), TurnPrompt.MAX_LENGTH)));
    }
    if (!others.isEmpty()) {
      lines.add("Other questions for you; each gets its own turn: " + String.join("; ", others));
    }
    return String.join("\n", lines);
  }

  /// Why the question is not open, and what happens to the final text.
  private String closed() {
    return switch (standing) {
      case OPEN -> "";
      case ANSWERED -> "You already answered this question." + ADDITIONAL;
      case EXPIRED -> "This question expired before you answered." + ADDITIONAL;
      case UNANSWERED -> "This question was closed without an answer." + ADDITIONAL;
      case ANSWERED_IN_THIS_TURN ->
          "You answered this question in an earlier attempt at this turn." + RECORDED;
      case SENDER_TERMINATED -> "The sender of this question was terminated." + RECORDED;
    };
  }
}
