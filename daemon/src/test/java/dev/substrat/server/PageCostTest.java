package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.store.Database;
import dev.substrat.store.MeteredReads;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.LargeHistory;
import dev.substrat.testkit.LargeHistory.Size;
import dev.substrat.testkit.PageTargets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// No console page and no list of the API does more work because there is more history.
@Timeout(300)
final class PageCostTest {
  private static final Size SMALL = new Size(300, 12_000, 1_100, 3_000, 25_000, 1_100);
  private static final Size LARGE = new Size(300, 60_000, 6_000, 15_000, 125_000, 6_000);

  private static final double MOST_TIMES_SMALL = 1.5;

  /// Steps of SQLite that take well under a millisecond.
  private static final long NEGLIGIBLE = 4_000;

  private static final int REPEATED = 5;

  /// A daemon with a history, and what SQLite does for it.
  private record Place(Daemon daemon, MeteredReads database, TestClient client, String cookie)
      implements AutoCloseable {
    static Place with(Size size, Path data) throws Exception {
      Files.createDirectories(data);
      Path file = data.resolve("substrat.db");
      Database.embedded(file, InstantSource.system()).close();
      try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
        LargeHistory.fill(connection, size, InstantSource.system().instant());
      }
      var metered = new AtomicReference<MeteredReads>();
      Daemon daemon =
          Daemon.start(
              new DaemonSettings("127.0.0.1", 0, data, null, 4, "warn", Set.of()),
              Map.of(),
              Daemon.DaemonClock.REAL,
              real -> {
                metered.set(new MeteredReads(real, file));
                return metered.get();
              });
      Database database = metered.get();
      Await.until(() ->
          database.<Boolean>read(
              tx -> tx.number("select last_seq as n from activity_progress") >= size.events()));
      var client =
          new TestClient(daemon.url(), Files.readString(data.resolve("operator.token")).strip());
      String link =
          client.post("/api/login-links", "").text("url").substring(daemon.url().length());
      String cookie = client.get(link).header("Set-Cookie").split(";", 2)[0];
      return new Place(daemon, metered.get(), client, cookie);
    }

    List<String> targets() {
      List<String> routes =
          daemon.routes().stream()
              .filter(route -> route.method().equals("GET"))
              .map(HttpRoute::path)
              .distinct()
              .toList();
      return PageTargets.of(routes, path -> client.get(path).body().toString());
    }

    TestClient.Answer get(String path) {
      return path.startsWith("/api")
          ? client.get(path)
          : client.get(
              path, "Cookie", cookie, "Accept", "text/html", "Sec-Fetch-Site", "same-origin");
    }

    /// The least of several, because the daemon's own threads read, too.
    long steps(String path) {
      get(path);
      long least = Long.MAX_VALUE;
      for (int i = 0; i < REPEATED; i++) {
        long before = database.steps();
        get(path);
        least = Math.min(least, database.steps() - before);
      }
      return least;
    }

    @Override
    public void close() {
      client.close();
      daemon.close();
    }
  }

  @Test
  void no_page_and_no_list_does_more_work_because_of_more_history(@TempDir Path folder)
      throws Exception {
    try (var small = Place.with(SMALL, folder.resolve("small"));
        var large = Place.with(LARGE, folder.resolve("large"))) {
      List<String> few = small.targets();
      List<String> many = large.targets();
      var report = new ArrayList<String>();
      var slow = new ArrayList<String>();
      for (int i = 0; i < few.size(); i++) {
        TestClient.Answer answer = large.get(many.get(i));
        if (answer.status() != 200) {
          report.add("%-60s %d".formatted(few.get(i), answer.status()));
          continue;
        }
        long before = small.steps(few.get(i));
        long after = large.steps(many.get(i));
        String row =
            String.format(
                Locale.ROOT,
                "%-60s %9d %9d %8.2fx",
                few.get(i),
                before,
                after,
                (double) after / Math.max(1, before));
        report.add(row);
        if (after > MOST_TIMES_SMALL * before + NEGLIGIBLE) {
          large.database().costliest();
          large.get(many.get(i));
          slow.add(row + "  " + large.database().costliest());
        }
      }
      if (Boolean.getBoolean("pages.report")) {
        report.forEach(System.out::println);
      }
      assertThat(slow).as("path, steps with a fifth of the history, steps").isEmpty();
    }
  }
}
