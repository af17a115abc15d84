package dev.substrat.bench.console;

import dev.substrat.access.person.People;
import dev.substrat.bench.BenchmarkFigure;
import dev.substrat.bench.BenchmarkReport;
import dev.substrat.bench.console.Browser.PageLoadTimes;
import dev.substrat.bench.console.PageClient.TransferSize;
import dev.substrat.bench.mcp.ServerProcess;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceMessages.PostRequest;
import dev.substrat.space.Spaces;
import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import dev.substrat.turn.TurnSleep;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Benchmark of console pages: a space with 100 messages and one with 100,000, the size of a page,
/// and the time to interactive.
public final class ConsoleBench {
  private static final int FEW = 100;
  private static final int MANY = 100_000;
  private static final int ASKED_PER_ROUND = 40;
  private static final int WARM_UPS = 4;
  private static final int FIRST_VISITS = 9;
  private static final double MAX_RATIO = 1.2;
  private static final long MAX_BYTES = 300_000;
  private static final double MAX_MILLIS = 1_000;
  private static final Path OURS = Path.of("target", "bench");

  private final int rounds;

  public ConsoleBench(int rounds) {
    this.rounds = rounds;
  }

  /// A page to ask for again and again.
  private record PageRequest(BenchmarkFigure figure, String path, String mustContain) {
    static PageRequest of(String name, String path, String mustContain) {
      return new PageRequest(new BenchmarkFigure(name), path, mustContain);
    }
  }

  public BenchmarkReport run() throws Exception {
    Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "bench-");
    Path data = folder.resolve("data");
    System.err.printf(Locale.ROOT, "console: posting %,d messages%n", FEW + MANY);
    SpaceFiller.fill(data, List.of(FEW, MANY));
    String[] arguments = {"--port", "0", "--log", "warn", "--data", data.toString()};
    try (var daemon = ServerProcess.java(OURS, "dev.substrat.server.DaemonMain", arguments);
        var visitor = new PageClient(daemon.at("/"), data)) {
      BenchmarkReport report = opened(visitor);
      report.noting(weight("first page of agents", visitor.weigh("/agents")));
      report.noting(weight("a space of 100,000", visitor.weigh(space(MANY))));
      for (String line : inBrowser(daemon.at("/"), visitor, folder.resolve("browser"))) {
        report.noting(line);
      }
      return report;
    }
  }

  private static String space(int size) {
    return "/spaces/" + SpaceFiller.name(size);
  }

  private static String has(int seq) {
    return "data-seq=\"" + seq + "\"";
  }

  private BenchmarkReport opened(PageClient visitor) throws IOException, InterruptedException {
    PageRequest few = PageRequest.of("open a space with 100 messages", space(FEW), has(FEW));
    PageRequest many = PageRequest.of("open a space with 100,000 messages", space(MANY), has(MANY));
    PageRequest start =
        PageRequest.of(
            "page before the middle of 100 messages", space(FEW) + "?before=51", has(50));
    PageRequest middle =
        PageRequest.of(
            "page before the middle of 100,000 messages",
            space(MANY) + "?before=" + MANY / 2,
            has(MANY / 2 - 1));
    List<PageRequest> all = List.of(few, many, start, middle);
    for (int round = 1 - WARM_UPS; round <= rounds; round++) {
      System.err.printf("console: round %d of %d%n", round, rounds);
      measure(visitor, all, round > 0);
    }
    return new BenchmarkReport(
            "console", "µs p50", few.figure(), all.stream().map(PageRequest::figure).toList())
        .noting(growth("opening a space of 100,000 messages", many, few))
        .noting(growth("a page from the middle of 100,000", middle, start));
  }

  /// One after another, so that a temporary slowdown of the machine affects all of them.
  private static void measure(PageClient visitor, List<PageRequest> all, boolean counts)
      throws IOException, InterruptedException {
    var nanos = new long[all.size()][ASKED_PER_ROUND];
    for (int i = 0; i < ASKED_PER_ROUND; i++) {
      for (int which = 0; which < all.size(); which++) {
        PageRequest one = all.get(which);
        nanos[which][i] = visitor.nanos(one.path(), one.mustContain());
      }
    }
    for (int which = 0; counts && which < all.size(); which++) {
      Arrays.sort(nanos[which]);
      all.get(which).figure().add(nanos[which][ASKED_PER_ROUND / 2] / 1e3);
    }
  }

  private static String growth(String what, PageRequest many, PageRequest few) {
    double ratio = many.figure().ratioTo(few.figure());
    return String.format(
        Locale.ROOT,
        "%s: %.2fx of one of 100 (bar: at most %.1fx%s)",
        what,
        ratio,
        MAX_RATIO,
        ratio <= MAX_RATIO ? "" : ", MISSED");
  }

  private static String weight(String page, TransferSize weight) {
    return String.format(
        Locale.ROOT,
        "weight uncached, %s: %.1f KB on the wire, %.1f KB unpacked, %d files (bar: at most %d KB"
            + " unpacked%s)",
        page,
        weight.wire() / 1e3,
        weight.unpacked() / 1e3,
        weight.files(),
        MAX_BYTES / 1000,
        weight.unpacked() <= MAX_BYTES ? "" : ", MISSED");
  }

  private static List<String> inBrowser(URI daemon, PageClient visitor, Path folder)
      throws IOException, InterruptedException {
    Optional<Browser> found = Browser.find(folder);
    if (found.isEmpty()) {
      return List.of("until a page can be used: skipped, because chromium is not installed");
    }
    try (var browser = found.get()) {
      browser.open(visitor.link());
      var lines = new ArrayList<String>();
      lines.add(usable("first page of agents", browser, daemon.resolve("/agents")));
      lines.add(usable("a space of 100,000", browser, daemon.resolve(space(MANY))));
      return lines;
    }
  }

  private static String usable(String page, Browser browser, URI address)
      throws InterruptedException {
    var paint = new BenchmarkFigure("paint");
    var ready = new BenchmarkFigure("ready");
    for (int visit = 0; visit < FIRST_VISITS; visit++) {
      PageLoadTimes times = browser.timeUncached(address);
      paint.add(times.paint());
      ready.add(times.ready());
    }
    double usable = Math.max(paint.median(), ready.median());
    return String.format(
        Locale.ROOT,
        "in Chromium, uncached, %s: first painted after %.0f ms, scripts done after %.0f ms (bar:"
            + " usable within %.0f ms%s)",
        page,
        paint.median(),
        ready.median(),
        MAX_MILLIS,
        usable <= MAX_MILLIS ? "" : ", MISSED");
  }

  /// Fills spaces with messages before the daemon starts, through the engine: each message is
  /// stored with its event, as by a daemon.
  private static final class SpaceFiller {
    /// As many as wait for one commit together.
    private static final int AT_ONCE = 64;

    private static final List<String> WORDS =
        List.of(
            "The *crane* at pier %d is free again, who wants it?",
            "Forty crates for pier %d are lashed down and counted twice; the papers are with @ben.",
            "Pier %d: done.",
            "I cannot read the stamp on letter %d, so it stays here until somebody has called the"
                + " office. They open at nine, and it is not urgent.",
            "`manifest-%d.csv` has what is aboard. Tell me if a line is wrong.");

    private final Spaces spaces;
    private final List<Principal> people = new ArrayList<>();

    private SpaceFiller(Engine engine, EventLog events, Database database, InstantSource clock) {
      this.spaces = engine.spaces();
      var known = new People(database, events, engine.credentials(), clock);
      for (String name : List.of("ana", "ben", "cleo")) {
        known.create(name, null);
        people.add(new Principal.PersonPrincipal(name));
      }
    }

    /// Fills the data directory of a daemon that is yet to start: one space for each of `sizes`,
    /// named `room-SIZE`.
    static void fill(Path data, List<Integer> sizes)
        throws IOException, InterruptedException, ExecutionException {
      Files.createDirectories(data);
      InstantSource clock = InstantSource.system();
      try (var database = Database.embedded(data.resolve("substrat.db"), clock);
          var events = new EventLog(database, clock)) {
        var engine =
            new Engine(
                new EngineDependencies(
                    database, events, Telemetry.withoutExport(), clock, TurnSleep.REAL));
        var rooms = new SpaceFiller(engine, events, database, clock);
        for (int size : sizes) {
          rooms.make(size);
        }
      }
    }

    static String name(int size) {
      return "room-" + size;
    }

    private void make(int size) throws InterruptedException, ExecutionException {
      var request =
          new Spaces.SpaceDefinition(
              name(size),
              "Room of " + size,
              Space.SpaceKind.PUBLIC,
              "Everything about the harbor",
              Space.WakePolicy.NONE,
              null,
              people.stream().map(Principal::key).toList());
      spaces.create(new Principal.OperatorPrincipal(), request);
      try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
        var said = new ArrayList<Future<?>>();
        for (int i = 0; i < size; i++) {
          int number = i;
          said.add(threads.submit(() -> say(size, number)));
        }
        // A rejected message fails: otherwise a space would have fewer messages than its name says.
        for (Future<?> one : said) {
          one.get();
        }
      }
    }

    private void say(int size, int number) {
      String text = WORDS.get(number % WORDS.size()).formatted(number);
      Principal author = people.get(number / 2 % people.size());
      spaces.messages().post(author, new PostRequest(name(size), text), null);
    }
  }
}
