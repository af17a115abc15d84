package dev.substrat.server.api;

import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.RouteAccess;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import dev.substrat.turn.scheduling.Slots;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// HTTP routes of the daemon: health, metrics, status, stop.
public final class SystemRoutes {
  private final Identity identity;
  private final Database database;
  private final EventLog events;
  private final Slots slots;
  private final Telemetry telemetry;
  private final Runnable stop;

  public SystemRoutes(
      Identity identity,
      Database database,
      EventLog events,
      Slots slots,
      Telemetry telemetry,
      Runnable stop) {
    this.identity = identity;
    this.database = database;
    this.events = events;
    this.slots = slots;
    this.telemetry = telemetry;
    this.stop = stop;
  }

  /// Which daemon this is.
  public record Identity(String version, long pid, Address address, Instant startedAt) {}

  /// Where it listens; known once it does.
  public interface Address {
    /// For clients on this machine.
    String url();

    /// For people and services that may be anywhere.
    String publicUrl();

    String socket();
  }

  /// How many agents may think, and how many do.
  record SlotUse(int total, int busy) {}

  /// What `./substrat status` shows.
  record Status(
      String version,
      long pid,
      String url,
      String socket,
      String database,
      Instant startedAt,
      long agents,
      SlotUse slots,
      long lastEvent) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
            "/healthz",
            RouteAccess.PUBLIC,
            "Check that the daemon is alive.",
            _ -> HttpReply.ok(Map.of("status", "ok"))),
        HttpRoute.read(
            "/metrics",
            Scope.METRICS_READ,
            "Return metrics in the Prometheus text format.",
            _ -> HttpReply.text("text/plain; version=0.0.4; charset=utf-8", telemetry.scrape())),
        HttpRoute.read(
            "/api/status",
            RouteAccess.ANY_TOKEN,
            "Return version and state of the daemon.",
            _ -> HttpReply.ok(status())),
        HttpRoute.write(
            "/api/shutdown", Scope.DAEMON_WRITE, "Stop the daemon gracefully.", null, _ -> stop()));
  }

  private Status status() {
    long agents =
        database.read(
            tx -> tx.number("select count(*) as n from agent where terminated_at is null"));
    return new Status(
        identity.version(),
        identity.pid(),
        identity.address().url(),
        identity.address().socket(),
        switch (database.dialect()) {
          case SQLITE -> "sqlite";
          case POSTGRES -> "postgresql";
        },
        identity.startedAt(),
        agents,
        new SlotUse(slots.total(), slots.busy()),
        events.last());
  }

  private HttpReply stop() {
    stop.run();
    return new HttpReply.Json(202, Map.of("status", "stopping"));
  }
}
