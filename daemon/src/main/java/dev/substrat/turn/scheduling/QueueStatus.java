package dev.substrat.turn.scheduling;

import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.pending.CallLeases;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Numbers of running and queued turns, and the next time at which work becomes due: for tests that
/// move the clock and need to know when a team is idle.
///
/// It is read from the database in one snapshot. The end of a turn and its consequences are one
/// transaction, so a busy team never appears idle.
public final class QueueStatus {
  /// Everything that becomes due by time: postponed events, expected replies, reminders, rounds,
  /// plans, expiring calls.
  private static final String NEXT =
      """
      select min(due) as due from (
        select min(not_before) as due from inbox_event where not_before > ? and held = 0
        union all select min(soft_until) from inbox_event join agent on agent.id = agent_id
          where soft_until > ? and held = 0 and inbox_event.turn_no is null
            and agent.provider <> 'external' and exists (
              select 1 from pending_reply where asker = agent.id and pending_reply.kind = 'question'
            )
        union all select min(deadline) from pending_reply
        union all select min(due_at) from reminder
        union all select min(due_at) from space_round
        union all select min(next_at) from plan
        union all select min(expires_at) from pending_call where status in ('pending', 'asking')
      ) upcoming
      """;

  private final Database database;
  private final RunningTurns running;
  private final InstantSource clock;
  private final Leases leases;
  private final String atWork;

  public QueueStatus(Database database, RunningTurns running, InstantSource clock) {
    this.database = database;
    this.running = running;
    this.clock = clock;
    this.leases = new Leases("", DaemonSettings.DEFAULT_LEASE, database.dialect());
    this.atWork = "select id, turn_no from agent where lease_until > " + database.dialect().now();
  }

  /// Number of running turns, of pending calls that daemons execute and of ready agents, and the
  /// time when something else is due.
  public record QueueSnapshot(long atWork, long executed, long ready, @Nullable Instant next) {}

  public QueueSnapshot read() {
    Instant now = clock.instant();
    return database.read(tx -> {
      List<NumberedTurn> turns =
          tx.list(
              atWork, row -> new NumberedTurn(new AgentId(row.text("id")), row.number("turn_no")));
      return new QueueSnapshot(
          turns.size(),
          CallLeases.count(tx),
          leases.ready(tx, now).size(),
          earliest(tx, turns, now).orElse(null));
    });
  }

  private record NumberedTurn(AgentId agent, long number) {}

  /// Only turns with a lease count: a settled turn may still be listed here.
  private Optional<Instant> earliest(Tx tx, List<NumberedTurn> turns, Instant now) {
    Optional<Instant> due =
        tx.list(NEXT, row -> Optional.ofNullable(row.instantOrNull("due")), now, now).getFirst();
    Stream<Optional<Instant>> limits =
        turns.stream().map(turn -> running.limit(turn.agent(), turn.number()));
    return Stream.concat(Stream.of(due), limits)
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }
}
