package dev.substrat.turn.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.substrat.messaging.message.Message;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.Event;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.turn.replay.RunForks.ForkRequest;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A fork starts with a recorded turn of another agent, without its effects, and then continues on
/// its own.
@OnEveryDatabase
final class ForkTest {
  private static final String LEAD = "- do: [ { say: noted } ]";

  private static final String TELLS_TWICE =
      """
      - do:
          - call: send_message
            with: { recipient: mira, text: "one", sync: false }
            save: sent
          - call: send_message
            with: { recipient: mira, text: "two", sync: false }
          - say: "told {{sent.message_id}}"
      """;

  private final RecordedTeam team;
  private Run run;

  ForkTest(TestDatabase place) {
    this.team = new RecordedTeam(place.dialect());
    team.agent("mira", "", LEAD);
    team.agent("ada", "mira", TELLS_TWICE);
    this.run = team.runOf("ada", "go");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private Agent fork(int fromStep) {
    return team.engine
        .forks()
        .fork(
            new Principal.OperatorPrincipal(),
            run.id(),
            new ForkRequest(fromStep, null, null, null));
  }

  private Agent fork(int fromStep, String playbook) {
    var mind = RecordedTeam.mind(playbook);
    return team.engine
        .forks()
        .fork(
            new Principal.OperatorPrincipal(),
            run.id(),
            new ForkRequest(fromStep, mind, null, null));
  }

  @Test
  @Requirement("N10")
  void calls_before_the_forked_step_are_answered_from_the_record_and_later_ones_are_executed() {
    Agent fork = fork(2);

    Run forked = team.finished(fork.handle(), 0);

    assertThat(forked.status()).isEqualTo("done");
    // The first message was not sent again, and its answer is the recorded one.
    assertThat(team.texts(fork.handle())).containsExactly("two");
    assertThat(forked.response()).isEqualTo(run.response());
    assertThat(team.lines(forked, Transcript.CALL))
        .extracting(line -> line.step(), line -> line.replayed())
        .containsExactly(tuple(1, true), tuple(2, false));
    assertThat(team.lines(forked, Transcript.RETURN))
        .extracting(line -> line.replayed())
        .containsExactly(true, false);
    assertThat(team.replay(forked).equal()).isTrue();
  }

  @Test
  @Requirement("N10")
  void a_fork_from_the_first_step_executes_all_calls_and_one_from_the_last_none() {
    assertThat(team.finished(fork(1).handle(), 0).status()).isEqualTo("done");
    assertThat(team.texts("ada-fork")).containsExactly("one", "two");

    Agent last = fork(3, TELLS_TWICE.replace("told", "have told"));
    assertThat(team.finished(last.handle(), 0).response()).startsWith("have told ");
    assertThat(team.texts(last.handle())).isEmpty();
  }

  @Test
  @Requirement("C20")
  void a_fork_gets_a_notice_for_a_pending_call_of_the_original() {
    team.agent(
        """
        name: noor
        parent: mira
        tools: [ { name: askPerson, description: asks, executionType: external } ]
        provider:
          name: scripted
          playbook:
            - when: { kind: notice }
              do: [ { say: "{{event.text}}" } ]
            - do: [ { call: askPerson, with: {} }, { say: "asked" } ]
        """);
    Run original = team.runOf("noor", "go");

    Agent fork =
        team.engine
            .forks()
            .fork(
                new Principal.OperatorPrincipal(),
                original.id(),
                new ForkRequest(2, null, null, null));

    Run forked = team.finished(fork.handle(), 0);
    assertThat(forked.response()).isEqualTo("asked");
    assertThat(team.finished(fork.handle(), 1).response())
        .startsWith("The pending call ")
        .contains("(askPerson) belongs to noor");
  }

  @Test
  @Requirement("N10")
  void a_fork_is_a_sibling_of_the_original_and_answers_no_question() {
    Agent original = team.engine.agents().require("ada");
    long answers = count("select count(*) as n from message where in_reply_to is not null");

    Agent fork = fork(2);
    team.finished(fork.handle(), 0);

    assertThat(fork.name()).isEqualTo("ada fork");
    assertThat(fork.parent()).isEqualTo(original.parent());
    assertThat(fork(2).name()).isEqualTo("ada fork 2");
    assertThat(origin(fork)).contains(new ForkOrigin(run.id(), 2));
    assertThat(origin(original)).isEmpty();
    assertThat(count("select count(*) as n from message where in_reply_to is not null"))
        .isEqualTo(answers);
    Message asked =
        team.engine
            .messages()
            .require(
                new MessageId(team.given(run).getFirst().payload().path("message_id").asText()));
    assertThat(asked.status()).isEqualTo(Message.MessageStatus.REPLIED);
    assertThat(team.given(team.runs(fork.handle()).getFirst()).getFirst().payload())
        .isEqualTo(team.given(run).getFirst().payload());
    assertThat(team.events.after(0, Event.EventFilter.NONE, 1_000))
        .filteredOn(event -> event.kind().equals("run_forked"))
        .first()
        .satisfies(event -> {
          assertThat(event.payload().path("original").asText()).isEqualTo("ada");
          assertThat(event.payload().path("fromStep").asInt()).isEqualTo(2);
        });
  }

  @Test
  @Requirement("N10")
  void a_provider_that_deviates_before_the_forked_step_fails_once_with_the_position() {
    Agent other = fork(3, "- do: [ { call: broadcast, with: { text: all } } ]");
    assertThat(team.finished(other.handle(), 0))
        .satisfies(failed -> {
          assertThat(failed.status()).isEqualTo("failed");
          assertThat(failed.stopReason())
              .contains("step 1 differs", run.id(), "send_message", "broadcast");
        });
    Agent silent = fork(3, "- do: [ { say: nothing } ]");
    assertThat(team.finished(silent.handle(), 0).stopReason()).contains("ends with \"nothing\"");
    Agent eager = fork(2, TELLS_TWICE.replace("- call: send_message", "- call: check_inbox"));
    assertThat(team.finished(eager.handle(), 0).stopReason()).contains("check_inbox");

    assertThat(team.texts(other.handle())).isEmpty();
    assertThat(count("select count(*) as n from inbox_event where copied = 1")).isZero();
    assertThat(team.runs(other.handle())).hasSize(1);
  }

  @Test
  @Requirement("N10")
  void a_fork_starts_after_a_restart_of_its_daemon_with_the_record() throws Exception {
    team.stop();
    Agent fork = fork(2);
    // A message before its first turn waits: the record does not contain it.
    team.ask(fork.handle(), "are you there?");
    assertThat(team.runs(fork.handle())).isEmpty();

    team.restart();

    assertThat(team.finished(fork.handle(), 0).response()).isEqualTo(run.response());
    assertThat(team.given(team.runs(fork.handle()).getFirst())).hasSize(1);
    assertThat(team.finished(fork.handle(), 1).retryOf()).isNull();
    assertThat(team.lines(team.runs(fork.handle()).getLast(), Transcript.CALL))
        .noneMatch(line -> line.replayed());
  }

  @Test
  @Requirement("N10")
  void a_retried_first_turn_starts_with_the_record_again() {
    Agent fork = fork(2, TELLS_TWICE + "    - fail: 'no wind'\n");
    var runs = new ArrayList<Run>();
    for (int attempt = 0; attempt < 2; attempt++) {
      runs.add(team.finished(fork.handle(), attempt));
      team.clock.pass(Duration.ofSeconds(3));
    }

    assertThat(runs).extracting(Run::attempt).containsExactly(1, 2);
    assertThat(runs)
        .allSatisfy(one ->
            assertThat(team.lines(one, Transcript.CALL))
                .extracting(line -> line.replayed())
                .containsExactly(true, false));
    assertThat(team.texts(fork.handle())).containsExactly("two");
  }

  @Test
  void a_rejected_fork_has_a_reason() {
    assertThatThrownBy(() -> fork(0)).isInstanceOfSatisfying(Fault.class, ForkTest::isBadStep);
    assertThatThrownBy(() -> fork(4)).isInstanceOfSatisfying(Fault.class, ForkTest::isBadStep);
    assertThatThrownBy(() ->
            team.engine
                .forks()
                .fork(
                    new Principal.OperatorPrincipal(),
                    run.id(),
                    new ForkRequest(1, null, null, "Mira's other child".repeat(9))))
        .isInstanceOf(Fault.class);
    assertThatThrownBy(() ->
            team.engine
                .forks()
                .fork(
                    new Principal.OperatorPrincipal(),
                    run.id(),
                    new ForkRequest(1, null, null, "ada")))
        .isInstanceOfSatisfying(
            Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.NAME_TAKEN));
    assertThat(team.engine.agents().require("mira").isAlive()).isTrue();
    assertThat(count("select count(*) as n from agent")).isEqualTo(2);
  }

  private static void isBadStep(Fault fault) {
    assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_ARGUMENTS);
    assertThat(fault.message()).contains("1 to 3");
  }

  private Optional<ForkOrigin> origin(Agent agent) {
    return team.database.read(tx -> ForkOrigin.of(tx, agent.id()));
  }

  private long count(String query) {
    return team.database.read(tx -> tx.number(query));
  }
}
