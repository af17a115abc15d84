package dev.substrat.protocol;

import java.nio.file.Path;
import java.util.Map;

/// Default data directory, shared by the daemon and its clients.
public final class DefaultDataDirectory {
  private static final String NAME = ".substrat";

  private DefaultDataDirectory() {}

  /// `SUBSTRAT_DATA`, or `.substrat` in the home directory.
  public static Path defaultPath(Map<String, String> environment) {
    String chosen = environment.getOrDefault("SUBSTRAT_DATA", "");
    return chosen.isBlank() ? atHome(environment) : absolute(chosen);
  }

  /// `.substrat` in the home directory.
  public static Path atHome(Map<String, String> environment) {
    return absolute(home(environment)).resolve(NAME);
  }

  /// `HOME`, by which all other programs go; the JVM alone would ask the user database.
  public static String home(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", "");
    return home.isBlank() ? System.getProperty("user.home") : home;
  }

  private static Path absolute(String path) {
    return Path.of(path).toAbsolutePath().normalize();
  }
}
