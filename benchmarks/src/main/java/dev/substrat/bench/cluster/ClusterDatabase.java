package dev.substrat.bench.cluster;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// A PostgreSQL with durable commits, which counts statements and lock waits.
final class ClusterDatabase implements AutoCloseable {
  private final EmbeddedPostgres server;
  private final long postmaster;
  private int databases;

  ClusterDatabase() throws IOException {
    Path data = Files.createTempDirectory("substrat-bench-postgres-");
    this.server =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(true)
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("max_connections", "200")
            .setServerConfig("shared_buffers", "256MB")
            .setServerConfig("shared_preload_libraries", "pg_stat_statements")
            .start();
    this.postmaster =
        Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
  }

  /// The address of a new, empty database.
  String fresh() throws SQLException {
    String name = "bench_" + ++databases;
    try (var connection = connect("postgres");
        var statement = connection.createStatement()) {
      statement.execute("create database " + name);
    }
    try (var connection = connect(name);
        var statement = connection.createStatement()) {
      statement.execute("create extension pg_stat_statements");
    }
    return url(name);
  }

  private String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/" + database + "?user=postgres";
  }

  private Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(url(database));
  }

  /// Processor time of the server and all its processes.
  Duration cpu() {
    return ProcessCpu.withChildren(postmaster);
  }

  /// Observes one database. Its own statements contain the word `bench` and are not counted.
  static final class Observer implements AutoCloseable {
    private final Connection connection;

    Observer(String url) throws SQLException {
      this.connection = DriverManager.getConnection(url);
    }

    long turns() throws SQLException {
      return number("select count(*) as bench from run where status <> 'running'");
    }

    /// Events that wait for a turn or are in one.
    long waiting() throws SQLException {
      return number("select count(*) as bench from inbox_event");
    }

    /// Statements that the daemons have waited for. `begin` is sent with the statement after it.
    long roundTrips() throws SQLException {
      return number(
          """
          select coalesce(sum(calls), 0) as bench from pg_stat_statements
          where query not like '%bench%' and query not ilike 'begin%'
            and dbid = (select oid from pg_database where datname = current_database())
          """);
    }

    void reset() throws SQLException {
      number("select count(*) as bench from (select pg_stat_statements_reset()) reset");
    }

    /// Number of connections that wait for a lock now, by the start of their statement.
    Map<String, Integer> lockWaits() throws SQLException {
      var waits = new HashMap<String, Integer>();
      try (var statement = connection.createStatement();
          var rows =
              statement.executeQuery(
                  """
                  select left(regexp_replace(query, '\\s+', ' ', 'g'), 50) as statement,
                    count(*) as bench
                  from pg_stat_activity
                  where wait_event_type = 'Lock' and datname = current_database()
                  group by 1
                  """)) {
        while (rows.next()) {
          waits.put(rows.getString(1), rows.getInt(2));
        }
      }
      return waits;
    }

    /// The statements with the most time in the server.
    String slowest(int limit, double turns) throws SQLException {
      var text = new StringBuilder();
      try (var statement = connection.createStatement();
          var rows =
              statement.executeQuery(
                  """
                  select calls, total_exec_time,
                    left(regexp_replace(query, '\\s+', ' ', 'g'), 130) as bench
                  from pg_stat_statements where query not like '%bench%'
                  order by total_exec_time desc limit
                  """
                      + limit)) {
        while (rows.next()) {
          text.append(
              "%7.2f calls %8.3f ms per turn  %s%n"
                  .formatted(
                      rows.getLong(1) / turns, rows.getDouble(2) / turns, rows.getString(3)));
        }
      }
      return text.toString();
    }

    private long number(String query) throws SQLException {
      try (var statement = connection.createStatement();
          var rows = statement.executeQuery(query)) {
        rows.next();
        return rows.getLong(1);
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
