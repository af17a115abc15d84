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

/// The daemon as `./substrat up` runs it, except that its database may be its death. It takes the
/// same options; when to die stands in a system property, and so does where to write which steps it
/// saw, should it live.
final class KilledDaemon {
  static final String DEATH = "substrat.death";
  static final String STEPS = "substrat.steps";

  private KilledDaemon() {}

  public static void main(String... args) throws InterruptedException {
    Log.keepUntilTheEnd();
    DaemonSettings settings = CommandLine.populateCommand(new DaemonMain(), args).settings();
    LogLineFormatter.install(settings.logLevel());
    Optional<Death> death = Optional.ofNullable(System.getProperty(DEATH)).map(Death::parse);
    try (var daemon =
        Daemon.start(
            settings,
            Map.of(),
            Daemon.Time.REAL,
            database -> new MortalDatabase(database, death, KilledDaemon::write))) {
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
