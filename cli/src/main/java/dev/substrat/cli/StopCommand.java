package dev.substrat.cli;

import dev.substrat.cli.shell.RelativeTime;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.shell.Spinner;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.time.Duration;
import picocli.CommandLine.Command;

/// Stops the daemon and waits until it is gone, so that the next command may start a new one.
@Command(
    description = "Stop the daemon; running turns end first.",
    footer = {"  ./substrat stop", "  ./substrat stop --data /tmp/harbor", ""})
final class StopCommand implements Runnable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RootCommand shell;

  StopCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    DaemonClient daemon = daemon();
    long start = System.nanoTime();
    tell(daemon);
    if (daemon.isRemote()) {
      // Its process is on another machine.
      if (shell.wantsJson()) {
        shell.screen().json(JsonTree.object().put("stopping", true));
      } else {
        shell.screen().line("the daemon at %s is stopping".formatted(daemon.url()));
      }
      return;
    }
    try (var _ = new Spinner(shell.screen(), "waiting for process " + daemon.pid())) {
      await(daemon, start);
    }
    if (shell.wantsJson()) {
      shell.screen().json(JsonTree.object().put("stopped", true).put("pid", daemon.pid()));
    } else {
      var took = Duration.ofNanos(System.nanoTime() - start);
      shell
          .screen()
          .line(
              "stopped: process %d ended after %s"
                  .formatted(daemon.pid(), RelativeTime.span(took)));
    }
  }

  private DaemonClient daemon() {
    try {
      return shell.daemon();
    } catch (Fault fault) {
      throw fault.code() == ErrorCode.DAEMON_UNREACHABLE ? nothing(fault) : fault;
    }
  }

  private static void tell(DaemonClient daemon) {
    try {
      daemon.post("/api/shutdown", JsonTree.object());
    } catch (Fault fault) {
      boolean isGone = fault.code() == ErrorCode.DAEMON_UNREACHABLE && daemon.isGone();
      throw isGone ? nothing(fault) : fault;
    }
  }

  /// Whoever wants to stop a daemon is not helped by how to start one.
  private static Fault nothing(Fault fault) {
    return new Fault(
        fault.code(),
        fault.message(),
        "there is nothing to stop; --data DIR names the directory of another daemon",
        fault);
  }

  private static void await(DaemonClient daemon, long start) {
    while (!daemon.isGone()) {
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw new Fault(
            ErrorCode.TIMEOUT,
            "the daemon was told to stop, but process %d still runs after %s"
                .formatted(daemon.pid(), RelativeTime.span(PATIENCE)),
            "a long turn may be ending: wait, or end it with: kill " + daemon.pid());
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
