package dev.substrat.toolset.remote;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.EventSignal;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.team.toolconfig.McpServerConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/// Connects to servers in the background: those of new or changed agents, and those that were down,
/// with growing pauses.
final class ServerMonitor implements AutoCloseable {
  private static final Log LOG = Log.of(ServerMonitor.class);
  private static final int PAGE = 500;

  /// Events after which servers are checked, or sessions closed.
  private static final Set<String> KINDS =
      Set.of("agent_created", "agent_updated", "agent_terminated", "remote_command_approved");

  private static final int MAX_CONCURRENT = 8;
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration AFTER_OTHERS = Duration.ofSeconds(10);

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;
  private final ServerConnections links;
  private final ServerRecords records;
  private final Map<ServerConnections.ConnectionKey, Instant> down = new ConcurrentHashMap<>();
  private final Semaphore places = new Semaphore(MAX_CONCURRENT);
  private final EventSignal signal;
  private final Thread thread;
  private volatile boolean closing;

  ServerMonitor(
      Database database,
      EventLog events,
      InstantSource clock,
      ServerConnections links,
      ServerRecords records) {
    this.database = database;
    this.events = events;
    this.clock = clock;
    this.links = links;
    this.records = records;
    // With several writers, the signal would be sent for every event.
    this.signal = database.hasOneWriter() ? events.signal(KINDS) : new EventSignal();
    this.thread = Thread.ofVirtual().name("remote-servers").start(this::run);
  }

  /// Long enough to wait for another thread that opens the connection, and then to open it.
  static Duration patience(McpServerConfig server) {
    return SessionOpener.longestOpening(server).plusSeconds(5);
  }

  private void run() {
    long position = -1;
    while (!closing) {
      long seen = signal.count();
      try {
        position = position < 0 ? begin() : follow(position);
        links.closeIdle();
        tryAgain();
      } catch (RuntimeException e) {
        // Retried when the database is available again.
        LOG.warn("cannot check MCP servers, will retry", "reason", e.getMessage());
      }
      try {
        if (!closing) {
          signal.awaitMoreThan(seen, TICK);
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private long begin() {
    long position = events.last();
    scheduleAll();
    return position;
  }

  private void scheduleAll() {
    database.read(AgentTree::list).stream().filter(Agent::isAlive).forEach(this::schedule);
  }

  private long follow(long start) {
    // Read first: what comes meanwhile is met the next time.
    long newest = events.last();
    long position = start;
    List<Event> page;
    do {
      page = events.ofKinds(KINDS, position, PAGE);
      for (Event event : page) {
        position = event.seq();
        handle(event);
      }
    } while (page.size() == PAGE);
    return Math.max(position, newest);
  }

  private void handle(Event event) {
    String agent = event.agent();
    if (agent == null) {
      return;
    }
    switch (event.kind()) {
      case "agent_created" -> find(agent).ifPresent(this::schedule);
      // Others may be configured with the same program.
      case "remote_command_approved" -> scheduleAll();
      case "agent_updated" -> {
        if (event.payload().path("changed").toString().contains("\"mcp\"")) {
          links.end(new AgentId(agent));
          find(agent).ifPresent(this::schedule);
        }
      }
      case "agent_terminated" -> links.end(new AgentId(agent));
      default -> {}
    }
  }

  private Optional<Agent> find(String agent) {
    return database.read(tx -> AgentTree.find(tx, agent)).filter(Agent::isAlive);
  }

  private void schedule(Agent agent) {
    agent.config().serversOrNone().forEach(server -> schedule(agent.id(), server.name()));
  }

  private void tryAgain() {
    Instant now = clock.instant();
    down.forEach((key, due) -> {
      if (!due.isAfter(now) && down.remove(key, due)) {
        schedule(key.agent(), key.server());
      }
    });
  }

  private void schedule(AgentId agent, String server) {
    Thread.ofVirtual()
        .name("check " + server)
        .start(() -> {
          try {
            places.acquire();
            try {
              refresh(agent, server);
            } finally {
              places.release();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /// With the current configuration.
  private void refresh(AgentId id, String name) {
    Optional<Agent> agent = find(id.value());
    Optional<McpServerConfig> server =
        agent.stream()
            .flatMap(one -> one.config().serversOrNone().stream())
            .filter(one -> one.name().equals(name))
            .findFirst();
    if (server.isEmpty()) {
      return;
    }
    var key = new ServerConnections.ConnectionKey(id, name);
    try {
      if (records.claim(agent.get(), server.get())) {
        links.session(agent.get(), server.get(), patience(server.get()));
      } else if (!records.isUp(agent.get(), server.get())) {
        // Another thread has just tried.
        down.put(key, clock.instant().plus(AFTER_OTHERS));
      }
    } catch (Fault fault) {
      LOG.info(
          "an MCP server is not available",
          "agent",
          agent.get().handle(),
          "server",
          name,
          "reason",
          fault.message());
      Instant next = links.nextTry(key);
      if (next.isAfter(Instant.EPOCH)) {
        down.put(key, next);
      }
    } catch (RuntimeException e) {
      if (!closing) {
        LOG.error("cannot check an MCP server", e, "server", name);
      }
    }
  }

  @Override
  public void close() {
    closing = true;
    signal.notifyWaiters();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
