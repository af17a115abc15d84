package dev.substrat.server.api;

import dev.substrat.http.server.ClientTimeouts;
import dev.substrat.http.server.TestServer;
import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.space.Spaces;
import dev.substrat.store.Database;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agents;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/// The event streams of a daemon without the rest of it, so that a test can write what it likes and
/// be as impatient as it likes.
final class EventServer implements AutoCloseable {
  private final Database database;
  private final EventLog log;
  private final TestServer server;
  private final LinkedBlockingQueue<Thread> streams = new LinkedBlockingQueue<>();

  EventServer(TestDatabase place, ClientTimeouts patience, Duration heartbeat) {
    this.database = place.open();
    this.log = new EventLog(database, InstantSource.system());
    var agents = new Agents(database, log, InstantSource.system(), (_, _) -> {});
    var routes =
        new EventRoutes(
                log,
                agents,
                new Spaces(database, log, InstantSource.system(), SpaceGuardLimits.DEFAULT),
                this::active,
                heartbeat)
            .routes();
    this.server = new TestServer(routes, patience);
  }

  /// Each stream asks this once, on its own thread, before it says hello.
  private List<String> active() {
    streams.add(Thread.currentThread());
    return List.of("ada");
  }

  /// The threads of all streams so far, oldest first.
  LinkedBlockingQueue<Thread> streams() {
    return streams;
  }

  String url() {
    return server.url();
  }

  long last() {
    return log.last();
  }

  void write(NewEvent event) {
    database.transact(tx -> {
      log.append(tx, event);
      return true;
    });
  }

  /// Waits until everything written so far has its number.
  void awaitLast(long seq) throws InterruptedException {
    for (long seen = log.signal().count(); log.last() < seq; seen = log.signal().count()) {
      log.signal().awaitMoreThan(seen, Duration.ofMillis(100));
    }
  }

  void ring() {
    log.signal().notifyWaiters();
  }

  @Override
  public void close() {
    server.announceStop();
    log.signal().notifyWaiters();
    server.close();
    log.close();
    database.close();
  }
}
