package dev.substrat.cli.doctor;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A program on the PATH.
record InstalledProgram(Path file) {
  /// Some agent CLIs check for updates first; after this time the version is unknown.
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  static Optional<InstalledProgram> find(String... names) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(names)
        .flatMap(name ->
            Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name)))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst()
        .map(InstalledProgram::new);
  }

  /// The first line that the program prints on stdout, or empty if it fails or does not answer in
  /// time.
  Optional<String> firstLine(String... arguments) {
    var command = Stream.concat(Stream.of(file.toString()), Stream.of(arguments)).toList();
    Path output = null;
    try {
      output = Files.createTempFile("substrat-doctor", ".txt");
      Process process =
          new ProcessBuilder(command)
              // stderr is ignored: wrapper scripts print unrelated warnings there.
              .redirectError(Redirect.DISCARD)
              .redirectInput(new File("/dev/null"))
              .redirectOutput(output.toFile())
              .start();
      boolean worked = ended(process) && process.exitValue() == 0;
      return worked ? Optional.of(first(output)) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    } finally {
      delete(output);
    }
  }

  private static boolean ended(Process process) {
    try {
      if (process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        return true;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    return false;
  }

  private static String first(Path output) throws IOException {
    String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
    // Maven prints colour codes even to a file.
    return text.replaceAll("\u001b\\[[0-9;]*m", "")
        .lines()
        .filter(line -> !line.isBlank())
        .findFirst()
        .orElse("")
        .strip();
  }

  private static void delete(@Nullable Path file) {
    if (file != null) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException _) {
        // The system cleans its temporary directory.
      }
    }
  }
}
