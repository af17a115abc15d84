package dev.substrat.server.api;

import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.RouteAccess;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.server.health.NotReadyReason;
import dev.substrat.server.health.ReadinessCheck;
import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import dev.substrat.turn.scheduling.Slots;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// HTTP routes of the daemon: health, metrics, status, stop.
public final class SystemRoutes {
  private final DaemonIdentity identity;
  private final Database database;
  private final EventLog events;
  private final Slots slots;
  private final Telemetry telemetry;
  private final ReadinessCheck readiness;
  private final ShutdownAction shutdown;

  public SystemRoutes(
      DaemonIdentity identity,
      Database database,
      EventLog events,
      Slots slots,
      Telemetry telemetry,
      ReadinessCheck readiness,
      ShutdownAction shutdown) {
    this.identity = identity;
    this.database = database;
    this.events = events;
    this.slots = slots;
    this.telemetry = telemetry;
    this.readiness = readiness;
    this.shutdown = shutdown;
  }

  /// Stops the daemon; it waits up to `grace` for running turns.
  public record ShutdownAction(Duration grace, Runnable begin) {}

  /// Version and address of the daemon.
  public record DaemonIdentity(String version, long pid, Address address, Instant startedAt) {}

  /// Address of the daemon, known after its start.
  public interface Address {
    /// URL for clients on this machine.
    String url();

    /// URL for people and services on other machines.
    String publicUrl();

    String socket();
  }

  /// Total and used number of slots.
  record SlotUsage(int total, int busy) {}

  /// Response of the status route.
  record DaemonStatus(
      String version,
      long pid,
      String url,
      String socket,
      String database,
      Instant startedAt,
      long agents,
      SlotUsage slots,
      long lastEvent) {}

  /// Answer to a request to stop; clients wait longer if the daemon does.
  record StopResponse(String status, long graceSeconds) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
            "/healthz",
            RouteAccess.PUBLIC,
            "Check that the daemon is alive.",
            _ -> HttpReply.ok(Map.of("status", "ok"))),
        HttpRoute.read(
            "/readyz",
            RouteAccess.PUBLIC,
            "Check that the daemon can work: 200, or 503 with the reasons.",
            _ -> ready()),
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

  private DaemonStatus status() {
    long agents =
        database.read(
            tx -> tx.number("select count(*) as n from agent where terminated_at is null"));
    return new DaemonStatus(
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
        new SlotUsage(slots.total(), slots.busy()),
        events.last());
  }

  /// Body of `/readyz` with status 503.
  record NotReadyResponse(String status, List<NotReadyReason> reasons) {}

  private HttpReply ready() {
    List<NotReadyReason> reasons = readiness.reasons();
    return reasons.isEmpty()
        ? HttpReply.ok(Map.of("status", "ready"))
        : new HttpReply.JsonReply(503, new NotReadyResponse("not ready", reasons));
  }

  private HttpReply stop() {
    shutdown.begin().run();
    return new HttpReply.JsonReply(
        202, new StopResponse("stopping", Math.ceilDiv(shutdown.grace().toMillis(), 1000)));
  }
}
