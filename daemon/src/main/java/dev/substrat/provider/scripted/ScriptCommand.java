package dev.substrat.provider.scripted;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.team.ProviderConfig;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The program of a scripted agent, and its working directory.
///
/// Only a person can configure one: spawned agents inherit their parent's.
record ScriptCommand(List<String> words, Path directory) {
  private static final int MAX_WORDS = 64;

  ScriptCommand {
    words = List.copyOf(words);
  }

  /// The default working directory of a command.
  enum DefaultDirectory {
    /// Working directory of the daemon when the agent was created.
    DAEMON,
    /// The agent's workspace.
    WORKSPACE
  }

  /// The settings completed with everything that later turns need.
  static ProviderConfig prepare(ProviderConfig settings, DefaultDirectory home) {
    if (settings.command() == null) {
      throw invalid("/provider/directory is only allowed with a command", "omit the key");
    }
    if (settings.playbook() != null || settings.playbookFile() != null) {
      throw invalid(
          "a scripted agent has either a playbook or a command", "omit `playbook` or `command`");
    }
    ScriptCommand command = of(settings);
    boolean isInWorkspace = home == DefaultDirectory.WORKSPACE && settings.directory() == null;
    command.requireStartable(isInWorkspace);
    return ProviderConfig.scripted(
        settings.name(),
        settings.model(),
        null,
        settings.chaos(),
        command.words,
        isInWorkspace ? null : command.directory.toString());
  }

  static ScriptCommand of(ProviderConfig settings) {
    List<String> words = Objects.requireNonNullElse(settings.command(), List.of());
    return new ScriptCommand(words, directory(settings.directory()));
  }

  /// The same command in another directory.
  ScriptCommand in(Path place) {
    return new ScriptCommand(words, place);
  }

  /// The executable file, if it is found.
  Optional<Path> program() {
    return places(words.getFirst()).filter(ScriptCommand::isProgram).findFirst();
  }

  /// The program and the other files that the command names.
  Stream<Path> files() {
    return Stream.concat(
        program().stream(),
        words.stream()
            .skip(1)
            .filter(word -> word.startsWith("/") && word.indexOf(0) < 0)
            .map(Path::of)
            .filter(Files::isRegularFile));
  }

  /// Default: the working directory of the daemon when the agent is created.
  private static Path directory(@Nullable String wanted) {
    Path path = Path.of(wanted == null ? "" : wanted);
    if (wanted != null && !path.isAbsolute()) {
      throw invalid("/provider/directory must be an absolute path", "write the full path");
    }
    return path.toAbsolutePath().normalize();
  }

  /// A program with a path relative to the workspace may be created later.
  private void requireStartable(boolean isInWorkspace) {
    if (words.isEmpty() || words.size() > MAX_WORDS || words.getFirst().isBlank()) {
      throw invalid(
          "/provider/command must have 1 to " + MAX_WORDS + " words, starting with the program",
          "for example [python3, agent.py]");
    }
    if (!Files.isDirectory(directory)) {
      throw invalid("directory not found: " + directory, "create it on the daemon's machine");
    }
    String program = words.getFirst();
    boolean mayCome = isInWorkspace && program.contains("/") && !program.startsWith("/");
    if (!mayCome && program().isEmpty()) {
      throw invalid(
          "program not found: " + program,
          "use an absolute path, a path relative to " + directory + ", or a name on its PATH");
    }
  }

  private Stream<Path> places(String program) {
    return program.contains("/")
        ? Stream.of(directory.resolve(program))
        : Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
            .filter(place -> !place.isEmpty())
            .map(place -> Path.of(place, program));
  }

  private static boolean isProgram(Path path) {
    return Files.isRegularFile(path) && Files.isExecutable(path);
  }

  private static Fault invalid(String message, String hint) {
    return ErrorCode.INVALID_CONFIG.fault(message, hint);
  }
}
