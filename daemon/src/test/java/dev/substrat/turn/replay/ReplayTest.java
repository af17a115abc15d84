package dev.substrat.turn.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.turn.replay.RunReplays.ReplayReport;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A replayed turn gives the same calls, or the first difference is reported.
@OnEveryDatabase
final class ReplayTest {
  private static final String ASKS_TWICE =
      """
      - when: { kind: message }
        do:
          - call: send_message
            with: { recipient: ada, text: "first {{event.text}}", sync: false }
            save: first
          - call: send_message
            with: { recipient: ada, text: "after {{first.message_id}}", sync: false }
          - say: "sent {{first.status}}"
      """;

  private final RecordedTeam team;

  ReplayTest(TestDatabase place) {
    this.team = new RecordedTeam(place.dialect());
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private Run askTwice() {
    team.agent("mira", "", ASKS_TWICE);
    team.agent("{name: ada, parent: mira}");
    Run run = team.runOf("mira", "go");
    team.finished("ada", 0);
    return run;
  }

  @Test
  @Requirement("N10")
  void a_replay_equals_the_record_and_changes_nothing() throws Exception {
    Run run = askTwice();
    team.stop();
    var before = team.size();

    ReplayReport report = team.replay(run);

    assertThat(report).isEqualTo(new ReplayReport(run.id(), "mira", true, true, 3, 2, null, null));
    assertThat(team.size()).isEqualTo(before);
  }

  @Test
  @Requirement("N10")
  void a_changed_record_is_reported_at_its_exact_position() {
    Run run = askTwice();
    team.database.transact(tx ->
        tx.update(
            """
            update run_message set tool_input = replace(tool_input, 'after', 'before')
            where run_id = ? and type = 'tool_call_message'
            """,
            run.id()));

    Divergence divergence = team.replay(run).divergence();

    assertThat(divergence).isNotNull();
    assertThat(divergence.step()).isEqualTo(2);
    assertThat(divergence.differences())
        .singleElement()
        .satisfies(difference -> {
          assertThat(difference.pointer()).isEqualTo("/text");
          assertThat(String.valueOf(difference.recorded())).contains("before");
          assertThat(String.valueOf(difference.now())).contains("after");
        });
  }

  @Test
  @Requirement("N10")
  void a_call_that_differs_after_another_answer_is_reported() {
    Run run = askTwice();
    team.database.transact(tx ->
        tx.update(
            """
            update run_message set content = '{"message_id":"m-1","status":"lost"}'
            where run_id = ? and type = 'tool_call_message'
            """,
            run.id()));

    Divergence divergence = team.replay(run).divergence();

    assertThat(divergence).isNotNull();
    assertThat(divergence.now().at("/arguments/text").asText()).isEqualTo("after m-1");
  }

  @Test
  @Requirement("N10")
  void a_replay_with_another_provider_reports_the_first_difference() {
    Run run = askTwice();
    var sent = team.texts("mira");

    assertThat(with(run, "- do: [ { call: broadcast, with: { text: all } } ]"))
        .satisfies(divergence -> {
          assertThat(divergence.step()).isEqualTo(1);
          assertThat(divergence.recorded().path("call").asText()).isEqualTo("send_message");
          assertThat(divergence.now())
              .isEqualTo(Json.own("{\"call\":\"broadcast\",\"arguments\":{\"text\":\"all\"}}"));
        });
    // Fewer calls, more calls, another final text.
    assertThat(with(run, "- do: [ { say: nothing } ]").now())
        .isEqualTo(Json.own("{\"done\":\"nothing\"}"));
    assertThat(with(run, more("- call: check_inbox")))
        .satisfies(divergence -> {
          assertThat(divergence.step()).isEqualTo(3);
          assertThat(divergence.recorded()).isEqualTo(Json.own("{\"done\":\"sent sent\"}"));
          assertThat(divergence.now().path("call").asText()).isEqualTo("check_inbox");
        });
    assertThat(with(run, more("- say: bye")).now())
        .isEqualTo(Json.own("{\"done\":\"sent sent\\nbye\"}"));
    assertThat(with(run, more("- fail: tired")).now())
        .isEqualTo(Json.own("{\"failed\":\"tired\"}"));
    assertThat(with(run, more("- hang: true")).now()).isEqualTo(Json.own("{\"endless\":true}"));
    assertThat(team.texts("mira")).isEqualTo(sent);
  }

  private static String more(String step) {
    return ASKS_TWICE + "    " + step + "\n";
  }

  private Divergence with(Run run, String playbook) {
    var other = new ProviderOverride(RecordedTeam.mind(playbook), null);
    Divergence divergence =
        team.replays.replay(new Principal.OperatorPrincipal(), run.id(), other).divergence();
    assertThat(divergence).isNotNull();
    return divergence;
  }

  @Test
  @Requirement("N10")
  void a_changed_agent_replays_with_its_recorded_configuration() {
    Run run = askTwice();
    team.database.transact(
        tx -> tx.update("update agent set config = '{\"name\":\"mira\"}' where handle = 'mira'"));

    assertThat(team.replay(run).equal()).isTrue();

    team.engine.agents().terminate("mira");
    assertThat(team.replay(run).equal()).isTrue();
  }

  @Test
  @Requirement("N10")
  void failures_crashes_and_retries_replay_like_their_record() {
    team.agent("mira", "", "- do: [ { call: check_inbox }, { fail: 'no wind' } ]");
    team.agent("ben", "", "- do: [ { sleep: 5m }, { crash: true } ]");
    for (int attempt = 0; attempt < 5; attempt++) {
      Run failed = attempt == 0 ? team.runOf("mira", "go") : team.finished("mira", attempt);
      assertThat(failed.attempt()).isEqualTo(attempt + 1);
      assertThat(team.replay(failed)).satisfies(ReplayTest::isWhollyEqual);
      team.clock.pass(Duration.ofSeconds(9));
    }

    assertThat(team.replay(team.runOf("ben", "go"))).satisfies(ReplayTest::isWhollyEqual);
  }

  private static void isWhollyEqual(ReplayReport report) {
    assertThat(report.equal()).as(String.valueOf(report)).isTrue();
    assertThat(report.complete()).isTrue();
  }

  /// A cancelled turn is compared up to its cancellation.
  @Test
  @Requirement("N10")
  void a_hanging_turn_replays_without_waiting() {
    team.agent("mira", "", "- do: [ { call: check_inbox }, { hang: true } ]");
    team.ask("mira", "go");
    team.await(() -> !team.runs("mira").isEmpty() && hasReturned(team.runs("mira").getFirst()));
    Run running = team.runs("mira").getFirst();

    assertThatThrownBy(() -> team.replay(running))
        .isInstanceOfSatisfying(
            Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.CONFLICT));
    team.clock.pass(Duration.ofMinutes(11));
    team.engine.running().interruptOverdue();
    Run over = team.finished("mira", 0);

    assertThat(team.replay(over))
        .satisfies(report -> {
          assertThat(report.equal()).isTrue();
          assertThat(report.complete()).isFalse();
          assertThat(report.stopReason()).isEqualTo("the turn took too long");
        });
  }

  private boolean hasReturned(Run run) {
    return team.lines(run).size() == 2;
  }

  @Test
  void calls_of_one_step_may_have_any_order() {
    var one = new ProviderAction.ToolCallAction("a", Json.object());
    var two = new ProviderAction.ToolCallAction("b", Json.object());
    var later = new ProviderAction.ToolCallAction("c", Json.object());
    var calls =
        new RecordedCallAnswers(
            List.of(
                new RecordedCallAnswers.AnsweredCall(1, one, null),
                new RecordedCallAnswers.AnsweredCall(1, two, null),
                new RecordedCallAnswers.AnsweredCall(2, later, null)));

    assertThat(calls.take(later)).isEmpty();
    assertThat(calls.take(two)).isPresent();
    assertThat(calls.take(two)).isEmpty();
    assertThat(calls.take(one)).isPresent();
    assertThat(calls.take(later)).isPresent();
    assertThat(calls.next()).isEmpty();
  }

  @Test
  void a_call_over_the_limit_is_rejected_in_a_replay_too() {
    team.agent(
        """
        name: mira
        limits: { maxCallsPerTurn: 1 }
        provider:
          name: scripted
          playbook:
            - do: [ { call: check_inbox }, { call: check_inbox, save: last }, { say: "{{last.code}}" } ]
        """);

    Run run = team.runOf("mira", "go");

    assertThat(run.response()).isEqualTo("LIMIT_REACHED");
    assertThat(team.replay(run).equal()).isTrue();
  }

  @Test
  void a_rejected_replay_has_a_reason() {
    assertThatThrownBy(() ->
            team.replays.replay(
                new Principal.OperatorPrincipal(), "nowhere", new ProviderOverride(null, null)))
        .isInstanceOfSatisfying(
            Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.RUN_NOT_FOUND));
    var editor = team.agent("{name: editor, provider: {name: external}}");
    String open = team.engine.externalRuns().caller(editor).run().value();
    assertThatThrownBy(() ->
            team.replays.replay(
                new Principal.OperatorPrincipal(), open, new ProviderOverride(null, null)))
        .isInstanceOfSatisfying(
            Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.NOT_REPLAYABLE));
  }
}
