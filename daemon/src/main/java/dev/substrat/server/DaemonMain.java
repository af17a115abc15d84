package dev.substrat.server;

import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.log.Log;
import dev.substrat.platform.log.LogLineFormatter;
import dev.substrat.platform.sandbox.SandboxUser;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import dev.substrat.protocol.SpellingSuggestion;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// `./substrat up`: the daemon in the foreground.
@Command(
    name = "substrat up",
    description = "Runs the daemon in the foreground until it is stopped.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    header = {
      "Examples:",
      "  ./substrat up                                 # embedded database in ~/.substrat",
      "  ./substrat up --data ./team --port 0          # any free port, own directory",
      "  ./substrat up --db 'jdbc:postgresql://localhost/substrat?user=me&password=secret'",
      ""
    },
    footer = {
      "",
      "When ready it prints one line on stdout, `substrat ready URL`, and has written",
      "daemon.json and operator.token to its data directory. Logs go to stderr.",
      "To stop it, use Ctrl-C or `./substrat stop`. A second Ctrl-C ends it immediately."
    })
public final class DaemonMain implements Callable<Integer> {
  @Option(names = "--port", paramLabel = "N", description = "TCP port, 0 for any (default 7420).")
  private @Nullable Integer port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory (default: SUBSTRAT_DATA, or ~/.substrat).")
  private @Nullable Path data;

  @Option(
      names = "--db",
      paramLabel = "URL",
      description =
          "PostgreSQL database, jdbc:postgresql://… (default: SQLite in the data directory).")
  private @Nullable String database;

  @Option(
      names = "--slots",
      paramLabel = "N",
      description = "Maximum number of turns that run at the same time (default 4).")
  private @Nullable Integer slots;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "YAML file with these and more settings (default DIR/config.yaml).")
  private @Nullable Path config;

  @Option(
      names = "--host",
      paramLabel = "ADDR",
      description = "Address to listen on (default 127.0.0.1).")
  private @Nullable String host;

  @Option(
      names = "--log",
      paramLabel = "LEVEL",
      description = "Log level: debug, info, warn or error.")
  private @Nullable String logLevel;

  @Option(
      names = "--allow-host",
      paramLabel = "HOST[:PORT]",
      description = "Private host that custom tools may call; repeatable.")
  private @Nullable List<String> allowHosts;

  @Option(
      names = "--allow-env",
      paramLabel = "NAME",
      description = "Environment variable that $${env.NAME} may read; repeatable.")
  private @Nullable List<String> allowEnv;

  @Option(
      names = "--public-url",
      paramLabel = "URL",
      description = "Public URL of the daemon, such as https://team.example.")
  private @Nullable String publicUrl;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "Certificate chain (PEM) for HTTPS; needs --tls-key.")
  private @Nullable Path tlsCert;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Private key of --tls-cert (PEM, not encrypted).")
  private @Nullable Path tlsKey;

  private static final String ROOT_WARNING =
      "warning: the daemon runs as root. Run it as an unprivileged user instead, for example:"
          + " setpriv --reuid=1000 --regid=1000 --init-groups ./substrat up";

  public static void main(String... args) {
    Log.keepUntilTheEnd();
    var command = new CommandLine(new DaemonMain());
    command.setUsageHelpAutoWidth(true);
    command.setParameterExceptionHandler((e, _) -> misuse(e));
    command.setExecutionExceptionHandler((failure, _, _) -> report(failure));
    System.exit(command.execute(args));
  }

  @Override
  public Integer call() throws InterruptedException {
    DaemonSettings settings = settings();
    LogLineFormatter.install(settings.logLevel());
    try (var daemon = Daemon.start(settings, System.getenv())) {
      var watchdog = new StopWatchdog(settings.stopGrace());
      Runtime.getRuntime().addShutdownHook(new Thread(watchdog::start, "watch stop"));
      Runtime.getRuntime().addShutdownHook(new Thread(daemon::close, "stop"));
      out().println("substrat ready " + daemon.url());
      if (SandboxUser.isDaemonRoot()) {
        err().println(ROOT_WARNING);
      }
      daemon.awaitStop();
      watchdog.start();
    }
    return 0;
  }

  DaemonSettings settings() {
    return DaemonSettings.of(
        new DaemonSettings.CommandLineFlags(
            config,
            data,
            host,
            port,
            database,
            slots,
            logLevel,
            allowHosts,
            allowEnv,
            publicUrl,
            tlsCert,
            tlsKey));
  }

  private static int misuse(ParameterException e) {
    String option =
        e instanceof UnmatchedArgumentException unmatched
            ? unmatched.getUnmatched().getFirst().split("=", 2)[0]
            : "";
    return report(
        ErrorCode.INVALID_ARGUMENTS.fault(
            String.valueOf(e.getMessage()),
            SpellingSuggestion.suggestion(
                    option, e.getCommandLine().getCommandSpec().optionsMap().keySet())
                + "see ./substrat up --help for the options"));
  }

  private static int report(Exception failure) {
    var err = err();
    if (failure instanceof Fault fault) {
      err.println("error " + fault.code() + ": " + fault.message());
      List<Problem.ProblemDetail> details = fault.problem().details();
      if (details != null && details.size() > 1) {
        details.forEach(one -> err.println("  " + one.pointer() + "  " + one.message()));
      }
      err.println("hint: " + fault.hint());
      return fault.code().kind().exitCode();
    }
    failure.printStackTrace(err);
    return 1;
  }

  private static PrintStream err() {
    return new PrintStream(System.err, true, StandardCharsets.UTF_8);
  }

  private static PrintStream out() {
    return new PrintStream(System.out, true, StandardCharsets.UTF_8);
  }

  /// Ends the process at once if it gets a second stop signal, or if a graceful stop takes too
  /// long. What is cut short is recovered by the next start, like after a kill.
  ///
  /// The JVM stops at the first SIGTERM or SIGINT and ignores later ones, and there is no supported
  /// interface to handle signals. But it starts a thread named after each signal, which lives until
  /// the process ends: two of them are two signals.
  ///
  /// Safe for many threads.
  private static final class StopWatchdog {
    private static final Log LOG = Log.of(StopWatchdog.class);

    /// Time for everything but turns: pending calls, open requests, the database.
    private static final Duration REST = Duration.ofSeconds(60);

    private static final Duration EVERY = Duration.ofMillis(100);
    private static final List<String> HANDLERS = List.of("SIGTERM handler", "SIGINT handler");

    /// Exit code of a process that SIGTERM ended.
    private static final int TERMINATED = 128 + 15;

    private final Duration limit;
    private final AtomicBoolean isStarted = new AtomicBoolean();

    /// `stopGrace` is the time for running turns.
    StopWatchdog(Duration stopGrace) {
      this.limit = stopGrace.plus(REST);
    }

    /// Watches from now on: the daemon is stopping.
    void start() {
      if (!isStarted.getAndSet(true)) {
        Thread.ofPlatform().daemon().name("stop-watchdog").start(this::watch);
      }
    }

    private void watch() {
      long end = System.nanoTime() + limit.toNanos();
      try {
        while (signals() < 2 && System.nanoTime() - end < 0) {
          Thread.sleep(EVERY);
        }
      } catch (InterruptedException e) {
        // Nothing interrupts it; then it does not watch.
        Thread.currentThread().interrupt();
        return;
      }
      LOG.warn(
          signals() < 2
              ? "the stop took too long: the daemon ends at once"
              : "second stop signal: the daemon ends at once");
      Runtime.getRuntime().halt(TERMINATED);
    }

    private static long signals() {
      return Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> HANDLERS.contains(thread.getName()))
          .count();
    }
  }
}
