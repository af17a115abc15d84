package dev.substrat.toolset.remote;

import dev.substrat.mcp.client.McpClient;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.team.toolconfig.UsedSecrets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Connection of one agent to one server: open, or closed until the next retry.
///
/// All fields except the time of the next retry are guarded by the lock.
final class ServerConnection {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration MAX_PAUSE = Duration.ofMinutes(5);

  final ReentrantLock lock = new ReentrantLock();
  private @Nullable ServerSession session;
  private Instant lastUsed = Instant.EPOCH;
  private Instant checkedAt = Instant.EPOCH;
  private volatile Instant nextTry = Instant.EPOCH;
  private Duration pause = FIRST_PAUSE;
  private String problem = "";

  /// A client, how its server was configured when it was opened, and what must not come back.
  record ServerSession(McpClient client, McpServerConfig server, UsedSecrets secrets) {}

  /// Waits for the lock; the caller releases it.
  void hold(Duration timeout, String server) {
    try {
      if (!lock.tryLock(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        throw ErrorCode.TIMEOUT.fault(
            "the connection to MCP server " + server + " is still being opened",
            "try again later, or continue without this tool");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ErrorCode.UPSTREAM_ERROR.fault("the call was cancelled", "nothing needs to be done", e);
    }
  }

  /// The open session, if it is to the server as it is configured now.
  @Nullable ServerSession current(McpServerConfig server) {
    ServerSession open = session;
    return open != null && open.client().isOpen() && open.server().equals(server) ? open : null;
  }

  /// Records a use by a call. Listing tools does not count: a server could keep its session alive
  /// with notifications.
  void used(Instant now) {
    lastUsed = now;
  }

  /// Why the server is not tried yet; empty if it can be tried.
  String problem(Instant now) {
    return now.isBefore(nextTry) ? problem : "";
  }

  /// Whether it is time to compare the server's tools again; from then on it is not.
  boolean isRefreshDue(Instant now, Duration between) {
    boolean isTime = checkedAt.plus(between).isBefore(now);
    checkedAt = isTime ? now : checkedAt;
    return isTime;
  }

  void opened(ServerSession fresh, Instant now) {
    close();
    session = fresh;
    checkedAt = now;
    nextTry = Instant.EPOCH;
    pause = FIRST_PAUSE;
  }

  void failed(String reason, Instant now) {
    close();
    problem = reason;
    nextTry = now.plus(pause);
    Duration longer = pause.multipliedBy(2);
    pause = longer.compareTo(MAX_PAUSE) < 0 ? longer : MAX_PAUSE;
  }

  /// May be asked without the lock.
  Instant nextTry() {
    return nextTry;
  }

  boolean isIdle(Instant now, Duration longest) {
    return session != null && lastUsed.plus(longest).isBefore(now);
  }

  @SuppressWarnings("ReferenceEquality") // another session with the same server is another one
  boolean isOf(ServerSession other) {
    return session == other;
  }

  void close() {
    ServerSession open = session;
    session = null;
    if (open != null) {
      open.client().close();
    }
  }
}
