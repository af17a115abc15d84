package dev.substrat.store;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Translates SQLite result codes to faults.
final class SqliteFaults {
  /// Extended codes keep the primary one in their low byte.
  private static final int PRIMARY = 0xFF;

  private SqliteFaults() {}

  static Fault of(SQLException reason) {
    SQLiteErrorCode code =
        reason instanceof SQLiteException known
            ? known.getResultCode()
            : SQLiteErrorCode.getErrorCode(reason.getErrorCode());
    return of(SQLiteErrorCode.getErrorCode(code.code & PRIMARY), reason);
  }

  private static Fault of(SQLiteErrorCode code, SQLException reason) {
    return switch (code) {
      case SQLITE_FULL ->
          ErrorCode.DISK_FULL.fault(
              "the disk is full; the change was not stored",
              "free disk space and retry; earlier data is safe",
              reason);
      case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM ->
          ErrorCode.DATABASE_READ_ONLY.fault(
              "the database cannot be opened for writing",
              "check the owner and permissions of the data directory and its disk",
              reason);
      case SQLITE_BUSY, SQLITE_LOCKED ->
          ErrorCode.DATABASE_LOCKED.fault(
              "another program has locked the database",
              "close the program that has the database file open (a database browser, a backup) and retry",
              reason);
      case SQLITE_CORRUPT, SQLITE_NOTADB ->
          ErrorCode.DATABASE_CORRUPT.fault(
              "the database file is damaged or not a database",
              "stop the daemon, keep the file, then restore a backup or use another --data directory",
              reason);
      case SQLITE_IOERR ->
          ErrorCode.DATABASE_UNREACHABLE.fault(
              "I/O error while reading or writing the database",
              "check the disk and the system log",
              reason);
      default ->
          ErrorCode.INTERNAL.fault(
              "the database rejected a statement", "see the daemon's log", reason);
    };
  }
}
