package dev.substrat.provider.agentcli;

import dev.substrat.platform.log.Log;
import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.ProcessOutput;
import dev.substrat.platform.process.ExecutableLookup;
import dev.substrat.platform.sandbox.ProgramFiles;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// A program on this machine, given by its command line.
record CliProgram(List<String> words) {
  private static final Log LOG = Log.of(CliProgram.class);

  /// Some programs check for updates first.
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  boolean isInstalled() {
    return find().isPresent();
  }

  /// The executable file.
  Optional<Path> find() {
    return ExecutableLookup.ofDaemon().find(words.getFirst());
  }

  /// First line of `--version`, run in a sandbox with an empty home directory; empty if it fails or
  /// takes too long.
  Optional<String> version(Sandbox sandbox) {
    var command = new ArrayList<>(words);
    command.add("--version");
    try {
      Path nowhere = Files.createTempDirectory("substrat-probe-");
      sandbox.handOver(nowhere);
      var launch =
          new ChildProcess.LaunchParameters(
              command, nowhere, Map.of("HOME", nowhere.toString()), UnaryOperator.identity());
      SandboxPolicy policy =
          ProgramFiles.of(words.getFirst()).in(SandboxPolicy.BARE.writing(nowhere));
      try (var child = ChildProcess.start(sandbox.launch(launch, policy))) {
        child.endInput();
        return firstLine(child);
      } finally {
        delete(nowhere);
      }
    } catch (IOException e) {
      LOG.debug("cannot start a program", "program", words.getFirst(), "reason", e);
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static Optional<String> firstLine(ChildProcess child) throws InterruptedException {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (true) {
      Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
      switch (child.take(left).orElse(null)) {
        case ProcessOutput.OutputLine line -> {
          if (!line.text().isBlank()) {
            return Optional.of(line.text().strip());
          }
        }
        case ProcessOutput.OversizedLine _, ProcessOutput.EndOfOutput _ -> {
          return Optional.empty();
        }
        case null -> {
          return Optional.empty();
        }
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path one : all.toList().reversed()) {
        Files.deleteIfExists(one);
      }
    }
  }
}
