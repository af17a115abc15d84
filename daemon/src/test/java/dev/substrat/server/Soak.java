package dev.substrat.server;

import dev.substrat.store.Database;
import dev.substrat.store.SmallDisk;
import dev.substrat.testkit.PrivatePostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/// A long run of daemons on one database, with load and accidents.
///
/// While an accident lasts, and shortly after it, requests may fail; at all other times a failed
/// request is a finding. One daemon is spared from kills for a long time, so that its growth can be
/// seen: on PostgreSQL the first one, on SQLite the one that runs in the second half.
final class Soak implements Callable<Boolean>, AutoCloseable {
  private static final Duration REST = Duration.ofMinutes(5);

  /// How long requests may still fail after an accident.
  private static final Duration RECOVERY = Duration.ofSeconds(15);

  private static final int DISK_MEGABYTES = 768;
  private static final int MOST_FINDINGS = 20;
  private static final int SIGTERM_EXIT = 143;
  private static final List<String> PAGES =
      List.of("/", "/agents", "/messages", "/runs", "/team", "/health", "/spaces");

  private final String name;
  private final Duration length;
  private final Random random;
  private final List<Path> directories;
  private final Path temporary;
  private final Place place;
  private final TeamLoad load;
  private final DatabaseAuditor auditor;
  private final AtomicReferenceArray<@Nullable RunningDaemon> daemons;
  private final CountDownLatch over = new CountDownLatch(1);

  /// Held while an accident lasts.
  private final ReentrantLock calm = new ReentrantLock();

  private volatile Instant disturbedUntil = Instant.MIN;
  private final Queue<String> findings = new ConcurrentLinkedQueue<>();
  private final Map<Accident, Integer> accidents = new TreeMap<>();
  private final List<ProcessSize> sizes = new ArrayList<>();
  private final Map<String, String> figures = new LinkedHashMap<>();
  private int waves;
  private int tolerated;
  private int pages;

  private enum Accident {
    KILL("daemon killed and restarted"),
    PAUSE("daemon stopped for longer than a lease (SIGSTOP)"),
    FULL_DISK("disk full for 4 s"),
    DATABASE("database server killed and restarted");

    private final String text;

    Accident(String text) {
      this.text = text;
    }
  }

  /// Where the database is, and which accidents can happen to it.
  private record Place(
      Optional<PrivatePostgres> postgres,
      Optional<SmallDisk> disk,
      Path file,
      List<Accident> accidents,
      Duration lease) {
    Database open() {
      return postgres
          .map(server -> Database.shared(server.url(), InstantSource.system()))
          .orElseGet(() -> Database.embedded(file, InstantSource.system()));
    }
  }

  private Soak(
      String name,
      Duration length,
      long seed,
      Path temporary,
      List<Path> directories,
      Place place) {
    this.name = name;
    this.length = length;
    this.random = new Random(seed);
    this.temporary = temporary;
    this.directories = directories;
    this.place = place;
    this.load = new TeamLoad(new Random(seed));
    this.auditor = new DatabaseAuditor(load);
    this.daemons = new AtomicReferenceArray<>(directories.size());
  }

  /// One daemon. Its disk gets full if this machine lets us mount one.
  static Soak onSqlite(Path temporary, Duration length, long seed) throws IOException {
    Optional<SmallDisk> disk = disk();
    Path data = disk.map(SmallDisk::directory).orElse(temporary);
    var possible = new ArrayList<>(List.of(Accident.KILL, Accident.PAUSE));
    disk.ifPresent(_ -> possible.add(Accident.FULL_DISK));
    var place =
        new Place(
            Optional.empty(),
            disk,
            data.resolve("substrat.db"),
            List.copyOf(possible),
            Duration.ofSeconds(2));
    return new Soak("SQLite", length, seed, temporary, List.of(data), place);
  }

  private static Optional<SmallDisk> disk() throws IOException {
    try {
      return Optional.of(SmallDisk.inMemory(DISK_MEGABYTES));
    } catch (TestAbortedException _) {
      return Optional.empty();
    }
  }

  /// Two daemons.
  static Soak onPostgres(Path temporary, Duration length, long seed) throws IOException {
    var place =
        new Place(
            Optional.of(PrivatePostgres.start()),
            Optional.empty(),
            temporary,
            List.of(Accident.KILL, Accident.PAUSE, Accident.DATABASE),
            Duration.ofSeconds(5));
    List<Path> directories =
        List.of(
            Files.createDirectory(temporary.resolve("one")),
            Files.createDirectory(temporary.resolve("two")));
    return new Soak("PostgreSQL, two daemons", length, seed, temporary, directories, place);
  }

  @Override
  public Boolean call() throws Exception {
    for (int i = 0; i < directories.size(); i++) {
      Files.writeString(
          directories.get(i).resolve("config.yaml"),
          "leaseSeconds: %d\nslots: 8\n".formatted(place.lease.toSeconds()));
      start(i);
    }
    try (var client = daemon(0).orElseThrow().client()) {
      load.createTeam(client);
    }
    Instant end = Instant.now().plus(length);
    var readers =
        IntStream.range(0, directories.size())
            .mapToObj(i -> new StreamReader(() -> daemon(i)))
            .toList();
    try (var browser = new HeadlessBrowser(temporary.resolve("browser"));
        Database database = place.open()) {
      signIn(browser);
      Thread disturber = Thread.ofVirtual().name("accidents").start(() -> disturb(end));
      work(end, browser, database);
      over.countDown();
      disturber.join();
      rest(database);
      audit(database, readers);
      tolerating(() -> lastVisit(browser));
    } finally {
      over.countDown();
      for (StreamReader reader : readers) {
        reader.close();
      }
    }
    stop();
    report(readers);
    return true;
  }

  private Optional<RunningDaemon> daemon(int i) {
    return Optional.ofNullable(daemons.get(i)).filter(RunningDaemon::isAlive);
  }

  private void start(int i) throws Exception {
    var arguments = new ArrayList<>(List.of("--port", "0"));
    place.postgres.ifPresent(server -> arguments.addAll(List.of("--db", server.url())));
    daemons.set(i, RunningDaemon.ready(directories.get(i), arguments.toArray(String[]::new)));
  }

  /// Waves of messages through one daemon after the other.
  private void work(Instant end, HeadlessBrowser browser, Database database) throws Exception {
    Duration interval = length.dividedBy(60);
    Instant nextSample = Instant.now();
    while (Instant.now().isBefore(end)) {
      Optional<RunningDaemon> one = daemon(waves++ % directories.size());
      if (one.isPresent()) {
        tolerating(() -> load.rage(one.get(), 1));
      }
      if (Instant.now().isAfter(nextSample)) {
        nextSample = Instant.now().plus(interval);
        measure();
        tolerating(() -> KillCampaign.letTimePass(database));
        tolerating(() -> visit(browser));
      }
      over.await(Math.clamp(length.toMillis() / 900, 300, 2_000), TimeUnit.MILLISECONDS);
    }
  }

  private interface Action {
    void run() throws Exception;
  }

  private void tolerating(Action action) throws InterruptedException {
    try {
      action.run();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | AssertionError e) {
      if (Instant.now().isBefore(disturbedUntil)) {
        tolerated++;
      } else {
        find("a request failed without an accident: " + e + ", cause: " + e.getCause());
      }
    }
  }

  private void find(String finding) {
    if (findings.size() < MOST_FINDINGS) {
      findings.add(finding);
    }
  }

  private void measure() throws Exception {
    if (!calm.tryLock()) {
      return;
    }
    try {
      for (int i = 0; i < directories.size(); i++) {
        if (daemon(i).isPresent()) {
          sizes.add(ProcessSize.of(daemon(i).get().pid()));
        }
      }
    } finally {
      calm.unlock();
    }
  }

  private void signIn(HeadlessBrowser browser) throws Exception {
    try (var client = daemon(0).orElseThrow().client()) {
      browser.navigate(client.post("/api/login-links", Map.of()).body().path("url").asText());
    }
  }

  /// The page follows the events while it is shown.
  private void visit(HeadlessBrowser browser) throws Exception {
    Optional<RunningDaemon> one = daemon(0);
    if (one.isPresent()) {
      browser.navigate(one.get().url() + PAGES.get(pages++ % PAGES.size()));
    }
  }

  /// After all accidents the console works, without an error in any script since the start.
  private void lastVisit(HeadlessBrowser browser) throws Exception {
    signIn(browser);
    if (!browser.awaitText("mira")) {
      find("the console does not show the agents: " + browser.text());
    }
    browser.scriptErrors().forEach(error -> find("error in a script of the console: " + error));
  }

  private void disturb(Instant end) {
    long usual = Math.max(8_000, length.dividedBy(30).toMillis());
    Instant half = end.minus(length.dividedBy(2));
    try {
      while (!over.await(usual / 2 + random.nextLong(usual), TimeUnit.MILLISECONDS)
          && Instant.now().isBefore(end)) {
        Accident next = place.accidents.get(random.nextInt(place.accidents.size()));
        boolean isSpared =
            next == Accident.KILL && directories.size() == 1 && Instant.now().isAfter(half);
        if (!isSpared) {
          cause(next);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (Exception | AssertionError e) {
      find("an accident was not survived: " + e);
    }
  }

  private void cause(Accident accident) throws Exception {
    calm.lock();
    disturbedUntil = Instant.MAX;
    try {
      switch (accident) {
        case KILL -> {
          int victim = directories.size() - 1;
          daemon(victim).orElseThrow().close();
          start(victim);
        }
        case PAUSE -> {
          RunningDaemon one = daemon(random.nextInt(directories.size())).orElseThrow();
          signal("STOP", one.pid());
          try {
            over.await(place.lease.multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS);
          } finally {
            signal("CONT", one.pid());
          }
        }
        case FULL_DISK -> {
          SmallDisk disk = place.disk.orElseThrow();
          disk.fill();
          try {
            over.await(4, TimeUnit.SECONDS);
          } finally {
            disk.freeSpace();
          }
        }
        case DATABASE -> {
          place.postgres.orElseThrow().kill();
          place.postgres.orElseThrow().restart();
        }
      }
      accidents.merge(accident, 1, Integer::sum);
    } finally {
      disturbedUntil = Instant.now().plus(RECOVERY);
      calm.unlock();
    }
  }

  private static void signal(String signal, long pid) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).inheritIO().start().waitFor();
  }

  /// All open work is finished.
  private void rest(Database database) throws Exception {
    Instant end = Instant.now().plus(REST);
    disturbedUntil = Instant.now().plus(RECOVERY);
    RunningDaemon last = daemon(directories.size() - 1).orElseThrow();
    while (!auditor.unrest(database).isEmpty()) {
      if (Instant.now().isAfter(end)) {
        find("no rest: " + DatabaseAuditor.tell(database, auditor.unrest(database)));
        return;
      }
      KillCampaign.letTimePass(database);
      tolerating(() -> load.tend(last));
      last.isDeadWithin(Duration.ofMillis(200));
    }
    tolerating(() -> load.tend(last));
  }

  private void audit(Database database, List<StreamReader> readers) throws Exception {
    List<DatabaseAuditor.Finding> broken = auditor.atRest(database);
    if (!broken.isEmpty()) {
      find(DatabaseAuditor.tell(database, broken));
    }
    long events = database.read(tx -> tx.number("select max(seq) as n from event"));
    Instant end = Instant.now().plus(RunningDaemon.LIMIT);
    for (StreamReader reader : readers) {
      while (reader.last() < events && Instant.now().isBefore(end)) {
        daemon(0).orElseThrow().isDeadWithin(Duration.ofMillis(100));
      }
      if (reader.last() < events) {
        find("a reader of the stream stopped at %d of %d".formatted(reader.last(), events));
      }
      reader.gaps().forEach(gap -> find("gap in a stream: " + gap));
    }
    figures.put("messages", count(database, "message"));
    figures.put("turns", count(database, "run"));
    figures.put("events", Long.toString(events));
    List<ProcessSize> life = longestLife();
    for (ProcessSize.Bound bound : ProcessSize.BOUNDS) {
      if (life.size() > 3 && !bound.isKept(life)) {
        find("%s grew: %s".formatted(bound.name(), life));
      }
    }
  }

  private static String count(Database database, String table) {
    return Long.toString(database.read(tx -> tx.number("select count(*) as n from " + table)));
  }

  private void stop() throws Exception {
    for (int i = 0; i < directories.size(); i++) {
      RunningDaemon one = daemon(i).orElseThrow();
      one.terminate();
      int code = one.exitCode();
      if (code != SIGTERM_EXIT) {
        find("exit code " + code + " after SIGTERM");
      }
    }
  }

  private void report(List<StreamReader> readers) {
    figures.put("waves of load", Integer.toString(waves));
    figures.put("pages shown in the browser", Integer.toString(pages));
    figures.put("readers of the event stream", Integer.toString(readers.size()));
    for (Accident accident : Accident.values()) {
      figures.put(
          accident.text,
          place.accidents.contains(accident)
              ? Integer.toString(accidents.getOrDefault(accident, 0))
              : "–");
    }
    figures.put("waves with a failed request, all during accidents", Integer.toString(tolerated));
  }

  String name() {
    return name;
  }

  /// What a report shows, in its order.
  Map<String, String> figures() {
    return figures;
  }

  List<String> findings() {
    return List.copyOf(findings);
  }

  List<ProcessSize> longestLife() {
    return ProcessSize.ofLongestLife(sizes, length.dividedBy(10));
  }

  @Override
  public void close() throws IOException {
    for (int i = 0; i < directories.size(); i++) {
      RunningDaemon one = daemons.get(i);
      if (one != null) {
        one.close();
      }
    }
    if (place.postgres.isPresent()) {
      place.postgres.get().close();
    }
    if (place.disk.isPresent()) {
      place.disk.get().close();
    }
  }
}
