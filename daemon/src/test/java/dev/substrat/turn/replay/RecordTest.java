package dev.substrat.turn.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.substrat.platform.identity.RunId;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.transcript.RunSteps;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Every input of a turn is recorded once.
@OnEveryDatabase
final class RecordTest {
  private final RecordedTeam team;

  RecordTest(TestDatabase place) {
    this.team = new RecordedTeam(place.dialect());
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement("N10")
  void the_input_of_a_turn_is_recorded_including_events_during_the_turn() {
    team.agent(
        "mira",
        "",
        """
        - when: { text: ^go }
          do:
            - sleep: 1s
            - call: send_message
              with: { recipient: ada, text: hello, sync: false }
            - call: check_inbox
            - say: "done"
        """);
    team.agent("{name: ada, parent: mira}");
    team.meanwhile = () -> team.tell("mira", "wait, look here first");

    Run run = team.runOf("mira", "go");

    assertThat(team.given(run))
        .extracting(given -> given.payload().path("text").asText(), given -> given.step())
        .containsExactly(tuple("go", 0), tuple("wait, look here first", 2));
    assertThat(team.given(run)).allSatisfy(given -> assertThat(given.shownAt()).isNotNull());
    var returns = team.lines(run, Transcript.RETURN);
    assertThat(returns).hasSize(2);
    // Text attached to the result is part of it.
    assertThat(returns.getFirst().beside()).isNotNull();
    assertThat(returns.getFirst().beside().at("/inbox/unread").asInt()).isEqualTo(1);
    assertThat(returns.getFirst().beside().at("/inbox/urgent/0/text").asText())
        .isEqualTo("wait, look here first");
    assertThat(returns.getLast().content()).contains("wait, look here first");
  }

  @Test
  @Requirement("N10")
  void each_call_and_each_result_has_one_row_even_after_a_retry() {
    team.agent(
        "mira",
        "",
        """
        - do:
            - call: send_message
              with: { recipient: ada, text: "note", sync: false }
            - call: fly
            - fail: "no wind"
        """);
    team.agent("{name: ada, parent: mira}");
    team.ask("mira", "go");
    for (int attempt = 0; attempt < 5; attempt++) {
      team.finished("mira", attempt);
      team.clock.pass(Duration.ofSeconds(9));
    }

    var runs = team.runs("mira");
    assertThat(runs).extracting(Run::attempt).containsExactly(1, 2, 3, 4, 5);
    for (int i = 1; i < runs.size(); i++) {
      assertThat(runs.get(i).retryOf()).isEqualTo(runs.get(i - 1).id());
    }
    assertThat(runs.getFirst().retryOf()).isNull();
    for (Run run : runs) {
      var calls = team.lines(run, Transcript.CALL);
      assertThat(calls).extracting(line -> line.toolName()).containsExactly("send_message", "fly");
      assertThat(team.lines(run, Transcript.RETURN))
          .extracting(line -> line.toolCallId())
          .isEqualTo(calls.stream().map(line -> line.toolCallId()).toList());
      assertThat(team.given(run)).hasSize(1);
    }
    // Recorded five times, sent once.
    assertThat(team.texts("mira")).containsExactly("note");
  }

  @Test
  @Requirement("N10")
  void a_rejected_call_is_recorded_with_its_result() {
    team.agent(
        """
        name: mira
        limits: { messagesPerMinute: 1 }
        provider:
          name: scripted
          playbook:
            - do:
                - { call: send_message, with: { recipient: ada, text: one, sync: false } }
                - { call: send_message, with: { recipient: ada, text: two, sync: false }, save: refusal }
                - say: "{{refusal.code}}"
        """);
    team.agent("{name: ada, parent: mira}");

    Run run = team.runOf("mira", "go");

    assertThat(run.response()).isEqualTo("RATE_LIMITED");
    assertThat(team.lines(run, Transcript.CALL)).hasSize(2);
    assertThat(team.lines(run, Transcript.RETURN).getLast().content()).contains("RATE_LIMITED");
    assertThat(team.replay(run).equal()).isTrue();
  }

  @Test
  @Requirement("N10")
  void a_configuration_is_recorded_once_for_any_number_of_turns() {
    team.agent("mira", "", "- do: [ { say: aye } ]");
    Run first = team.runOf("mira", "one");
    Run second = team.runOf("mira", "two");

    long kept = team.database.read(tx -> tx.number("select count(*) as n from run_config"));

    assertThat(kept).isEqualTo(1);
    assertThat(team.engine.runs().config(new RunId(first.id())))
        .isEqualTo(team.engine.runs().config(new RunId(second.id())))
        .contains(team.engine.agents().require("mira").config());
  }

  @Test
  @Requirement("N10")
  void each_step_is_recorded_with_its_calls() {
    team.agent("mira", "", "- do: [ { call: check_inbox }, { call: fly }, { say: aye } ]");

    Run run = team.runOf("mira", "go");

    assertThat(team.engine.steps().of(new RunId(run.id())))
        .extracting(RunSteps.RunStep::step, RunSteps.RunStep::calls)
        .containsExactly(tuple(1, 1L), tuple(2, 1L), tuple(3, 0L));
    assertThat(team.lines(run).stream().collect(Collectors.groupingBy(line -> line.step())))
        .containsOnlyKeys(1, 2, 3);
  }
}
