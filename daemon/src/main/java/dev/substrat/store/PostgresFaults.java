package dev.substrat.store;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Translates PostgreSQL SQLSTATEs to faults.
final class PostgresFaults {
  /// The last is a duplicate key. Work reads before it writes, so a concurrent transaction was
  /// faster; the retry sees that and reports it in its own words.
  private static final Set<String> LOST_RACES = Set.of("40001", "40P01", "23505");

  private PostgresFaults() {}

  /// True if the transaction lost a race and may simply run again.
  static boolean isLostRace(SQLException reason) {
    return reason.getSQLState() != null && LOST_RACES.contains(reason.getSQLState());
  }

  static Fault of(SQLException reason) {
    @Nullable String state = reason.getSQLState();
    if (state == null || isGone(state)) {
      return ErrorCode.DATABASE_UNREACHABLE.fault(
          "PostgreSQL does not respond: " + firstLine(reason),
          "check that the server is running and that --db is its address",
          reason);
    }
    if (state.startsWith("28") || state.equals("3D000")) {
      return ErrorCode.DATABASE_UNREACHABLE.fault(
          "PostgreSQL rejected the connection: " + firstLine(reason),
          "check the user, password and database name in --db",
          reason);
    }
    return notSetUpForUs(state, reason);
  }

  /// The connection, the server or its disk went away, or the server ended a transaction that stood
  /// still.
  private static boolean isGone(String state) {
    return state.startsWith("08")
        || state.startsWith("57P")
        || state.startsWith("58")
        || state.equals("25P03");
  }

  private static Fault notSetUpForUs(String state, SQLException reason) {
    return switch (state) {
      case "53300" ->
          ErrorCode.DATABASE_UNREACHABLE.fault(
              "PostgreSQL has no free connections",
              "increase max_connections, or close other connections",
              reason);
      case "25006" ->
          ErrorCode.DATABASE_READ_ONLY.fault(
              "PostgreSQL is read-only (a standby?)", "point --db at the primary server", reason);
      case "42501" ->
          ErrorCode.DATABASE_READ_ONLY.fault(
              "the PostgreSQL user lacks a privilege: " + firstLine(reason),
              "make the user in --db the owner of the database",
              reason);
      case "42P07" ->
          ErrorCode.DATABASE_FOREIGN.fault(
              "the database has tables of another program: " + firstLine(reason),
              "create a separate database for Substrat and set it in --db",
              reason);
      default -> inTrouble(state, reason);
    };
  }

  private static Fault inTrouble(String state, SQLException reason) {
    return switch (state) {
      case "53100" ->
          ErrorCode.DISK_FULL.fault(
              "the database's disk is full; the change was not stored",
              "free disk space on the database server and retry; earlier data is safe",
              reason);
      case "XX001", "XX002" ->
          ErrorCode.DATABASE_CORRUPT.fault(
              "PostgreSQL reports damaged files: " + firstLine(reason),
              "stop the daemons and restore a backup",
              reason);
      case "40001", "40P01" ->
          ErrorCode.DATABASE_LOCKED.fault(
              "the transaction failed repeatedly because of concurrent changes", "retry", reason);
      case "55P03", "57014" ->
          ErrorCode.DATABASE_LOCKED.fault(
              "a statement waited too long for a lock",
              "check pg_stat_activity for long transactions",
              reason);
      default ->
          ErrorCode.INTERNAL.fault(
              "the database rejected a statement", "see the daemon's log", reason);
    };
  }

  private static String firstLine(SQLException reason) {
    return String.valueOf(reason.getMessage()).lines().findFirst().orElse("no reason given");
  }
}
