package dev.substrat.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Injects typical bugs of such engines: the simulation must find each of them and report it
/// readably.
final class InjectedBugTest {
  /// Far fewer than `./verify` plays.
  private static final long[] SEEDS = LongStream.rangeClosed(1, 150).toArray();

  /// More steps than any of these histories needs to become idle.
  private static final int STEPS = 4_000;

  private static final QuietLog LOG = new QuietLog();

  @BeforeAll
  static void quiet() {
    LOG.silence();
  }

  @AfterAll
  static void loud() {
    LOG.restore();
  }

  static Stream<InjectedBug> bugs() {
    return Stream.of(
        InjectedBug.of(
            "a turn without a lease may write",
            "where id = ? and turn_no = ? and lease_owner = ? and terminated_at is null",
            "where id = ? and (? > 0 or ? = '')"),
        InjectedBug.of(
            "a lease can be taken twice",
            "and (agent.lease_until is null or agent.lease_until <= ",
            "and (1 = 1 or agent.lease_until <= "),
        InjectedBug.of(
            "the end of a turn deletes the whole inbox",
            "delete from inbox_event where id = ? and turn_no = ?",
            "delete from inbox_event where agent_id ="
                + " (select agent_id from inbox_event where id = ? and turn_no = ?)"),
        InjectedBug.of(
            "an idempotency key is not stored",
            "?, 'stored', ?, ?, ?, ?)",
            "case when ? is null then null end, 'stored', ?, ?, ?, ?)"),
        InjectedBug.of(
            "an answered question stays open",
            "delete from pending_reply where message_id = ?",
            "update pending_reply set asked_at = asked_at where message_id = ?"),
        InjectedBug.of(
            "questions never expire", "where deadline <= ?", "where deadline <= ? and 1 = 0"),
        InjectedBug.of(
            "inbox events of a terminated agent stay",
            "delete from inbox_event where agent_id = ?",
            "delete from inbox_event where agent_id = ? and held = 1"),
        InjectedBug.of(
            "a number in a space is skipped",
            "update space set last_seq = last_seq + 1",
            "update space set last_seq = last_seq + 2"),
        InjectedBug.of(
            "a repeated post is posted again",
            "where said.author = ? and said.idempotency_key = ?",
            "where said.author = ? and said.idempotency_key = ? and 1 = 0"),
        InjectedBug.of(
            "a turn gets two subjects",
            "and fresh.turn_no is null and fresh.subject = ?",
            "and fresh.turn_no is null and (fresh.subject = ? or fresh.subject is not null)"),
        InjectedBug.of(
            "the first message back is not the reply",
            "and (message_id = ? or shown_turn = ?)",
            "and (message_id = ? or shown_turn = ?) and 1 = 0"),
        InjectedBug.of(
            "the newest event decides the subject of a turn",
            "order by id\nlimit 1",
            "order by id desc\nlimit 1"),
        InjectedBug.dropping("one commit in a hundred is acknowledged and lost", 100));
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void an_injected_bug_is_found(InjectedBug bug) {
    assertThat(SeedRunner.firstBroken(SEEDS, bug, STEPS)).as(bug.name()).isPresent();
  }

  @Test
  void a_violated_invariant_is_reported_as_a_short_event_log() {
    InjectedBug bug = bugs().findFirst().orElseThrow();
    SimulationResult failed = SeedRunner.firstBroken(SEEDS, bug, STEPS).orElseThrow();

    SimulationResult small = PlanShrinker.shrink(failed, bug);
    String report = ViolationReport.of(failed, small);

    assertThat(small.law()).isEqualTo(failed.law());
    assertThat(small.plan().team().size()).as(report).isLessThanOrEqualTo(3);
    assertThat(small.plan().acts().size()).as(report).isLessThanOrEqualTo(5);
    assertThat(report)
        .contains("begins turn", "⇒ a turn that lost its lease writes nothing", "-Dsubstrat.seed=")
        .satisfies(text -> assertThat(text.lines().count()).as(text).isLessThan(60));
  }
}
