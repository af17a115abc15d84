package dev.substrat.tool.pending;

import dev.substrat.platform.json.Json;
import dev.substrat.store.Dialect;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Leases of pending calls: which daemon executes which call, and until when the lease is valid.
///
/// Like leases of turns: compared on the database's clock, renewed by the daemon that executes the
/// call, taken over by another one after expiry. The number of the attempt fences its result.
public final class CallLeases {
  private CallLeases() {}

  /// A daemon, by the name under which it holds leases, and how long one of its leases lasts.
  public record LeaseHolder(String name, Duration term) {}

  /// A call whose daemon may be dead.
  public record ExpiredLease(
      PendingCall call,
      int attempt,
      boolean isRepeatable,
      @Nullable String callId,
      @Nullable String key) {}

  /// Makes `daemon` the executor of the call, for the first time.
  public static void begin(
      Tx tx, String id, LeaseHolder daemon, boolean isRepeatable, @Nullable String key) {
    tx.update(
        sql(
            tx,
            """
            update pending_call set executor = ?, executor_until = NOW + ?, attempt = 1,
              repeatable = ?, idempotency_key = ?
            where id = ?
            """),
        daemon.name(),
        daemon.term().toMillis(),
        isRepeatable,
        key,
        id);
  }

  public static void renew(Tx tx, LeaseHolder daemon) {
    tx.update(
        sql(
            tx,
            """
            update pending_call set executor_until = NOW + ?
            where executor = ? and status = 'pending'
            """),
        daemon.term().toMillis(),
        daemon.name());
  }

  /// Calls that `daemon` executes, also from before a crash, and calls with expired leases of other
  /// daemons.
  public static List<ExpiredLease> findUnattended(Tx tx, LeaseHolder daemon) {
    return tx.list(
        sql(
            tx,
            PendingCallTable.COLUMNS
                + """
                 where executor is not null and status = 'pending'
                  and (executor = ? or executor_until <= NOW)
                order by id
                """),
        row ->
            new ExpiredLease(
                PendingCallTable.call(row),
                row.integer("attempt"),
                row.flag("repeatable"),
                row.textOrNull("call_id"),
                row.textOrNull("idempotency_key")),
        daemon.name());
  }

  /// Makes `daemon` the executor of the call; false if the call has ended, or another daemon was
  /// faster.
  public static boolean takeOver(Tx tx, ExpiredLease seen, LeaseHolder daemon) {
    return tx.update(
            sql(
                tx,
                """
                update pending_call set executor = ?, executor_until = NOW + ?, attempt = attempt + 1
                where id = ? and attempt = ? and status = 'pending'
                """),
            daemon.name(),
            daemon.term().toMillis(),
            seen.call().id(),
            seen.attempt())
        == 1;
  }

  /// Current attempts of the open ones of these calls, by id.
  public static Map<String, Integer> open(Tx tx, Collection<String> ids) {
    return tx
        .list(
            in(
                tx,
                "select id, attempt from pending_call where status in ('pending', 'asking') and"),
            row -> Map.entry(row.text("id"), row.integer("attempt")),
            Json.text(ids))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /// Those of these calls whose turn was cancelled.
  public static List<PendingCall> ofCancelledRuns(Tx tx, Collection<String> ids) {
    return tx.list(
        in(
            tx,
            PendingCallTable.COLUMNS
                + """
                 where executor is not null and status = 'pending'
                  and exists (
                    select 1 from run where run.id = pending_call.run_id and run.status = 'cancelled')
                  and
                """),
        PendingCallTable::call,
        Json.text(ids));
  }

  /// True if the call is open and `attempt` is the execution that counts, which stays so until the
  /// transaction is over.
  public static boolean isCurrent(Tx tx, String id, int attempt) {
    return tx.update(
            """
            update pending_call set status = status
            where id = ? and attempt = ? and status in ('pending', 'asking')
            """,
            id,
            attempt)
        == 1;
  }

  /// True if a daemon executes the tool call `callId` of `owner` as a pending call.
  public static boolean isExecuted(Tx tx, String owner, String callId) {
    return tx.number(
            """
            select count(*) as n from pending_call
            where call_id = ? and owner = ? and executor is not null and status = 'pending'
            """,
            callId,
            owner)
        > 0;
  }

  /// A call that a daemon executes, and its start.
  public record CallExecution(String callId, String tool, Instant since) {}

  /// The calls of `owner` that daemons execute, oldest first.
  public static List<CallExecution> of(Tx tx, String owner) {
    return of(tx, List.of(owner)).getOrDefault(owner, List.of());
  }

  /// Calls that daemons execute for any of these agents, by its id; agents without any are missing.
  /// Neither the comparison nor an order lets SQLite prefer an index with all calls ever made.
  public static Map<String, List<CallExecution>> of(Tx tx, List<String> owners) {
    return tx
        .list(
            """
            select owner, id, tool, created_at from pending_call
            where executor is not null and status = 'pending'
              and owner || '' in (select value from MEMBERS)
            """
                .replace("MEMBERS", tx.dialect().members()),
            row ->
                Map.entry(
                    row.text("owner"),
                    new CallExecution(row.text("id"), row.text("tool"), row.instant("created_at"))),
            Json.text(owners))
        .stream()
        .sorted(Comparator.comparing(one -> one.getValue().callId()))
        .collect(
            Collectors.groupingBy(
                Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
  }

  /// Number of calls that daemons execute.
  public static long count(Tx tx) {
    return tx.number(
        "select count(*) as n from pending_call where executor is not null and status = 'pending'");
  }

  private static String sql(Tx tx, String text) {
    Dialect dialect = tx.dialect();
    return text.replace("NOW", dialect.now());
  }

  private static String in(Tx tx, String text) {
    return text + " id in (select value from " + tx.dialect().members() + ")";
  }
}
