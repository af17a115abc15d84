package dev.substrat.teamtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Scenarios with several agents, end to end: cycles of questions, broadcasts, loop guards.
final class ScenariosTest {

  @ParameterizedTest
  @EnumSource
  @Requirement({"N2", "N11", "S0-8", "S0-12", "S0-13"})
  void a_cycle_of_questions_is_answered_on_one_slot(DatabaseKind base) {
    try (var team = base.fresh().start()) {
      team.apply(
          """
          agents:
            - name: Mira
              children:
                - name: Ada
                  provider:
                    name: scripted
                    playbook:
                      - when: { from: Noor, kind: message }
                        do: [ { say: "Ada's word" } ]
                      - when: { kind: message }
                        do: [ { call: send_message, with: { recipient: Ben, text: round } } ]
                      - when: { kind: reply }
                        do: [ { say: "Ada heard: {{event.text}}" } ]
                - name: Ben
                  provider:
                    name: scripted
                    playbook:
                      - when: { kind: message }
                        do: [ { call: send_message, with: { recipient: Noor, text: round } } ]
                      - when: { kind: reply }
                        do: [ { say: "Ben heard: {{event.text}}" } ]
                - name: Noor
                  provider:
                    name: scripted
                    playbook:
                      - when: { kind: message }
                        do: [ { call: send_message, with: { recipient: Ada, text: round } } ]
                      - when: { kind: reply }
                        do: [ { say: "Noor heard: {{event.text}}" } ]
          """);
      SentMessage question = team.ask("ada", "start");

      team.runToRest();

      assertThat(team.answer(question)).isEqualTo("Ada heard: Ben heard: Noor heard: Ada's word");
      // Ben got no other message in between: his next event is the reply.
      assertThat(team.turns("ben").get(1).shown())
          .containsExactly(
              new RecordedTurn.ShownEvent(
                  "reply", "Noor", replyForm(team, "ben", "noor") + "Noor heard: Ada's word"));
    }
  }

  @ParameterizedTest
  @EnumSource
  @Requirement({"N2", "N11", "S0-8", "S0-13"})
  void two_agents_that_ask_each_other_at_the_same_time_both_get_answers(DatabaseKind base) {
    try (var team = base.fresh().start()) {
      team.agent("{name: Mira}");
      for (List<String> pair : List.of(List.of("Ada", "Ben"), List.of("Ben", "Ada"))) {
        team.agent(
            """
            name: %1$s
            parent: mira
            provider:
              name: scripted
              playbook:
                - when: { kind: message, from: operator }
                  do: [ { call: send_message, with: { recipient: %2$s, text: "and you?" } } ]
                - when: { kind: message }
                  do: [ { say: "%1$s is well" } ]
                - when: { kind: reply }
                  do: [ { say: "heard: {{event.text}}" } ]
            """
                .formatted(pair.get(0), pair.get(1)));
      }
      SentMessage toAda = team.ask("ada", "go");
      SentMessage toBen = team.ask("ben", "go");

      team.runToRest();

      assertThat(team.answer(toAda)).contains("heard: Ben is well");
      assertThat(team.answer(toBen)).contains("heard: Ada is well");
      assertThat(shownTo(team, "ada"))
          .anyMatch(text -> text.startsWith(replyForm(team, "ada", "ben") + "Ben is well"));
      assertThat(shownTo(team, "ben"))
          .anyMatch(text -> text.startsWith(replyForm(team, "ben", "ada") + "Ada is well"));
    }
  }

  @ParameterizedTest
  @EnumSource
  @Requirement({"N1", "N11"})
  void a_message_that_arrives_during_a_turn_is_shown_in_the_next_turn_only(DatabaseKind base) {
    try (var team = base.fresh().start()) {
      team.agent(
          "{name: Ben, provider: {name: scripted, playbook: [{do: [{sleep: 5s}, {say: aye}]}]}}");
      team.tell("ben", "first");
      team.runToRest();
      assertThat(team.turns("ben")).extracting(RecordedTurn::status).containsExactly("running");

      team.tell("ben", "second");
      team.pass(Duration.ofSeconds(10));

      assertThat(team.turns("ben"))
          .extracting(turn -> turn.shown().stream().map(RecordedTurn.ShownEvent::text).toList())
          .containsExactly(List.of("first"), List.of("second"));
    }
  }

  @ParameterizedTest
  @EnumSource
  @Requirement({"N11", "S0-19", "S0-20", "S0-21"})
  void a_broadcast_starts_parallel_turns_and_each_answer_arrives_separately(DatabaseKind base) {
    try (var team = base.fresh().slots(3).start()) {
      team.agent("{name: Mira}");
      team.agent(
          """
          name: Ada
          parent: mira
          provider:
            name: scripted
            playbook:
              - when: { kind: message }
                do: [ { call: broadcast, with: { text: "who is there?" } } ]
          """);
      for (String name : List.of("Ben", "Noor", "Lars")) {
        team.agent(
            """
            name: %s
            parent: mira
            provider:
              name: scripted
              playbook:
                - do:
                    - sleep: 1s
                    - call: send_message
                      with: { recipient: Ada, text: "I am", sync: false }
            """
                .formatted(name));
      }
      team.tell("ada", "count them");
      team.runToRest();
      assertThat(team.turns().stream().filter(turn -> turn.status().equals("running")))
          .extracting(RecordedTurn::agent)
          .containsExactlyInAnyOrder("ben", "noor", "lars");

      team.pass(Duration.ofSeconds(1));

      assertThat(team.calls("ada").getFirst().result().path("recipient_count").asInt())
          .isEqualTo(3);
      assertThat(team.messages("ada"))
          .filteredOn(message -> message.kind().equals("reply"))
          .extracting(SentMessage::from)
          .containsExactlyInAnyOrder("ben", "noor", "lars");
      assertThat(shownTo(team, "ada")).filteredOn(text -> text.startsWith("Reply from")).hasSize(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Requirement({"N2", "N11"})
  void an_endless_exchange_is_held_and_a_person_can_release_it(DatabaseKind base) {
    try (var team = base.fresh().start()) {
      team.agent("{name: Mira}");
      for (List<String> pair : List.of(List.of("Ada", "Ben"), List.of("Ben", "Ada"))) {
        team.agent(
            """
            name: %s
            parent: mira
            provider:
              name: scripted
              playbook:
                - do:
                    - call: send_message
                      with: { recipient: %s, sync: false, text: "about {{event.message_id}}" }
            """
                .formatted(pair.get(0), pair.get(1)));
      }
      team.tell("ada", "go");

      team.runToRest();

      SentMessage held = team.held().getFirst();
      assertThat(held.reason()).contains("only to each other").contains("Ada → Ben");
      int before = team.turns().size();
      team.release(held);
      team.runToRest();
      assertThat(team.turns()).hasSizeGreaterThan(before);
    }
  }

  /// The first line of a reply, which names the answered question.
  private static String replyForm(TeamTest team, String asker, String answerer) {
    String name = answerer.substring(0, 1).toUpperCase(Locale.ROOT) + answerer.substring(1);
    return "Reply from %s (to message %s):\n".formatted(name, question(team, asker, answerer).id());
  }

  private static SentMessage question(TeamTest team, String from, String to) {
    return team.messages(from).stream()
        .filter(message -> message.from().equals(from) && message.to().equals(to))
        .filter(SentMessage::isQuestion)
        .findFirst()
        .orElseThrow();
  }

  private static List<String> shownTo(TeamTest team, String agent) {
    return team.turns(agent).stream()
        .flatMap(turn -> turn.shown().stream())
        .map(RecordedTurn.ShownEvent::text)
        .toList();
  }
}
