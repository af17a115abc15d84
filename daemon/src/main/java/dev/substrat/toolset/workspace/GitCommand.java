package dev.substrat.toolset.workspace;

import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.LaunchParameters;
import dev.substrat.platform.process.ChildProcess.ProcessOutput;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.platform.sandbox.SandboxPolicy.SandboxLevel;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/// Runs git in repositories that agents can write to. Their configuration may be malicious, so no
/// program that it names is executed, and git itself runs in the sandbox if there is one.
final class GitCommand {
  /// Configuration keys of filters: `filter.NAME.KEY`.
  static final String KEYS = "^filter\\..*\\.";

  /// Exit code of git if there are none.
  static final int NONE = 1;

  private static final String PREFIX = "filter.";
  private static final Map<String, String> OFF =
      Map.of("clean", "", "smudge", "", "process", "", "required", "false");
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int MAX_CHARACTERS = 100_000;

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
          "maintenance.auto=false",
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
          // Missing objects are not fetched: the transport would be configured in the repository.
          "GIT_ALLOW_PROTOCOL",
          "",
          "LC_ALL",
          "C.UTF-8");

  private final Sandbox sandbox;
  private final SandboxPolicy policy;
  private final List<String> place;
  private final Map<String, String> environment;

  /// Git can change only `folders` and the git directory `common`, without the files that git
  /// executes.
  GitCommand(Sandbox sandbox, SandboxLevel strength, Path common, List<Path> folders) {
    this(sandbox, around(strength, common, folders), List.of(), ENVIRONMENT);
  }

  private GitCommand(
      Sandbox sandbox, SandboxPolicy policy, List<String> place, Map<String, String> environment) {
    this.sandbox = sandbox;
    this.policy = policy;
    this.place = place;
    this.environment = environment;
  }

  private static SandboxPolicy around(SandboxLevel strength, Path common, List<Path> folders) {
    SandboxPolicy all = SandboxPolicy.BARE.as(strength).writing(common);
    for (Path folder : folders) {
      all = all.writing(folder);
    }
    return GitGuard.sealed(all, common);
  }

  /// The same for one worktree, ignoring the repository that the worktree names.
  GitCommand of(Path own, Path worktree) {
    return new GitCommand(
        sandbox, policy, List.of("--git-dir=" + own, "--work-tree=" + worktree), environment);
  }

  /// The same, with a separate git index.
  GitCommand withIndex(Path index) {
    var more = new HashMap<>(environment);
    more.put("GIT_INDEX_FILE", index.toString());
    return new GitCommand(sandbox, policy, place, Map.copyOf(more));
  }

  /// Output of git. `isCut` if it was too long; then git was stopped, and the exit code has no
  /// meaning.
  record CommandResult(int code, String text, String complaint, boolean isCut) {
    boolean isGood() {
      return isCut || code == 0;
    }
  }

  /// Runs a command that reads or writes files; throws a fault if it fails. Filters in the
  /// repository's configuration are programs, so they are disabled.
  CommandResult in(Path directory, String... arguments) {
    CommandResult said = attempt(directory, arguments);
    if (!said.isGood()) {
      throw failed(directory, arguments[0], said);
    }
    return said;
  }

  /// The same, but returns a failure as a result.
  CommandResult attempt(Path directory, String... arguments) {
    return run(directory, List.of(arguments), disabled(filters(directory)));
  }

  private List<String> filters(Path directory) {
    CommandResult said =
        run(directory, List.of("config", "--name-only", "--get-regexp", KEYS), Map.of());
    if (said.isCut() || said.code() > NONE || said.code() < 0) {
      throw failed(directory, "config", said);
    }
    return said.text().lines().toList();
  }

  private static Fault failed(Path directory, String what, CommandResult said) {
    return ErrorCode.UPSTREAM_ERROR.fault(
        "git %s failed: %s".formatted(what, said.complaint()),
        "check the repository in " + directory);
  }

  /// Runs a command that applies no filters; empty if it fails.
  Optional<String> ask(Path directory, String... arguments) {
    CommandResult said = run(directory, List.of(arguments), Map.of());
    return said.isGood() ? Optional.of(said.text()) : Optional.empty();
  }

  private CommandResult run(Path directory, List<String> arguments, Map<String, String> more) {
    var command = new ArrayList<>(HARMLESS);
    command.addAll(place);
    command.addAll(arguments);
    var variables = new HashMap<>(environment);
    variables.putAll(more);
    var launch = new LaunchParameters(command, directory, variables, UnaryOperator.identity());
    try (var child = ChildProcess.start(sandbox.launch(launch, policy))) {
      child.endInput();
      var text = new StringBuilder();
      if (!listen(child, text)) {
        return new CommandResult(-1, text.toString(), "", true);
      }
      OptionalInt code = child.exit(TIMEOUT);
      return new CommandResult(code.orElse(-1), text.toString(), child.lastWords(), false);
    } catch (IOException e) {
      throw ErrorCode.UPSTREAM_ERROR.fault(
          "cannot start git: " + e.getMessage(), "install git on the daemon's machine", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ErrorCode.STOPPING.fault("git was interrupted", "try again", e);
    }
  }

  /// Reads all lines; false if there are too many, or a line is too long.
  private static boolean listen(ChildProcess child, StringBuilder text)
      throws InterruptedException {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (System.nanoTime() < end) {
      switch (child.take(Duration.ofSeconds(1)).orElse(null)) {
        case null -> {
          // More output follows.
        }
        case ProcessOutput.OutputLine line -> {
          text.append(line.text()).append('\n');
          if (text.length() > MAX_CHARACTERS) {
            return false;
          }
        }
        case ProcessOutput.OversizedLine _ -> {
          return false;
        }
        case ProcessOutput.EndOfOutput _ -> {
          return true;
        }
      }
    }
    return true;
  }

  /// Environment variables that disable these filters. A name may contain any character, so on the
  /// command line it could be read as something else.
  private static Map<String, String> disabled(List<String> keys) {
    var names = new TreeSet<String>();
    for (String key : keys) {
      names.add(key.substring(PREFIX.length(), key.lastIndexOf('.')));
    }
    var environment = new HashMap<String, String>();
    int count = 0;
    for (String name : names) {
      for (var setting : OFF.entrySet()) {
        environment.put("GIT_CONFIG_KEY_" + count, PREFIX + name + "." + setting.getKey());
        environment.put("GIT_CONFIG_VALUE_" + count++, setting.getValue());
      }
    }
    environment.put("GIT_CONFIG_COUNT", String.valueOf(count));
    return environment;
  }
}
