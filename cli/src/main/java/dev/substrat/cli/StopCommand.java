package dev.substrat.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Spinner;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.time.Duration;
import picocli.CommandLine.Command;

/// Stops the daemon and waits until its process has exited.
@Command(
    description = "Stop the daemon and wait until it has exited.",
    footer = {"  ./substrat stop", "  ./substrat stop --data /tmp/harbor", ""})
final class StopCommand implements Runnable {
  /// Added to the time that the daemon gives to running turns.
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);

  private final RootCommand shell;

  StopCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    DaemonClient daemon = daemon();
    long start = System.nanoTime();
    Duration grace = requestStop(daemon);
    if (daemon.isRemote()) {
      // The process is on another machine.
      shell.print(
          JsonTree.object().put("stopping", true),
          "the daemon at %s is stopping".formatted(daemon.url()));
      return;
    }
    try (var _ = new Spinner(shell.terminal(), "waiting for process " + daemon.pid())) {
      await(daemon, start, STOP_TIMEOUT.plus(grace));
    }
    if (!shell.printsJson(JsonTree.object().put("stopped", true).put("pid", daemon.pid()))) {
      var took = Duration.ofNanos(System.nanoTime() - start);
      shell.line(
          "stopped: process %d ended after %s".formatted(daemon.pid(), RelativeTime.span(took)));
    }
  }

  private DaemonClient daemon() {
    try {
      return shell.daemon();
    } catch (Fault fault) {
      throw fault.code() == ErrorCode.DAEMON_UNREACHABLE ? nothingToStop(fault) : fault;
    }
  }

  /// Returns how long the daemon waits for running turns.
  private static Duration requestStop(DaemonClient daemon) {
    try {
      JsonNode reply = daemon.post("/api/shutdown", JsonTree.object());
      return Duration.ofSeconds(reply.path("graceSeconds").asLong());
    } catch (Fault fault) {
      boolean isGone = fault.code() == ErrorCode.DAEMON_UNREACHABLE && daemon.hasExited();
      throw isGone ? nothingToStop(fault) : fault;
    }
  }

  /// Replaces the usual hint, which says how to start a daemon.
  private static Fault nothingToStop(Fault fault) {
    return new Fault(
        fault.code(),
        fault.message(),
        "there is no daemon to stop; to stop another daemon, pass its data directory: --data DIR",
        fault);
  }

  private static void await(DaemonClient daemon, long start, Duration timeout) {
    while (!daemon.hasExited()) {
      if (System.nanoTime() - start > timeout.toNanos()) {
        throw ErrorCode.TIMEOUT.fault(
            "the daemon did not stop: process %d still runs after %s"
                .formatted(daemon.pid(), RelativeTime.span(timeout)),
            "a turn may still be running: wait, or end the process: kill " + daemon.pid());
      }
      try {
        Thread.sleep(Duration.ofMillis(50));
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
