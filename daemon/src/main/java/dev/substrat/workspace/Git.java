package dev.substrat.workspace;

import dev.substrat.fault.Fault;
import dev.substrat.process.ChildProcess;
import dev.substrat.process.ChildProcess.Launch;
import dev.substrat.process.ChildProcess.Output;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.sandbox.Sandbox;
import dev.substrat.sandbox.Walls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/// Git, for repositories that agents write to: what is configured there may be a trap, so nothing
/// that it names is run, and git itself is behind walls where there are any.
final class Git {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MOST_CHARACTERS = 100_000;

  private static final List<String> HARMLESS =
      List.of(
          "git",
          "-c",
          "core.hooksPath=/dev/null",
          "-c",
          "core.fsmonitor=false",
          "-c",
          "core.pager=cat",
          "-c",
          "commit.gpgSign=false",
          "-c",
          "safe.directory=*");

  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "GIT_CONFIG_NOSYSTEM",
          "1",
          "GIT_CONFIG_GLOBAL",
          "/dev/null",
          "GIT_TERMINAL_PROMPT",
          "0",
          "LC_ALL",
          "C.UTF-8");

  private final Sandbox sandbox;
  private final List<Path> folders;

  /// It can change what is in `folders`, and nothing else.
  Git(Sandbox sandbox, List<Path> folders) {
    this.sandbox = sandbox;
    this.folders = folders;
  }

  /// What it said; a fault if it could not do it.
  String in(Path directory, String... arguments) {
    Said said = run(directory, List.of(arguments));
    if (said.code() != 0) {
      throw new Fault(
          ErrorCode.UPSTREAM_ERROR,
          "git %s failed: %s".formatted(arguments[0], said.complaint()),
          "look at the repository in " + directory);
    }
    return said.text();
  }

  /// What it said, if it could do it.
  Optional<String> tryIn(Path directory, String... arguments) {
    Said said = run(directory, List.of(arguments));
    return said.code() == 0 ? Optional.of(said.text()) : Optional.empty();
  }

  private record Said(int code, String text, String complaint) {}

  private Said run(Path directory, List<String> arguments) {
    var command = new ArrayList<>(HARMLESS);
    command.addAll(arguments);
    var launch = new Launch(command, directory, ENVIRONMENT, UnaryOperator.identity());
    Walls walls = Walls.BARE;
    for (Path folder : folders) {
      walls = walls.writing(folder);
    }
    try (var child = ChildProcess.start(sandbox.launch(launch, walls))) {
      child.endInput();
      String text = listen(child);
      OptionalInt code = child.exit(PATIENCE);
      return new Said(code.orElse(-1), text, child.lastWords());
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.UPSTREAM_ERROR,
          "git cannot be started: " + e.getMessage(),
          "install git on the daemon's machine",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Fault(ErrorCode.STOPPING, "git was interrupted", "try again", e);
    }
  }

  /// All lines, as far as anybody will read them.
  private static String listen(ChildProcess child) throws InterruptedException {
    var text = new StringBuilder();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      Optional<Output> said = child.take(Duration.ofSeconds(1));
      if (said.isPresent() && said.get() instanceof Output.Line line) {
        if (text.length() < MOST_CHARACTERS) {
          text.append(line.text()).append('\n');
        }
      } else if (said.isPresent()) {
        break;
      }
    }
    return text.toString();
  }
}
