package dev.substrat.cli.wire;

import dev.substrat.protocol.DataFolder;
import java.nio.file.Path;

/// Where a daemon keeps its files, and how to name that place in a command that is to be copied.
public final class DataDirectoryOption {
  private static final String HARMLESS = "[A-Za-z0-9_./:@%+=,-]+";

  private DataDirectoryOption() {}

  /// `SUBSTRAT_DATA`, or `.substrat` in the home directory, as for the daemon.
  public static Path usual() {
    return DataFolder.usual(System.getenv());
  }

  public static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  /// A command that means this directory: it has to be named only when it is not the usual one.
  public static String command(String words, Path directory) {
    boolean isUsual = absolute(directory).equals(usual());
    return "./substrat " + words + (isUsual ? "" : " --data " + quoted(directory.toString()));
  }

  private static String quoted(String word) {
    return word.matches(HARMLESS) ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
