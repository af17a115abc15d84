package dev.substrat.access.credential;

import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Deletes credentials of ended turns, and those that expired more than a day ago, so that a recent
/// rejection can still be explained. Revoked credentials are kept, because revoking was a person's
/// decision.
public final class CredentialPurge {
  private static final Duration KEPT = Duration.ofDays(1);

  private static final String OF_ENDED_TURNS =
      """
      from credential
      where run_id is not null
        and not exists (
          select 1 from run where run.id = credential.run_id and run.status = 'running'
        )
      """;

  private static final String EXPIRED = "from credential where expires_at < ?";

  private final Database database;
  private final InstantSource clock;

  public CredentialPurge(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// Number of deleted credentials.
  public int sweep() {
    Instant longAgo = clock.instant().minus(KEPT);
    // The check needs no commit, and usually there is nothing to delete.
    return database.read(tx -> isNeeded(tx, longAgo))
        ? database.transact(
            tx -> tx.update("delete " + OF_ENDED_TURNS) + tx.update("delete " + EXPIRED, longAgo))
        : 0;
  }

  private static boolean isNeeded(Tx tx, Instant longAgo) {
    return tx.find("select 1 " + OF_ENDED_TURNS + " limit 1", _ -> true).isPresent()
        || tx.find("select 1 " + EXPIRED + " limit 1", _ -> true, longAgo).isPresent();
  }
}
