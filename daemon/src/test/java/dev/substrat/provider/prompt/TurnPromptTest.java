package dev.substrat.provider.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.inbox.InboxEvent.InboxEventKind;
import dev.substrat.messaging.message.OpenQuestions.QuestionState;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.prompt.EarlierAttempt.EarlierCall;
import dev.substrat.provider.prompt.SubjectSection.QuotedMessage;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Exact text of a turn's prompt.
final class TurnPromptTest {
  private static final List<TurnEvent> THREE =
      List.of(
          PromptEvents.message(1, "operator", "How many ships?\nAnd whose?"),
          PromptEvents.reply(2, "ben", "Two at the quay."),
          PromptEvents.reminder(3, "look at the tide"));

  @Test
  @Requirement({"S0-13", "S1-10"})
  void a_single_reply_has_exactly_the_documented_format() {
    TurnEvent reply = PromptEvents.reply(1, "ben", "aye\n\n  sir\n");

    String prompt = TurnPrompt.of(List.of(reply), List.of());

    assertThat(prompt)
        .isEqualTo("Reply from ben (to message " + PromptEvents.id(99) + "):\naye\n\n  sir\n");
    GoldenFiles.require("turn-reply", prompt);
  }

  @Test
  @Requirement({"S0-13", "C20"})
  void the_question_of_a_turn_follows_its_events() {
    var subject =
        new SubjectSection(
            "message " + PromptEvents.id(1) + " from operator",
            QuestionState.OPEN,
            QuotedMessage.ofQuestion("How many?"),
            List.of());

    assertThat(
            TurnPrompt.of(
                Optional.of(subject),
                Optional.empty(),
                List.of(PromptEvents.reply(2, "ben", "Two.")),
                List.of()))
        .startsWith("Reply from ben (to message " + PromptEvents.id(99) + "):\nTwo.\n\n<turn-")
        .containsSubsequence("\nYou are answering: message ", "\nHow many?\n", "\n</turn-");
    assertThat(TurnPrompt.of(Optional.of(subject), Optional.empty(), THREE, List.of()))
        .startsWith("3 events, oldest first.\n\n[1/3] message from operator")
        .containsSubsequence("look at the tide", "\nYou are answering: message ", "How many?");
  }

  @Test
  @Requirement("C20")
  void a_turn_with_a_subject_names_the_question_and_what_else_waits() {
    var above =
        new SubjectSection(
            "message " + PromptEvents.id(1) + " from operator",
            QuestionState.OPEN,
            null,
            List.of("message " + PromptEvents.id(7) + " from agent \"ada\""));
    var repeated =
        new SubjectSection(
            "message " + PromptEvents.id(1) + " from operator",
            QuestionState.OPEN,
            QuotedMessage.ofQuestion("How many ships are there?"),
            List.of());

    GoldenFiles.require(
        "turn-question",
        TurnPrompt.of(
            Optional.of(above),
            Optional.empty(),
            List.of(PromptEvents.message(1, "operator", "How many ships are there?")),
            List.of()));
    GoldenFiles.require(
        "turn-reply-subject",
        TurnPrompt.of(
            Optional.of(repeated),
            Optional.empty(),
            List.of(PromptEvents.reply(2, "ben", "Two at the quay.")),
            List.of()));
  }

  @Test
  @Requirement("C20")
  void a_turn_about_an_answered_question_says_where_its_final_text_goes() {
    var subject =
        new SubjectSection(
            "message " + PromptEvents.id(1) + " from operator",
            QuestionState.ANSWERED,
            QuotedMessage.ofQuestion("How many ships are there?"),
            List.of());

    GoldenFiles.require(
        "turn-answered",
        TurnPrompt.of(
            Optional.of(subject),
            Optional.empty(),
            List.of(PromptEvents.reminder(3, "look at the tide")),
            List.of()));
  }

  @Test
  @Requirement("N7")
  void a_single_message_names_its_sender() {
    GoldenFiles.require(
        "turn-message",
        TurnPrompt.of(List.of(PromptEvents.message(1, "ada", "May I sail?")), List.of()));
  }

  @Test
  @Requirement({"S0-13", "S1-10", "N7"})
  void several_events_are_numbered_and_a_reply_keeps_its_format() {
    String prompt = TurnPrompt.of(THREE, List.of());

    assertThat(prompt)
        .contains("\nReply from ben (to message " + PromptEvents.id(99) + "):\nTwo at the quay.\n");
    GoldenFiles.require("turn-three-events", prompt);
  }

  @Test
  void each_kind_of_event_names_its_sender() {
    GoldenFiles.require(
        "turn-kinds",
        TurnPrompt.of(
            List.of(
                PromptEvents.other(1, InboxEventKind.START, "mira", "Count ships."),
                PromptEvents.broadcast(2, "ada", "Storm at noon."),
                PromptEvents.notice(3, "No reply from ben (to message x): it was terminated"),
                PromptEvents.other(4, InboxEventKind.SERVICE, "weather", "{\"wind\":9}")),
            List.of()));
  }

  @Test
  @Requirement("A12")
  void the_prompt_of_a_retried_turn_lists_executed_calls() {
    var asked =
        new EarlierCall(
            "send_message",
            Json.object().put("recipient", "ben").put("text", "ready?\nquick\u202e"),
            "{\"status\":\"sent\",\"message_id\":\"m1\",\"waiting_for_reply\":true}");
    var lost =
        new EarlierCall("remind_me", Json.object().put("text", "tide").put("in_seconds", 60), null);
    var attempts =
        List.of(
            new EarlierAttempt("the daemon stopped during the turn", List.of(asked)),
            new EarlierAttempt("the provider\nbroke", List.of()),
            new EarlierAttempt("the provider\nbroke", List.of(lost)));

    GoldenFiles.require("turn-retry", TurnPrompt.of(List.of(THREE.getFirst()), attempts));
    GoldenFiles.require("turn-retry-reply", TurnPrompt.of(List.of(THREE.get(1)), attempts));
  }

  @Test
  @Requirement({"S0-13", "S1-10"})
  void an_attempt_without_calls_is_not_mentioned() {
    List<TurnEvent> reply = List.of(PromptEvents.reply(1, "ben", "aye"));

    assertThat(TurnPrompt.of(reply, List.of(new EarlierAttempt("crashed", List.of()))))
        .isEqualTo(TurnPrompt.of(reply, List.of()));
  }

  @Test
  void calls_of_earlier_attempts_are_shortened() {
    var calls =
        IntStream.range(0, 100)
            .mapToObj(i -> new EarlierCall("t" + i, Json.object().put("x", "y".repeat(9_000)), "z"))
            .toList();

    String prompt =
        TurnPrompt.of(List.of(THREE.getFirst()), List.of(new EarlierAttempt("x", calls)));

    assertThat(prompt).contains("(70 earlier calls are omitted)\nt70 {").contains("\nt99 {");
    assertThat(prompt.length()).isLessThan(30_000);
  }

  @Test
  void a_long_text_is_cut_with_a_visible_note() {
    String longText = "ship".repeat(10_000);

    assertThat(TurnPrompt.of(List.of(PromptEvents.message(1, "ada", longText)), List.of()))
        .hasSizeLessThan(TurnPrompt.MAX_LENGTH + 500)
        .endsWith("> (cut: the first 32000 of 40000 characters are shown)");
    assertThat(TurnPrompt.of(List.of(PromptEvents.reply(1, "ada", longText)), List.of()))
        .hasSizeLessThan(TurnPrompt.MAX_LENGTH + 500)
        .startsWith("Reply from ada (to message ")
        .endsWith("\n[cut: the first 32000 of 40000 characters are shown]");
  }

  @Test
  void long_texts_share_the_size_limit_and_short_ones_are_complete() {
    // Each of these takes eight times its length once it is visible.
    String hidden = "\u202e".repeat(20_000);
    var events =
        IntStream.range(0, 50)
            .mapToObj(i -> PromptEvents.message(i, "ada", i % 2 == 0 ? "short " + i : hidden))
            .toList();

    String prompt = TurnPrompt.of(events, List.of());

    assertThat(prompt.length()).isLessThan(TurnPrompt.ROOM + 50 * 300);
    assertThat(PromptReader.read(prompt))
        .hasSize(50)
        .filteredOn(read -> read.text().startsWith("short"))
        .hasSize(25);
  }

  @Test
  void the_prompts_page_shows_the_real_texts() throws IOException {
    assertThat(Files.readString(Path.of("../docs/prompts.md")))
        .contains("```text\n" + GoldenFiles.text("turn-three-events") + "\n```")
        .contains("```text\n" + GoldenFiles.text("turn-question") + "\n```")
        .contains("```text\n" + GoldenFiles.text("turn-reply-subject") + "\n```")
        .contains("```text\n" + GoldenFiles.text("turn-answered") + "\n```")
        .contains(WorkingRules.forTurns(true).strip());
  }
}
