package dev.substrat.cli.terminal;

import dev.substrat.protocol.DefaultDataDirectory;
import dev.substrat.protocol.ErrorCode;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Environment of a command: variables, home directory, working directory, operating system.
///
/// The directories are stored as text, because in a C locale not every name can be converted to a
/// path and not every command needs them.
public record CommandEnvironment(
    Map<String, String> environment, String home, String directory, OperatingSystem kind) {

  /// Operating system, for the location of configuration files.
  public enum OperatingSystem {
    LINUX,
    MAC,
    WINDOWS
  }

  public CommandEnvironment {
    environment = Map.copyOf(environment);
  }

  /// The environment of this process.
  public static CommandEnvironment current() {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    OperatingSystem kind =
        system.contains("windows")
            ? OperatingSystem.WINDOWS
            : system.contains("mac") ? OperatingSystem.MAC : OperatingSystem.LINUX;
    String home = DefaultDataDirectory.home(System.getenv());
    return new CommandEnvironment(System.getenv(), home, System.getProperty("user.dir", "."), kind);
  }

  public Path homeFolder() {
    return path(home);
  }

  public Path workingFolder() {
    return path(directory);
  }

  /// An empty variable counts as not set.
  public Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  /// The directory that a variable names.
  public Optional<Path> folder(String variable) {
    return variable(variable).map(CommandEnvironment::path);
  }

  private static Path path(String name) {
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "the path %s cannot be used in this locale".formatted(name),
          "try again with LC_ALL=C.UTF-8",
          e);
    }
  }

  public boolean has(String program) {
    return Stream.of(variable("PATH").orElse("").split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> path(folder).resolve(program))
        .anyMatch(file -> Files.isRegularFile(file) && Files.isExecutable(file));
  }
}
