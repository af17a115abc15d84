package dev.substrat.store;

import dev.substrat.platform.json.ContentHash;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Schema migrations: numbered files, only ever added, each run once, all in one transaction.
///
/// A file `NNN_name.sql` is for both databases; `NNN_name.postgres.sql` or `NNN_name.sqlite.sql`
/// beside it adds what only one of them needs.
final class Migrations {
  private static final Log LOG = Log.of(Migrations.class);
  private static final List<String> ALL =
      List.of(
          "001_foundation",
          "002_engine",
          "003_steps",
          "004_team",
          "005_budget",
          "006_replay",
          "007_identity",
          "008_repeats",
          "009_pending_calls",
          "010_client_meta",
          "011_spaces",
          "012_memory",
          "013_search",
          "014_people",
          "015_goals",
          "016_gateway",
          "017_remote_servers",
          "018_attachments",
          "019_minds",
          "020_summary",
          "021_workspaces",
          "022_agent_versions",
          "023_zoo",
          "024_lost_mail",
          "025_gateway_edges",
          "026_permissions",
          "027_session_parent",
          "028_fewer_pages",
          "029_subjects",
          "030_background_calls",
          "031_space_turns",
          "032_zoo_agents",
          "033_loaded_tools",
          "034_space_message_woken",
          "035_passage_index",
          "036_server_paths",
          "037_scans",
          "038_retried_messages",
          "039_roles",
          "040_name_skeletons",
          "041_event_entities",
          "042_narrow_rows",
          "044_activity",
          "045_lists",
          "046_lease_affinity");

  private static final String CREATE_VERSION =
      """
      create table if not exists schema_version (
        version integer primary key,
        name text not null,
        checksum text not null,
        applied_at bigint not null
      )
      """;

  private final Database database;
  private final InstantSource clock;

  Migrations(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  void run() {
    int before = database.transact(this::migrate);
    if (before < ALL.size()) {
      LOG.info("schema migrated", "from", before, "to", ALL.size());
    }
  }

  private int migrate(Tx tx) {
    tx.list(tx.dialect().migrationLock(), _ -> true);
    tx.update(CREATE_VERSION);
    List<AppliedMigration> applied =
        tx.list(
            "select version, name, checksum from schema_version order by version",
            row ->
                new AppliedMigration(
                    row.integer("version"), row.text("name"), row.text("checksum")));
    if (!applied.isEmpty() && applied.getLast().version() > ALL.size()) {
      throw tooNew(applied.getLast().version());
    }
    if (!applied.isEmpty() && applied.size() < ALL.size()) {
      LOG.info("migrating the schema, this may take a while", "from", applied.size());
    }
    for (int version = 1; version <= ALL.size(); version++) {
      if (version <= applied.size()) {
        requireUnchanged(applied.get(version - 1), tx.dialect());
      } else {
        apply(tx, version);
      }
    }
    return applied.size();
  }

  private void apply(Tx tx, int version) {
    String name = ALL.get(version - 1);
    String script = script(name, tx.dialect());
    for (String statement : script.split(";\\s*\\n")) {
      if (!statement.isBlank()) {
        tx.update(statement);
      }
    }
    tx.update(
        "insert into schema_version (version, name, checksum, applied_at) values (?, ?, ?, ?)",
        version,
        name,
        ContentHash.of(script),
        clock.instant());
  }

  private static void requireUnchanged(AppliedMigration applied, Dialect dialect) {
    String name = ALL.get(applied.version() - 1);
    if (!applied.name().equals(name)
        || !applied.checksum().equals(ContentHash.of(script(name, dialect)))) {
      throw ErrorCode.SCHEMA_CHANGED.fault(
          "migration " + applied.name() + " was applied to this database with different content",
          "run the build that created the database, or start with another --data or --db");
    }
  }

  /// Throws a fault if a newer Substrat has migrated the database since this one opened it.
  static boolean requireKnown(Tx tx) {
    long newest = tx.number("select coalesce(max(version), 0) as n from schema_version");
    if (newest > ALL.size()) {
      throw tooNew(newest);
    }
    return true;
  }

  private static Fault tooNew(long newest) {
    return ErrorCode.SCHEMA_TOO_NEW.fault(
        "the database has schema version %d, but this Substrat supports up to %d"
            .formatted(newest, ALL.size()),
        "run the newer Substrat that migrated it; the database was not changed");
  }

  private static String script(String name, Dialect dialect) {
    return resource(name + ".sql").orElse("")
        + "\n"
        + resource(name + dialect.migrationSuffix()).orElse("");
  }

  private static Optional<String> resource(String file) {
    try (var stream = Migrations.class.getResourceAsStream("/migrations/" + file)) {
      return stream == null
          ? Optional.empty()
          : Optional.of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record AppliedMigration(int version, String name, String checksum) {}
}
