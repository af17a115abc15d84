package dev.substrat.bridge;

import dev.substrat.bridge.json.MessageField;
import dev.substrat.bridge.json.RawJsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Connection pool for the daemon's Unix socket.
///
/// The path of the socket is read from `daemon.json` for each new connection, because a restarted
/// daemon may have another one. Thread-safe.
final class DaemonConnectionPool {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration MAX_PAUSE = Duration.ofMillis(500);
  private static final int MAX_IDLE_CONNECTIONS = 16;

  private final Path data;
  private final Deque<SocketConnection> idle = new ArrayDeque<>();

  DaemonConnectionPool(Path data) {
    this.data = data;
  }

  /// A connection, if the daemon is running.
  Optional<SocketConnection> tryConnect() {
    SocketConnection waiting = takeIdle();
    if (waiting != null) {
      return Optional.of(waiting);
    }
    try {
      return Optional.of(SocketConnection.open(socket()));
    } catch (IOException | IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private Path socket() throws IOException {
    Optional<RawJsonObject> file =
        RawJsonObject.parse(Files.readAllBytes(data.resolve("daemon.json")));
    String socket = file.isEmpty() ? null : file.get().text(MessageField.SOCKET);
    if (socket == null) {
      throw new IOException("daemon.json contains no socket path");
    }
    return Path.of(socket);
  }

  /// A connection; waits for the daemon up to the timeout.
  SocketConnection await(Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    Duration pause = FIRST_PAUSE;
    while (true) {
      Optional<SocketConnection> connection = tryConnect();
      if (connection.isPresent()) {
        return connection.get();
      }
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (!left.isPositive()) {
        throw unreachable();
      }
      Thread.sleep(pause.compareTo(left) < 0 ? pause : left);
      pause = longer(pause, MAX_PAUSE);
    }
  }

  private BridgeError unreachable() {
    return new BridgeError(
        "DAEMON_UNREACHABLE",
        "no Substrat daemon is running for the data directory " + data,
        "start it with `./substrat up --data "
            + data
            + "`, check it with `./substrat status --data "
            + data
            + "`, then try again. If the daemon uses another data directory, pass --data DIR to"
            + " `substrat mcp`");
  }

  static Duration longer(Duration pause, Duration longest) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(longest) > 0 ? longest : twice;
  }

  /// Returns a connection to the pool after reading the rest of the response. An unusable
  /// connection is closed.
  void release(SocketConnection connection, DaemonReply reply) {
    try {
      reply.body();
    } catch (IOException | BridgeError _) {
      connection.close();
      return;
    }
    synchronized (idle) {
      if (reply.isComplete() && idle.size() < MAX_IDLE_CONNECTIONS) {
        idle.push(connection);
        return;
      }
    }
    connection.close();
  }

  private @Nullable SocketConnection takeIdle() {
    synchronized (idle) {
      return idle.poll();
    }
  }

  /// Closes all idle connections after one was found broken.
  void closeIdle() {
    synchronized (idle) {
      idle.forEach(SocketConnection::close);
      idle.clear();
    }
  }
}
