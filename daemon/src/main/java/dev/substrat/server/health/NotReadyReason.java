package dev.substrat.server.health;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;

/// Reason why the daemon cannot work, for everyone who can reach it: the message has no addresses,
/// paths or names. Details are in the daemon's log.
public record NotReadyReason(String code, String message) {
  static final NotReadyReason STOPPING = of(ErrorCode.STOPPING, "the daemon is stopping");

  static final NotReadyReason DATABASE_SLOW =
      of(ErrorCode.DATABASE_UNREACHABLE, "the database did not answer within 2 seconds");

  static final NotReadyReason DISK_LOW =
      of(ErrorCode.DISK_FULL, "the disk of the data directory has less than 50 MB free");

  private static NotReadyReason of(ErrorCode code, String message) {
    return new NotReadyReason(code.name(), message);
  }

  static NotReadyReason of(Fault fault) {
    String message =
        switch (fault.code()) {
          case DATABASE_UNREACHABLE -> "the database does not answer";
          case DATABASE_LOCKED -> "the database is locked";
          case DATABASE_READ_ONLY -> "the database cannot be written to";
          case DATABASE_CORRUPT -> "the database is damaged";
          case DATABASE_CHECKING -> "the database is being checked after an unclean shutdown";
          case DISK_FULL -> "the disk of the database is full";
          case SCHEMA_TOO_NEW -> "the database was migrated by a newer Substrat";
          case STOPPING -> "the daemon is stopping";
          default -> "the database failed unexpectedly";
        };
    return of(fault.code(), message);
  }

  boolean isAboutTheDatabase() {
    return code.startsWith("DATABASE_");
  }
}
