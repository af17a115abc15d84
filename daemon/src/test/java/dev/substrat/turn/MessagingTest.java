package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What counts as an answer, and which events wake an agent.
@OnEveryDatabase
final class MessagingTest {
  private final TestTeam team;

  MessagingTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"S0-8", "S1-8", "N2"})
  void a_cycle_of_questions_is_answered_on_one_slot() {
    String fromBen = "- { when: { from: ben, kind: message }, do: [ { say: mira's word } ] }\n";
    agent(
        "mira",
        null,
        fromBen + asks("ada", "message", "round") + says("reply", "mira got {{event.text}}"));
    agent("ada", "mira", asks("ben", "message", "round") + says("reply", "ada got {{event.text}}"));
    // Ben asks mira a counter-question while mira waits for ada: a question wakes even a waiting
    // agent.
    agent(
        "ben", "mira", asks("mira", "message", "circle") + says("reply", "ben got {{event.text}}"));
    var question = team.ask("mira", "round");

    assertThat(team.answer(question)).isEqualTo("mira got ada got ben got mira's word");
  }

  @Test
  @Requirement("N2")
  void two_agents_that_ask_each_other_concurrently_both_get_answers() {
    agent("mira", null, says("message", "ok"));
    for (String[] pair : new String[][] {{"ada", "ben"}, {"ben", "ada"}}) {
      team.agent(
          """
          name: %s
          parent: mira
          provider:
            name: scripted
            playbook:
              - when: { kind: message, from: operator }
                do: [ { call: send_message, with: { recipient: %s, text: "from %s" } } ]
              - when: { kind: message }
                do: [ { say: "answer of %s" } ]
              - when: { kind: reply }
                do: [ { say: "heard {{event.text}}" } ]
          """
              .formatted(pair[0], pair[1], pair[0], pair[0]));
    }

    var toAda = team.ask("ada", "go");
    var toBen = team.ask("ben", "go");

    assertThat(team.answer(toAda)).contains("heard answer of ben");
    assertThat(team.answer(toBen)).contains("heard answer of ada");
  }

  @Test
  @Requirement({"S0-19", "S0-20", "S0-21", "S1-15"})
  void a_broadcast_reaches_all_siblings_and_each_answer_arrives_separately() {
    agent("mira", null, "");
    team.agent(
        """
        name: ada
        parent: mira
        provider:
          name: scripted
          playbook:
            - when: { kind: message }
              do:
                - { call: broadcast, with: { text: "who is there?" }, save: sent }
                - { say: "asked {{sent.recipient_count}} in {{sent.message_id}}" }
        """);
    for (String name : List.of("ben", "noor", "lars")) {
      String answers =
          """
          - when: { kind: broadcast }
            do: [ { call: send_message, with: { recipient: ada, sync: false, text: "%s" } } ]
          """
              .formatted(name);
      agent(name, "mira", answers);
    }

    String answer = team.answer(team.ask("ada", "go"));
    team.await(() -> team.count("turn_ended") >= 5);

    assertThat(answer).startsWith("asked 3 in ");
    var broadcast = new MessageId(answer.substring("asked 3 in ".length()));
    assertThat(team.messages.of(team.agents.require("ada").id(), 20))
        .filteredOn(message ->
            broadcast.equals(message.broadcast()) && message.kind() == Message.MessageKind.REPLY)
        .extracting(Message::text)
        .containsExactlyInAnyOrder("ben", "noor", "lars");
  }

  @Test
  void an_answer_that_comes_during_the_askers_turn_still_belongs_to_the_question()
      throws IOException {
    // Two slots: ben answers during mira's turn.
    try (var two = new TestTeam(team.database.dialect(), 2)) {
      two.agent(
          """
          name: mira
          provider:
            name: scripted
            playbook:
              - when: { kind: message }
                do: [ { call: send_message, with: { recipient: ben, text: go } }, { sleep: 500ms } ]
              - when: { kind: reply }
                do: [ { say: "ben says {{event.text}}" } ]
          """);
      two.agent(
          "{name: ben, parent: mira, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");

      assertThat(two.answer(two.ask("mira", "ready?"))).isEqualTo("ben says aye");
    }
  }

  @Test
  @Requirement({"N2", "S0-14"})
  void a_question_that_was_handed_on_is_answered_although_the_asker_got_another_answer_meanwhile()
      throws IOException {
    // Two slots: mira answers something else during ben's turn.
    try (var two = new TestTeam(team.database.dialect(), 2)) {
      two.agent(
          """
          name: mira
          provider:
            name: scripted
            playbook:
              - when: { kind: message, text: "^hand on" }
                do: [ { call: send_message, with: { recipient: ben, text: "{{event.text}}" } } ]
              - when: { kind: message }
                do: [ { say: "at once" } ]
              - when: { kind: reply }
                do: [ { say: "ben says {{event.text}}" } ]
          """);
      two.agent(
          "{name: ben, parent: mira, provider: {name: scripted, playbook: [{do: [{sleep: 1s}, {say: aye}]}]}}");

      var handedOn = two.ask("mira", "hand on");
      two.await(() -> two.count("turn_ended") == 1);
      assertThat(two.answer(two.ask("mira", "yourself"))).isEqualTo("at once");

      assertThat(two.answer(handedOn)).isEqualTo("ben says aye");
    }
  }

  @Test
  @Requirement("A4")
  void a_person_answers_an_agents_question_with_any_value_of_sync() {
    team.agent(
        """
        name: mira
        provider:
          name: scripted
          playbook:
            - when: { kind: message }
              do: [ { call: send_message, with: { recipient: USER, text: "where to?", sync: true } } ]
            - when: { kind: reply }
              do: [ { call: send_message, with: { recipient: USER, text: "to {{event.text}}", sync: false } } ]
        """);
    for (boolean sync : List.of(true, false)) {
      team.messages.fromOperator("mira", new Messages.PersonMessage("go", false, null), null);
      team.await(() ->
          team.messages.newestToOperator(1).stream()
              .anyMatch(message -> message.text().equals("where to?")));

      Message answer =
          team.messages.fromOperator(
              "mira", new Messages.PersonMessage("Bergen " + sync, sync, null), null);

      assertThat(answer.kind()).isEqualTo(Message.MessageKind.REPLY);
      assertThat(answer.sync()).isFalse();
      team.await(
          () -> team.messages.newestToOperator(1).getFirst().text().equals("to Bergen " + sync));
    }
  }

  @Test
  @Requirement("A4")
  void the_first_message_back_is_the_reply_with_and_without_sync() {
    for (String sync : List.of("", ", sync: true", ", sync: false")) {
      String name = "mira" + sync.length();
      agent(
          name,
          null,
          """
          - when: { kind: message }
            do:
              - { call: send_message, with: { recipient: USER, text: "42"%s }, save: sent }
              - { call: send_message, with: { recipient: USER, text: "ok thanks", sync: false } }
              - { say: "{{sent.waiting_for_reply}} {{sent.answers}}" }
          """
              .formatted(sync));
      var question = team.ask(name, "how much?");

      assertThat(team.answer(question)).isEqualTo("42");
      team.await(() -> team.count("turn_ended") > 0 && run(name).response() != null);
      assertThat(run(name).response()).isEqualTo("false " + question.id());
    }
  }

  private Run run(String agent) {
    return team.runs.newest(team.agents.require(agent).id(), 1).getFirst();
  }

  @Test
  void a_retried_turn_sends_once_and_its_message_is_not_the_answer() throws IOException {
    try (var two = new TestTeam(team.database.dialect(), 2)) {
      two.agent(
          """
          name: mira
          provider:
            name: scripted
            playbook:
              - when: { kind: message }
                do:
                  - { call: send_message, with: { recipient: ben, text: "help me" } }
                  - { say: "asked ben" }
                  - { fail: "died" }
          """);
      two.agent(
          "{name: ben, parent: mira, provider: {name: scripted, playbook: [{do: [{hang: true}]}]}}");
      var question = two.ask("mira", "go");

      for (int attempt = 1; attempt <= 3; attempt++) {
        int soFar = attempt;
        two.await(() -> two.count("turn_ended") >= soFar);
        two.clock.pass(Duration.ofSeconds(9));
      }

      assertThat(two.messages.findReply(question.id())).isEmpty();
      assertThat(two.messages.of(two.agents.require("ben").id(), 50)).hasSize(1);
      two.running.interrupt(two.agents.require("ben").id(), "the test is over");
    }
  }

  private void agent(String name, @Nullable String parent, String rules) {
    team.agent(
        "name: %s\n%sprovider:\n  name: scripted\n  playbook:\n%s"
            .formatted(
                name,
                parent == null ? "" : "parent: " + parent + "\n",
                rules.isEmpty() ? "    []\n" : rules.indent(4)));
  }

  private static String asks(String recipient, String kind, String text) {
    return """
    - when: { kind: %s }
      do: [ { call: send_message, with: { recipient: %s, text: "%s" } } ]
    """
        .formatted(kind, recipient, text);
  }

  private static String says(String kind, String text) {
    return """
    - when: { kind: %s }
      do: [ { say: "%s" } ]
    """
        .formatted(kind, text);
  }
}
