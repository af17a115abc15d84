package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.AgentMessages.MessageRequest;
import dev.substrat.messaging.message.AgentMessages.SendResult;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.provider.ExternalProvider;
import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.toolset.team.AgentSteering;
import dev.substrat.turn.run.Run;
import dev.substrat.turn.scheduling.QueueStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// One subject per turn: the rules of C20 in order.
@OnEveryDatabase
final class SubjectTest {
  /// Passes each question to ben and answers with his reply.
  private static final String LEAD =
      """
      name: lead
      provider:
        name: scripted
        playbook:
          - when: { kind: message }
            do: [ { call: send_message, with: { recipient: ben, text: "{{event.text}}" } } ]
          - when: { kind: reply }
            do: [ { say: "ben says {{event.text}}" } ]
          - when: { kind: notice }
            do: [ { say: "sorry: {{event.text}}" } ]
          - when: { kind: reminder }
            do: [ { say: "later: {{event.text}}" } ]
      """;

  private static final String BEN =
      "{name: ben, parent: lead, provider: {name: scripted, playbook: [{do: [{say: 'aye {{event.text}}'}]}]}}";

  private final Dialect dialect;
  private final TestTeam team;

  SubjectTest(TestDatabase place) {
    this.dialect = place.dialect();
    this.team = new TestTeam(place.dialect(), 4);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement("C20")
  void each_of_many_concurrent_questions_gets_its_own_answer() {
    team.agent(LEAD);
    team.agent(BEN);

    var questions = new ArrayList<Message>();
    for (int i = 0; i < 40; i++) {
      questions.add(team.ask("lead", "question " + i));
    }

    for (int i = 0; i < questions.size(); i++) {
      assertThat(team.answer(questions.get(i))).isEqualTo("ben says aye question " + i);
    }
    assertThat(team.messages.held(10)).isEmpty();
    assertThat(questions)
        .as("the recorded depth is the real one")
        .allSatisfy(question -> assertThat(reply(question).depth()).isEqualTo(3));
  }

  @Test
  @Requirement("C20")
  void a_turn_with_a_subject_contains_only_the_events_of_that_subject() {
    team.agent("{name: lead, provider: {name: scripted, playbook: [{do: [{say: hm}]}]}}");
    gate("lead", true);
    tell("lead", "one");
    var first = team.ask("lead", "first?");
    tell("lead", "two");
    var second = team.ask("lead", "second?");
    gate("lead", false);
    team.answer(first);
    team.answer(second);
    team.await(() -> team.count("turn_ended") == 3);

    assertThat(given("lead"))
        .containsExactly(List.of("one", "two"), List.of("first?"), List.of("second?"));
  }

  @Test
  @Requirement("C20")
  void a_second_question_of_the_same_asker_does_not_get_the_answer_to_a_delegated_first() {
    team.agent(
        """
        name: lead
        provider:
          name: scripted
          playbook:
            - when: { kind: message, text: "^slow" }
              do: [ { call: send_message, with: { recipient: ben, text: "{{event.text}}" } } ]
            - when: { kind: message }
              do: [ { call: send_message, with: { recipient: user, text: "at once", sync: true } } ]
            - when: { kind: reply }
              do: [ { say: "ben says {{event.text}}" } ]
        """);
    team.agent(BEN);
    gate("ben", true);

    var slow = team.ask("lead", "slow");
    team.await(() -> team.count("turn_ended") == 1);
    var quick = team.ask("lead", "quick");

    assertThat(team.answer(quick)).isEqualTo("at once");
    assertThat(team.messages.findReply(slow.id())).isEmpty();
    gate("ben", false);
    assertThat(team.answer(slow)).isEqualTo("ben says aye slow");
  }

  @Test
  @Requirement("C20")
  void check_inbox_shows_events_of_another_subject_and_leaves_them_for_their_turn() {
    team.agent(
        """
        name: lead
        provider:
          name: scripted
          playbook:
            - when: { text: "^first" }
              do:
                - { call: send_message, with: { recipient: ben, text: "wait for the others" } }
                - { call: check_inbox, with: {}, save: mail }
                - { say: "saw {{mail.messages}}" }
            - when: { kind: message, text: "^second" }
              do: [ { say: "second answer" } ]
            - when: { kind: reply }
              do: [ { call: check_inbox, with: {}, save: mail }, { say: "saw {{mail.messages}}" } ]
        """);
    team.agent(BEN);
    gate("ben", true);
    var first = team.ask("lead", "first");
    team.await(() -> team.count("turn_ended") == 1);
    gate("lead", true);
    gate("ben", false);
    team.await(() -> team.count("turn_ended") == 2);
    var second = team.ask("lead", "second");
    tell("lead", "by the way");
    gate("lead", false);

    assertThat(team.answer(first)).contains("second", "by the way", "own_turn");
    assertThat(team.answer(second)).isEqualTo("second answer");
    team.await(this::isAtRest);
    assertThat(given("lead"))
        .containsExactly(
            List.of("first"), List.of("aye wait for the others", "by the way"), List.of("second"));
  }

  @Test
  @Requirement({"C20", "A4"})
  void a_question_read_with_check_inbox_can_be_answered_there_and_needs_no_turn() {
    team.agent(
        """
        name: lead
        provider:
          name: scripted
          playbook:
            - when: { text: "^go" }
              do:
                - { call: check_inbox, with: {} }
                - { call: send_message, with: { recipient: user, text: "both", sync: false } }
                - { call: send_message, with: { recipient: user, text: "the other" } }
                - { say: "on the run" }
        """);
    gate("lead", true);
    var own = team.ask("lead", "go");
    var other = team.ask("lead", "other?");
    gate("lead", false);

    assertThat(team.answer(own)).isEqualTo("both");
    assertThat(team.answer(other)).isEqualTo("the other");
    team.await(this::isAtRest);
    assertThat(given("lead")).as("one turn").hasSize(1);
    assertThat(team.messages.newestToOperator(10)).hasSize(2);
  }

  @Test
  @Requirement({"C20", "A4"})
  void a_message_in_a_turn_about_something_else_answers_nothing() {
    team.agent("{name: boss, provider: {name: external}}");
    team.agent(
        """
        name: lead
        parent: boss
        provider:
          name: scripted
          playbook:
            - when: { kind: message, from: operator, text: "^tell" }
              do: [ { call: send_message, with: { recipient: boss, text: "news", sync: false } } ]
            - when: { kind: message, from: operator }
              do: [ { say: "my answer" } ]
        """);
    gate("lead", true);
    tell("lead", "tell boss");
    var question = team.ask("lead", "what?");
    gate("lead", false);

    assertThat(team.answer(question)).isEqualTo("my answer");
    assertThat(reply(question).text()).isEqualTo("my answer");
  }

  @Test
  @Requirement("C20")
  void the_notice_about_a_failed_child_starts_a_turn_about_the_question() {
    team.agent(LEAD);
    team.agent(
        "{name: ben, parent: lead, provider: {name: scripted, playbook: [{do: [{fail: ill}]}]}}");
    var question = team.ask("lead", "well?");

    for (int attempt = 1; attempt <= 5; attempt++) {
      int ended = attempt + 1;
      team.await(() -> team.count("turn_ended") >= ended);
      team.clock.pass(Duration.ofSeconds(20));
    }

    assertThat(team.answer(question)).startsWith("sorry: No reply from ben").contains("ill");
  }

  @Test
  @Requirement("C20")
  void a_child_past_its_deadline_causes_a_notice_and_its_late_reply_is_forwarded() {
    team.agent(LEAD);
    team.agent(BEN);
    gate("ben", true);
    var early = team.ask("lead", "early?");
    team.await(() -> team.count("turn_ended") == 1);
    team.clock.pass(Duration.ofMinutes(29));
    var late = team.ask("lead", "late?");
    team.await(() -> team.count("turn_ended") == 2);
    team.clock.pass(Duration.ofMinutes(2));
    team.messages.expire();

    // The operator's own question and the one to ben were asked nearly at once.
    team.await(() -> team.status(early) == Message.MessageStatus.EXPIRED);
    team.await(this::isAtRest);
    gate("ben", false);

    assertThat(team.answer(late)).isEqualTo("ben says aye late?");
    team.await(this::isAtRest);
    assertThat(texts(toOperatorAbout(early)))
        .contains(
            "sorry: No reply from ben (to message %s): the deadline for an answer has passed"
                .formatted(askedFor(early)))
        .anySatisfy(text -> assertThat(text).contains("aye early?"));
  }

  @Test
  @Requirement("C20")
  void a_held_message_of_a_child_causes_a_notice() {
    team.agent(
        """
        name: lead
        provider:
          name: scripted
          playbook:
            - when: { kind: message }
              do: [ { call: send_message, with: { recipient: ben, text: "again" } } ]
            - when: { kind: reply }
              do: [ { call: send_message, with: { recipient: ben, text: "again" } } ]
            - when: { kind: notice }
              do:
                - { call: send_message, with: { recipient: ben, text: "again" }, save: sent }
                - { say: "held: {{event.text}} {{sent.waiting_for_reply}}" }
        """);
    team.agent(BEN);

    assertThat(team.answer(team.ask("lead", "go")))
        .startsWith("held: No reply from ben")
        .contains("held until a person releases it")
        .endsWith("false");
    assertThat(team.messages.held(10)).isNotEmpty();
  }

  @Test
  @Requirement("C20")
  void a_reminder_that_was_set_while_answering_reaches_the_asker_as_an_ordinary_message() {
    team.agent(
        """
        name: lead
        provider:
          name: scripted
          playbook:
            - when: { kind: message }
              do:
                - { call: remind_me, with: { text: look, in_seconds: 60 } }
                - { say: "now: nothing" }
            - when: { kind: reminder }
              do: [ { say: "later: a ship" } ]
        """);
    var question = team.ask("lead", "what is there?");
    assertThat(team.answer(question)).isEqualTo("now: nothing");

    team.clock.pass(Duration.ofSeconds(61));
    assertThat(team.engine.sweeps().stream().mapToInt(IntSupplier::getAsInt).sum()).isPositive();
    team.await(() -> toOperatorAbout(question).size() == 2);

    Message later = toOperatorAbout(question).getLast();
    assertThat(later.text()).isEqualTo("later: a ship");
    assertThat(later.kind()).isEqualTo(Message.MessageKind.MESSAGE);
    assertThat(later.sync()).isFalse();
    assertThat(later.inReplyTo()).isEqualTo(question.id());
  }

  @Test
  @Requirement("C20")
  void answers_to_a_broadcast_belong_to_the_question_but_do_not_keep_it_open() {
    team.agent("{name: boss, provider: {name: external}}");
    team.agent(
        """
        name: lead
        parent: boss
        provider:
          name: scripted
          playbook:
            - when: { kind: message }
              do: [ { call: broadcast, with: { text: "who?" } }, { say: "asked all" } ]
            - when: { kind: reply }
              do: [ { say: "{{event.from}} is there" } ]
        """);
    for (String name : List.of("ada", "noor")) {
      team.agent(
          """
          name: %s
          parent: boss
          provider:
            name: scripted
            playbook: [ { do: [ { call: send_message, with: { recipient: lead, text: here } } ] } ]
          """
              .formatted(name));
    }
    var question = team.ask("lead", "who is there?");

    assertThat(team.answer(question)).isEqualTo("asked all");
    team.await(() -> String.join(" ", texts(toOperatorAbout(question))).contains("ada is there"));
    team.await(() -> String.join(" ", texts(toOperatorAbout(question))).contains("noor is there"));
    assertThat(given("lead").getFirst()).containsExactly("who is there?");
  }

  @Test
  @Requirement({"C20", "C2"})
  void messages_of_other_agents_are_delayed_for_at_most_ten_minutes_while_an_agent_waits() {
    team.agent("{name: boss, provider: {name: external}}");
    team.agent(
        """
        name: lead
        parent: boss
        provider:
          name: scripted
          playbook:
            - when: { kind: message, from: operator }
              do: [ { call: send_message, with: { recipient: ben, text: "{{event.text}}" } } ]
            - when: { kind: message }
              do: [ { say: "read {{event.text}}" } ]
        """);
    team.agent("{name: ben, parent: lead, provider: {name: external}}");
    team.ask("lead", "go");
    team.await(() -> team.count("turn_ended") == 1);
    var boss = ToolCaller.external(team.agents.require("boss"), RunId.random());
    team.mail.send(boss, new MessageRequest("lead", "news", false, null), null);

    team.clock.pass(Duration.ofMinutes(9));
    team.events.signal().notifyWaiters();
    assertThat(given("lead")).containsExactly(List.of("go"));
    team.clock.pass(Duration.ofMinutes(2));
    team.await(() -> team.count("turn_ended") == 2);

    assertThat(given("lead")).containsExactly(List.of("go"), List.of("news"));
  }

  @Test
  @Requirement("C20")
  void a_retried_turn_keeps_its_subject_and_its_final_text_stays_on_the_run() {
    team.agent(
        """
        name: lead
        provider:
          name: scripted
          playbook:
            - when: { kind: message, text: "^die" }
              do:
                - { call: send_message, with: { recipient: user, text: "the answer" } }
                - { fail: "once" }
            - do: [ { say: other } ]
        """);
    var question = team.ask("lead", "die");
    assertThat(team.answer(question)).isEqualTo("the answer");
    team.await(() -> team.count("turn_ended") >= 1);
    update(
        """
        name: lead
        provider:
          name: scripted
          playbook:
            - when: { kind: message }
              do:
                - { call: send_message, with: { recipient: user, text: "the answer" } }
                - { say: "for the record" }
        """);
    team.clock.pass(Duration.ofSeconds(5));
    team.await(this::isAtRest);

    assertThat(team.messages.newestToOperator(10))
        .extracting(Message::text)
        .containsExactly("the answer");
    assertThat(team.runs.newest(team.agents.require("lead").id(), 1).getFirst().response())
        .isEqualTo("for the record");
  }

  @Test
  @Requirement("C20")
  void a_question_that_a_failed_turn_gave_back_is_not_handled_again_after_its_answer() {
    team.agent(
        """
        name: lead
        provider:
          name: scripted
          playbook:
            - when: { kind: message }
              do: [ { call: send_message, with: { recipient: ben, text: "well?" } }, { fail: tired } ]
            - when: { kind: reply }
              do: [ { say: "ben says {{event.text}}" } ]
        """);
    team.agent(BEN);
    var question = team.ask("lead", "well?");

    assertThat(team.answer(question)).isEqualTo("ben says aye well?");
    team.clock.pass(Duration.ofMinutes(1));
    team.await(this::isAtRest);
    assertThat(texts(toOperatorAbout(question))).containsExactly("ben says aye well?");
    assertThat(given("lead")).containsExactly(List.of("well?"), List.of("aye well?"));
  }

  @Test
  @Requirement("C20")
  void crossing_questions_are_answered_in_separate_turns() {
    team.agent("{name: boss, provider: {name: external}}");
    for (String[] pair : new String[][] {{"ada", "noor"}, {"noor", "ada"}}) {
      team.agent(
          """
          name: %s
          parent: boss
          provider:
            name: scripted
            playbook:
              - when: { kind: message, from: operator }
                do: [ { call: send_message, with: { recipient: %s, text: "{{event.text}}", sync: true } } ]
              - when: { kind: message }
                do: [ { say: "%s on {{event.text}}" } ]
              - when: { kind: reply }
                do: [ { say: "got {{event.text}}" } ]
          """
              .formatted(pair[0], pair[1], pair[0]));
    }
    var questions = new ArrayList<Message>();
    for (int i = 0; i < 5; i++) {
      questions.add(team.ask("ada", "a" + i));
      questions.add(team.ask("noor", "n" + i));
    }

    for (Message question : questions) {
      String other = question.text().startsWith("a") ? "noor" : "ada";
      assertThat(team.answer(question)).isEqualTo("got " + other + " on " + question.text());
    }
  }

  @Test
  @Requirement("C20")
  void a_person_who_asks_nothing_during_a_turn_joins_its_subject() {
    team.agent(
        """
        name: lead
        provider:
          name: scripted
          playbook:
            - when: { text: "^start" }
              do: [ { call: send_message, with: { recipient: ben, text: go } }, { sleep: 1s } ]
            - when: { kind: reply }
              do: [ { say: "done" } ]
            - when: { text: "^hurry" }
              do: [ { say: "I hurry" } ]
        """);
    team.agent("{name: ben, parent: lead, provider: {name: external}}");
    var question = team.ask("lead", "start");
    team.await(() -> team.count("message_sent") == 2);
    var steering =
        team.messages.fromOperator("lead", new Messages.PersonMessage("hurry", false, null), null);
    team.await(() -> team.count("turn_ended") == 2);

    assertThat(team.runs.newest(team.agents.require("lead").id(), 2))
        .extracting(Run::subject)
        .containsExactly(question.id().value(), question.id().value());
    assertThat(team.messages.findReply(steering.id())).isEmpty();
    assertThat(team.messages.findReply(question.id())).as("ben has not answered").isEmpty();
  }

  @Test
  @Requirement("C20")
  void a_busy_lead_that_always_waits_for_something_serves_every_question() {
    team.agent(LEAD);
    team.agent(
        "{name: ben, parent: lead, provider: {name: scripted, playbook: [{do: [{sleep: 20ms}, {say: 'aye {{event.text}}'}]}]}}");
    var questions = new ArrayList<Message>();
    for (int i = 0; i < 12; i++) {
      questions.add(team.ask("lead", "q" + i));
      if (i % 3 == 0) {
        team.answer(questions.get(i));
      }
    }
    for (int i = 0; i < questions.size(); i++) {
      assertThat(team.answer(questions.get(i))).isEqualTo("ben says aye q" + i);
    }
  }

  @Test
  @Requirement({"C20", "A4"})
  void an_external_agent_answers_the_oldest_question_of_that_sender_it_was_shown() {
    team.agent("{name: boss, provider: {name: external}}");
    team.agent("{name: ben, parent: boss, provider: {name: external}}");
    var boss = ToolCaller.external(team.agents.require("boss"), RunId.random());
    var first = team.mail.send(boss, new MessageRequest("ben", "first?", null, null), null);
    var second = team.mail.send(boss, new MessageRequest("ben", "second?", true, null), null);
    var ben = team.engine.externalRuns().caller(team.agents.require("ben"));
    var call = new ToolCall(ben, 0, MessageId.random().value(), "read");
    team.engine.pipeline().call(call, "check_inbox", Json.object());

    var answers =
        List.of(
            team.mail.send(ben, new MessageRequest("boss", "one", true, null), null),
            team.mail.send(ben, new MessageRequest("boss", "two", false, null), null));

    assertThat(answers).extracting(SendResult::answers).containsExactly(first.id(), second.id());
    assertThat(answers).extracting(SendResult::waiting).containsExactly(false, false);
    assertThat(team.mail.send(ben, new MessageRequest("boss", "three", null, null), null).waiting())
        .as("no question is open any more, so this asks")
        .isTrue();
  }

  @Test
  @Requirement("C20")
  void the_result_of_a_spawned_child_reaches_the_asker_of_the_turn_that_spawned_it() {
    team.agent(
        """
        name: lead
        provider:
          name: scripted
          playbook:
            - when: { kind: message, from: operator }
              do:
                - { call: spawn_agent, with: { name: kid, instructions: count } }
                - { say: "a child counts" }
            - when: { kind: message }
              do: [ { say: "{{event.from}} says {{event.text}}, you asked {{subject.text}}" } ]
            - when: { kind: start }
              do: [ { call: complete, with: { text: "42" } } ]
        """);
    var question = team.ask("lead", "how many?");

    assertThat(team.answer(question)).isEqualTo("a child counts");
    team.await(() -> toOperatorAbout(question).size() == 2);
    assertThat(toOperatorAbout(question).getLast().text())
        .isEqualTo("kid says 42, you asked how many?");
  }

  @Test
  @Requirement("C20")
  void a_spawned_child_that_is_written_to_first_and_completes_later_still_reaches_the_asker() {
    team.agent(
        """
        name: lead
        provider:
          name: scripted
          playbook:
            - when: { kind: message, from: operator }
              do:
                - { call: spawn_agent, with: { name: kid, instructions: count } }
                - { call: send_message, with: { recipient: kid, text: "use your fingers", sync: false } }
                - { say: "a child counts" }
            - when: { kind: message, from: lead }
              do: [ { call: remind_me, with: { text: "done", in_seconds: 60 } } ]
            - when: { kind: reminder }
              do: [ { call: complete, with: { text: "42" } } ]
            - when: { kind: message, from: kid }
              do: [ { say: "{{event.from}} says {{event.text}}, you asked {{subject.text}}" } ]
        """);
    var question = team.ask("lead", "how many?");
    assertThat(team.answer(question)).isEqualTo("a child counts");
    team.await(() -> team.count("turn_ended") == 2);

    team.clock.pass(Duration.ofSeconds(61));
    assertThat(team.engine.sweeps().stream().mapToInt(IntSupplier::getAsInt).sum()).isPositive();
    team.await(() -> toOperatorAbout(question).size() == 2);
    assertThat(toOperatorAbout(question).getLast().text())
        .isEqualTo("kid says 42, you asked how many?");
  }

  @Test
  @Requirement("C20")
  void a_childs_result_belongs_to_the_task_that_its_parent_gave_it_last() {
    team.agent(
        """
        name: lead
        provider:
          name: scripted
          playbook:
            - when: { kind: message, from: operator, text: "^first" }
              do:
                - { call: spawn_agent, with: { name: kid, instructions: wait } }
                - { say: "hired" }
            - when: { kind: message, from: operator }
              do:
                - { call: send_message, with: { recipient: kid, text: "count", sync: false } }
                - { say: "a child counts" }
            - when: { kind: message, from: lead }
              do: [ { call: complete, with: { text: "42" } } ]
            - when: { kind: message, from: kid }
              do: [ { say: "{{event.from}} says {{event.text}}, you asked {{subject.text}}" } ]
        """);
    var first = team.ask("lead", "first");
    assertThat(team.answer(first)).isEqualTo("hired");
    team.await(() -> team.count("turn_ended") == 2);

    var second = team.ask("lead", "how many?");
    assertThat(team.answer(second)).isEqualTo("a child counts");
    team.await(() -> toOperatorAbout(second).size() == 2);
    assertThat(toOperatorAbout(second).getLast().text())
        .isEqualTo("kid says 42, you asked how many?");
    assertThat(toOperatorAbout(first)).hasSize(1);
  }

  @Test
  @Requirement({"C20", "A4"})
  void a_question_that_another_turn_answers_by_its_id_needs_no_turn() {
    team.agent("{name: lead, provider: {name: scripted, playbook: []}}");
    gate("lead", true);
    var own = team.ask("lead", "go");
    var other = team.ask("lead", "other?");
    update(
        """
        name: lead
        provider:
          name: scripted
          playbook:
            - when: { text: "^go" }
              do: [ { call: complete, with: { text: done, in_reply_to: %s } }, { say: went } ]
            - do: [ { say: again } ]
        """
            .formatted(other.id()));
    gate("lead", false);

    assertThat(team.answer(other)).isEqualTo("done");
    assertThat(team.answer(own)).isEqualTo("went");
    team.await(this::isAtRest);
    assertThat(given("lead")).hasSize(1);
    assertThat(toOperatorAbout(other)).hasSize(1);
  }

  @Test
  @Requirement("C20")
  void a_question_read_by_an_external_agent_is_delivered_again_if_the_agent_gets_turns() {
    team.agent("{name: lead, provider: {name: external}}");
    var question = team.ask("lead", "well?");
    ToolCaller lead = team.engine.externalRuns().caller(team.agents.require("lead"));
    for (int i = 0; i < 2; i++) {
      var reply =
          team.engine
              .pipeline()
              .call(
                  new ToolCall(lead, 0, MessageId.random().value(), null),
                  "check_inbox",
                  Json.object());
      assertThat(reply).isNotNull();
    }

    update("{name: lead, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");

    assertThat(team.answer(question)).isEqualTo("aye");
  }

  @Test
  @Requirement("C20")
  void a_held_question_released_during_its_turn_gets_another_turn() throws IOException {
    var reader = new ReadingProvider();
    try (var own = new TestTeam(dialect, 1, List.of(reader, new ExternalProvider()))) {
      own.agent("{name: boss, provider: {name: external}}");
      own.agent("{name: ben, parent: boss, provider: {name: reader}}");
      var deep = new ToolCaller(own.agents.require("boss"), RunId.random(), null, 0, 70, null);
      SendResult held = own.mail.send(deep, new MessageRequest("ben", "held?", true, null), null);
      assertThat(held.heldReason()).isNotNull();
      reader.before = () -> own.messages.release(held.id());

      own.messages.fromOperator("ben", new Messages.PersonMessage("news", false, null), null);

      own.await(() -> own.messages.findReply(held.id()).isPresent());
      assertThat(own.messages.findReply(held.id()).orElseThrow().text()).isEqualTo("read [held?]");
    }
  }

  /// Answers with the events it has read; an action runs before it reads for the first time.
  private static final class ReadingProvider implements Provider {
    private volatile Runnable before = () -> {};

    @Override
    public String name() {
      return "reader";
    }

    @Override
    public ProviderConfig prepare(ProviderConfig settings) {
      return settings;
    }

    @Override
    public TurnOutcome runTurn(ProviderTurn turn) {
      before.run();
      before = () -> {};
      turn.events().forEach(turn::show);
      return new TurnOutcome.TurnFinished(
          "read "
              + turn.events().stream()
                  .map(event -> event.payload().path("text").asText())
                  .toList());
    }
  }

  @Test
  @Requirement("C20")
  void check_inbox_shows_messages_of_the_turns_subject_with_any_number_of_other_questions() {
    team.agent(
        """
        name: lead
        provider:
          name: scripted
          playbook:
            - when: { text: "^first" }
              do: [ { call: check_inbox, with: {}, save: mail }, { say: "saw {{mail.messages}}" } ]
        """);
    gate("lead", true);
    var first = team.ask("lead", "first");
    for (int i = 0; i < 100; i++) {
      team.ask("lead", "another");
    }
    tell("lead", "by the way");
    gate("lead", false);

    assertThat(team.answer(first)).contains("by the way", "another");
  }

  private Message reply(Message question) {
    return team.messages.findReply(question.id()).orElseThrow();
  }

  private List<Message> toOperatorAbout(Message question) {
    return team.messages.newestToOperator(100).stream()
        .filter(message -> question.id().equals(message.inReplyTo()))
        .toList();
  }

  private static List<String> texts(List<Message> messages) {
    return messages.stream().map(Message::text).toList();
  }

  /// The message that the lead sent to ben because of the question.
  private MessageId askedFor(Message question) {
    return team.messages.of(team.agents.require("ben").id(), 50).stream()
        .filter(message -> message.text().equals(question.text()))
        .findFirst()
        .orElseThrow()
        .id();
  }

  /// The texts that each turn of an agent was given, oldest turn first.
  private List<List<String>> given(String agent) {
    return team.runs.newest(team.agents.require(agent).id(), 50).reversed().stream()
        .map(run ->
            team.runs.given(new RunId(run.id())).stream()
                .map(one -> one.payload().path("text").asText())
                .toList())
        .toList();
  }

  private void tell(String agent, String text) {
    team.messages.fromOperator(agent, new Messages.PersonMessage(text, false, null), null);
  }

  private void gate(String agent, boolean gated) {
    new AgentSteering(team.database, team.events, team.messages).gate(agent, gated);
    team.events.signal().notifyWaiters();
  }

  private boolean isAtRest() {
    var view = new QueueStatus(team.database, team.running, team.clock).read();
    return view.atWork() == 0 && view.ready() == 0;
  }

  private void update(String yaml) {
    var config = Json.as(Yaml.own(yaml), AgentConfig.class);
    team.database.transact(
        tx -> team.agents.update(tx, "lead", team.engine.providers().prepare(config)));
  }
}
