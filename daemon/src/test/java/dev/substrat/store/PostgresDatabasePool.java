package dev.substrat.store;

import dev.substrat.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/// Pool of used PostgreSQL databases, emptied for the next test: creating one takes ten times as
/// long. A database with a changed schema is not reused.
final class PostgresDatabasePool {
  /// Rows from before the test are restored from here.
  private static final String REMEMBER =
      """
      do $$
      declare t record; has_rows boolean;
      begin
        create schema pristine;
        for t in select tablename as name from pg_tables where schemaname = 'public' loop
          execute format('select exists (select 1 from public.%I)', t.name) into has_rows;
          if has_rows then
            execute format('create table pristine.%I as table public.%I', t.name, t.name);
          end if;
        end loop;
      end $$
      """;

  private static final String ALONE =
      """
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
      """;

  private static final String EMPTY =
      """
      do $$
      declare t record;
      begin
        set local session_replication_role = replica;
        for t in select tablename as name from pg_tables where schemaname = 'public' loop
          execute format('delete from public.%I', t.name);
        end loop;
        for t in select tablename as name from pg_tables where schemaname = 'pristine' loop
          execute format('insert into public.%I table pristine.%I', t.name, t.name);
        end loop;
        for t in select sequencename as name from pg_sequences
            where schemaname = 'public' and last_value is not null loop
          execute format('alter sequence public.%I restart', t.name);
        end loop;
      end $$
      """;

  private static final String SHAPE =
      """
      select md5(string_agg(part, ';' order by part collate "C")) from (
        select concat_ws(' ', c.relname, a.attname, a.atttypid, a.attcollation, a.attnotnull) part
        from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and a.attnum > 0
        union all
        select concat_ws(' ', conname, pg_get_constraintdef(oid)) from pg_constraint
        where connamespace = 'public'::regnamespace
        union all
        select concat_ws(' ', tgrelid::regclass, tgname) from pg_trigger where not tgisinternal
      ) parts
      """;

  /// Deleted rows slow a database down until it is vacuumed, which takes longer than a new one.
  private static final int MOST_TESTS = 50;

  private static final Deque<String> SPARE = new ArrayDeque<>();
  private static final Map<String, Integer> TESTS = new HashMap<>();

  private PostgresDatabasePool() {}

  /// Marks the database as a template for copies and resets.
  static void prepare(String url) {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute(REMEMBER);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static synchronized String take() {
    while (!SPARE.isEmpty()) {
      String url = SPARE.pop();
      if (isEmptied(url)) {
        return url;
      }
    }
    return TestPostgres.copyOf(TemplateDatabases.url());
  }

  static synchronized void giveBack(String url) {
    if (TESTS.merge(url, 1, Integer::sum) < MOST_TESTS) {
      SPARE.push(url);
    }
  }

  private static boolean isEmptied(String url) {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute(ALONE);
      if (!shape(connection).equals(Shape.OF_ALL)) {
        return false;
      }
      statement.execute(EMPTY);
      return true;
    } catch (SQLException e) {
      // A test has done worse to it than can be seen here.
      return false;
    }
  }

  private static String shape(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(SHAPE)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static final class Shape {
    static final String OF_ALL = read();

    private static String read() {
      String copy = TestPostgres.copyOf(TemplateDatabases.url());
      try (var connection = DriverManager.getConnection(copy)) {
        return shape(connection);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
