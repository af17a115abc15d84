package dev.substrat.server;

import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.Log;
import dev.substrat.platform.log.LogLineFormatter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/// The daemon as `./substrat up` runs it, on a database that can kill the process. It takes the
/// same options; system properties say when to die, and where to write the observed steps if it
/// survives.
final class SelfKillingDaemon {
  static final String DEATH = "substrat.death";
  static final String STEPS = "substrat.steps";

  private SelfKillingDaemon() {}

  public static void main(String... args) throws InterruptedException {
    Log.keepUntilTheEnd();
    DaemonSettings settings = CommandLine.populateCommand(new DaemonMain(), args).settings();
    LogLineFormatter.install(settings.logLevel());
    Optional<KillPoint> death =
        Optional.ofNullable(System.getProperty(DEATH)).map(KillPoint::parse);
    try (var daemon =
        Daemon.start(
            settings,
            Map.of(),
            Daemon.DaemonClock.REAL,
            database -> new KillingDatabase(database, death, SelfKillingDaemon::write))) {
      Runtime.getRuntime().addShutdownHook(new Thread(daemon::close, "stop"));
      System.out.println("substrat ready " + daemon.url());
      daemon.awaitStop();
    }
  }

  private static void write(Map<String, Integer> steps) {
    String file = System.getProperty(STEPS);
    if (file == null) {
      return;
    }
    try {
      Files.writeString(Path.of(file), Json.text(steps));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
