package dev.substrat.platform.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds the executable of a command name in PATH, as the operating system would.
public record ExecutableLookup(String path, Path directory) {
  /// As for a program that we start ourselves.
  public static ExecutableLookup ofDaemon() {
    return new ExecutableLookup(Objects.requireNonNullElse(System.getenv("PATH"), ""), Path.of(""));
  }

  /// The file that is started; empty if there is none, or none that may be.
  public Optional<Path> find(String word) {
    Stream<Path> places =
        word.contains("/")
            ? Stream.of(directory.resolve(word))
            : Stream.of(path.split(File.pathSeparator))
                .filter(place -> !place.isEmpty())
                .map(place -> Path.of(place, word));
    return places.filter(file -> Files.isRegularFile(file) && Files.isExecutable(file)).findFirst();
  }
}
