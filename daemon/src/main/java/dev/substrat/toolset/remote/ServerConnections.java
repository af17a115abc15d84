package dev.substrat.toolset.remote;

import dev.substrat.mcp.client.RemoteDeadline;
import dev.substrat.mcp.client.RemoteFailure;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.team.Agent;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.team.toolconfig.UsedSecrets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Sessions with servers. Each belongs to one agent and is never shared, so no server can confuse
/// agents.
///
/// Safe for many threads: each connection has a lock, under which one thread opens it for all.
final class ServerConnections implements AutoCloseable {
  private static final Log LOG = Log.of(ServerConnections.class);

  /// A server that does not answer a ping for this long is considered dead.
  private static final Duration MAX_SILENCE = Duration.ofSeconds(5);

  private static final Duration MAX_IDLE_TIME = Duration.ofMinutes(10);

  /// Minimum time between two comparisons of a server's tools, however often it reports changes.
  private static final Duration BETWEEN_COMPARISONS = Duration.ofMillis(500);

  /// Not every server reports changes of its tools, so they are compared this often.
  private static final Duration MAX_CACHE_AGE = Duration.ofMinutes(1);

  private final SessionOpener sessions;
  private final ServerRecords records;
  private final InstantSource clock;
  private final Map<ConnectionKey, ServerConnection> links = new ConcurrentHashMap<>();
  private final Set<ConnectionKey> changed = ConcurrentHashMap.newKeySet();
  private final Set<ConnectionKey> doubted = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  ServerConnections(SessionOpener sessions, ServerRecords records, InstantSource clock) {
    this.sessions = sessions;
    this.records = records;
    this.clock = clock;
  }

  /// Key of a connection.
  record ConnectionKey(AgentId agent, String server) {}

  /// The agent's session with the server, opened if necessary. Opening includes a comparison of the
  /// server's tools, so no tool is called before it was compared.
  ServerConnection.ServerSession session(Agent agent, McpServerConfig server, Duration timeout) {
    var key = new ConnectionKey(agent.id(), server.name());
    ServerConnection link = links.computeIfAbsent(key, _ -> new ServerConnection());
    RemoteDeadline deadline = RemoteDeadline.in(timeout);
    link.hold(timeout, server.name());
    try {
      Instant now = clock.instant();
      link.used(now);
      ServerConnection.ServerSession open = link.current(server);
      if (open != null) {
        if (link.isRefreshDue(now, MAX_CACHE_AGE)) {
          refreshLater(agent, server);
        }
        return open;
      }
      String problem = link.problem(now);
      if (!problem.isEmpty()) {
        throw down(server, problem);
      }
      return open(link, agent, server, deadline.atMost(SessionOpener.longestOpening(server)));
    } finally {
      link.lock.unlock();
    }
  }

  private static Fault down(McpServerConfig server, String problem) {
    return ErrorCode.UPSTREAM_ERROR.fault(
        "MCP server " + server.name() + " is down: " + problem,
        "the daemon will try again; continue without the tools of this server");
  }

  private ServerConnection.ServerSession open(
      ServerConnection link, Agent agent, McpServerConfig server, RemoteDeadline deadline) {
    var secrets = new UsedSecrets();
    try {
      requireOpen();
      ServerConnection.ServerSession session =
          sessions.open(agent, server, secrets, () -> refreshLater(agent, server), deadline);
      link.opened(session, clock.instant());
      return session;
    } catch (RemoteFailure failure) {
      Fault fault = hidden(failure.fault(server.name()), secrets);
      String problem = secrets.redact(failure.problem());
      link.failed(problem, clock.instant());
      records.failed(agent, server, problem);
      throw fault;
    } catch (Fault fault) {
      // An unapproved or forbidden server is tried again as soon as a person has changed that.
      records.refused(agent, server, fault);
      throw fault;
    }
  }

  private void requireOpen() {
    if (closed) {
      throw ErrorCode.STOPPING.fault(
          "the daemon is stopping", "try again when the daemon is running");
    }
  }

  /// A message may repeat a secret, and a hint may name the host.
  static Fault hidden(Fault fault, UsedSecrets secrets) {
    return new Fault(fault.code(), secrets.redact(fault.message()), secrets.redact(fault.hint()));
  }

  /// The server may have other tools now.
  private void refreshLater(Agent agent, McpServerConfig server) {
    var key = new ConnectionKey(agent.id(), server.name());
    if (!closed && changed.add(key)) {
      Thread.ofVirtual()
          .name("list tools of " + server.name())
          .start(() -> {
            try {
              Thread.sleep(BETWEEN_COMPARISONS);
              changed.remove(key);
              refresh(agent, server);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
  }

  private void refresh(Agent agent, McpServerConfig server) {
    ServerConnection link = links.get(new ConnectionKey(agent.id(), server.name()));
    if (link == null || closed) {
      return;
    }
    try {
      link.hold(SessionOpener.MAX_OPENING_TIME, server.name());
      try {
        ServerConnection.ServerSession open = link.current(server);
        if (open != null) {
          compareTools(link, agent, open);
        }
      } finally {
        link.lock.unlock();
      }
    } catch (Fault fault) {
      LOG.warn(
          "cannot list the tools of an MCP server",
          "agent",
          agent.handle(),
          "server",
          server.name(),
          "reason",
          fault.message());
    }
  }

  /// A session whose tools cannot be compared is closed, unless a call is running: many servers
  /// process one request at a time.
  private void compareTools(
      ServerConnection link, Agent agent, ServerConnection.ServerSession open) {
    try {
      sessions.listTools(agent, open, SessionOpener.MAX_OPENING_TIME);
    } catch (RemoteFailure failure) {
      if (failure.reason() == FailureReason.SESSION_LOST) {
        open(
            link,
            agent,
            open.server(),
            RemoteDeadline.in(SessionOpener.longestOpening(open.server())));
      } else {
        if (failure.reason() != FailureReason.TIMED_OUT || !open.client().isBusy()) {
          fail(link, agent, open, failure);
        }
        throw hidden(failure.fault(open.server().name()), open.secrets());
      }
    }
  }

  /// A call timed out. If the server has no other running call and does not answer a ping, the
  /// session is closed.
  void verifyLater(Agent agent, ServerConnection.ServerSession session) {
    var key = new ConnectionKey(agent.id(), session.server().name());
    if (!closed && doubted.add(key)) {
      Thread.ofVirtual()
          .name("check " + key.server())
          .start(() -> {
            try {
              session.client().ping(MAX_SILENCE);
            } catch (RemoteFailure failure) {
              if (failure.reason() != FailureReason.REFUSED && !session.client().isBusy()) {
                broken(agent, session, failure);
              }
            } finally {
              doubted.remove(key);
            }
          });
    }
  }

  /// The server has lost the session. The next call opens a new one immediately.
  void lost(Agent agent, ServerConnection.ServerSession session) {
    ServerConnection link = links.get(new ConnectionKey(agent.id(), session.server().name()));
    if (link != null) {
      link.hold(SessionOpener.MAX_OPENING_TIME, session.server().name());
      try {
        if (link.isOf(session)) {
          link.close();
        }
      } finally {
        link.lock.unlock();
      }
    }
  }

  /// A session has turned out to lead nowhere. The next one to need the server opens another, in a
  /// while.
  void broken(Agent agent, ServerConnection.ServerSession session, RemoteFailure failure) {
    ServerConnection link = links.get(new ConnectionKey(agent.id(), session.server().name()));
    if (link != null && link.lock.tryLock()) {
      try {
        if (link.isOf(session)) {
          fail(link, agent, session, failure);
        }
      } finally {
        link.lock.unlock();
      }
    }
  }

  private void fail(
      ServerConnection link,
      Agent agent,
      ServerConnection.ServerSession session,
      RemoteFailure failure) {
    String problem = session.secrets().redact(failure.problem());
    link.failed(problem, clock.instant());
    records.failed(agent, session.server(), problem);
  }

  /// Time of the next attempt after a failure.
  Instant nextTry(ConnectionKey key) {
    ServerConnection link = links.get(key);
    return link == null ? Instant.EPOCH : link.nextTry();
  }

  /// Closes idle connections; returns their number.
  int closeIdle() {
    int count = 0;
    for (ServerConnection link : links.values()) {
      if (link.lock.tryLock()) {
        try {
          if (link.isIdle(clock.instant(), MAX_IDLE_TIME)) {
            link.close();
            count++;
          }
        } finally {
          link.lock.unlock();
        }
      }
    }
    return count;
  }

  /// Closes all connections of an agent that was changed or terminated.
  void end(AgentId agent) {
    Set.copyOf(links.keySet()).stream().filter(key -> key.agent().equals(agent)).forEach(this::end);
  }

  /// The same, with one server.
  void end(ConnectionKey key) {
    ServerConnection link = links.remove(key);
    if (link != null) {
      Thread.ofVirtual().name("close " + key.server()).start(() -> close(link));
    }
  }

  /// A connection that is being opened is closed once it is open.
  private static void close(ServerConnection link) {
    link.lock.lock();
    try {
      link.close();
    } finally {
      link.lock.unlock();
    }
  }

  void open() {
    closed = false;
  }

  @Override
  public void close() {
    closed = true;
    links.values().forEach(ServerConnections::close);
    links.clear();
  }
}
