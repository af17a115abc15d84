package dev.substrat.store;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Remembers whether the last write failed because of the database or its disk.
///
/// An idle daemon writes nothing, so a failure would be remembered for ever: [#problems] tries a
/// write of its own if the last one failed.
///
/// Safe for many threads.
final class WriteHealth {
  private static final Set<ErrorCode> OUTAGES =
      EnumSet.of(
          ErrorCode.DISK_FULL,
          ErrorCode.DATABASE_READ_ONLY,
          ErrorCode.DATABASE_CORRUPT,
          ErrorCode.DATABASE_UNREACHABLE,
          ErrorCode.DATABASE_LOCKED);

  /// Needs new pages, as real work does: a small update could succeed on a full disk.
  private static final String ROW = "x".repeat(64_000);

  private volatile @Nullable Fault failure;

  /// Runs `work` with `transact` and remembers how it ended.
  <T> T watch(Database.TransactionBody<T> work, Function<Database.TransactionBody<T>, T> transact) {
    try {
      if (failure == null) {
        return transact.apply(work);
      }
      // A transaction that changes nothing succeeds on a full disk.
      var hasWritten = new AtomicBoolean();
      T result =
          transact.apply(tx -> {
            T done = work.in(tx);
            hasWritten.set(tx.mayHaveChanged());
            return done;
          });
      if (hasWritten.get()) {
        failure = null;
      }
      return result;
    } catch (Fault fault) {
      failed(fault);
      throw fault;
    }
  }

  void failed(Throwable reason) {
    if (reason instanceof Fault fault && OUTAGES.contains(fault.code())) {
      failure = fault;
    }
  }

  /// Reasons why `database` cannot be read or written now, or does not fit this program.
  List<Fault> problems(Database database) {
    var problems = new ArrayList<Fault>();
    try {
      database.read(Migrations::requireKnown);
      if (failure != null) {
        database.transact(WriteHealth::tryToWrite);
      }
    } catch (Fault fault) {
      problems.add(fault);
    }
    return problems;
  }

  /// Inserts and deletes a row, so that the commit changes pages but no data.
  private static boolean tryToWrite(Tx tx) {
    tx.update(
        "insert into schema_version (version, name, checksum, applied_at) values (-1, ?, '', 0)",
        ROW);
    tx.update("delete from schema_version where version = -1");
    return true;
  }
}
