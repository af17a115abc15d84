package dev.substrat.cli.client;

import dev.substrat.protocol.DefaultDataDirectory;
import java.nio.file.Path;

/// Data directory of the daemon, and the option for it in suggested commands.
public final class DataDirectoryOption {
  private static final String HARMLESS = "[A-Za-z0-9_./:@%+=,-]+";

  private DataDirectoryOption() {}

  /// `SUBSTRAT_DATA`, or `.substrat` in the home directory, as for the daemon.
  public static Path defaultDirectory() {
    return DefaultDataDirectory.defaultPath(System.getenv());
  }

  public static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  /// A command line for this directory; `--data` is added if it is not the default.
  public static String command(String words, Path directory) {
    boolean isUsual = absolute(directory).equals(defaultDirectory());
    return "./substrat " + words + (isUsual ? "" : " --data " + quoted(directory.toString()));
  }

  private static String quoted(String word) {
    return word.matches(HARMLESS) ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
