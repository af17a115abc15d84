package dev.substrat.bridge;

import dev.substrat.bridge.json.JsonText;
import dev.substrat.bridge.json.MessagePart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The daemon's Unix socket: where it is now, and connections that wait for their next request.
///
/// Which socket it is stands in `daemon.json` and is read again for each new connection, because a
/// daemon that was restarted may have another. Safe for many threads.
final class DaemonSocket {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
  private static final int MOST_IDLE = 16;

  private final Path data;
  private final Deque<SocketConnection> idle = new ArrayDeque<>();

  DaemonSocket(Path data) {
    this.data = data;
  }

  /// A connection, if somebody is there.
  Optional<SocketConnection> knock() {
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
    Optional<JsonText> file = JsonText.parse(Files.readAllBytes(data.resolve("daemon.json")));
    String socket = file.isEmpty() ? null : file.get().text(MessagePart.SOCKET);
    if (socket == null) {
      throw new IOException("daemon.json names no socket");
    }
    return Path.of(socket);
  }

  /// A connection; waits for the daemon if it must, but not longer than that.
  SocketConnection await(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    Duration pause = FIRST_PAUSE;
    while (true) {
      Optional<SocketConnection> connection = knock();
      if (connection.isPresent()) {
        return connection.get();
      }
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (!left.isPositive()) {
        throw unreachable();
      }
      Thread.sleep(pause.compareTo(left) < 0 ? pause : left);
      pause = longer(pause, LONGEST_PAUSE);
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

  /// Gives back a connection when its answer has been passed on; reads what is left of it first.
  /// One that is of no use any more is closed.
  void giveBack(SocketConnection connection, DaemonReply reply) {
    try {
      reply.body();
    } catch (IOException | BridgeError _) {
      connection.close();
      return;
    }
    synchronized (idle) {
      if (reply.isOver() && idle.size() < MOST_IDLE) {
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

  /// One was found dead; the others are likely to be, too.
  void forgetIdle() {
    synchronized (idle) {
      idle.forEach(SocketConnection::close);
      idle.clear();
    }
  }
}
