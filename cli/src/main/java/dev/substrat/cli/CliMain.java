package dev.substrat.cli;

import dev.substrat.cli.terminal.CommandEnvironment;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Terminal;
import java.util.List;

/// Entry point of the command line client. Runs one command; an error is printed as message and
/// hint, and sets the exit code.
public final class CliMain {

  private CliMain() {}

  public static void main(String[] args) {
    var screen = Terminal.system();
    int code = run(screen, ArgumentDecoder.arguments(args));
    screen.out().flush();
    screen.err().flush();
    // Not System.exit: it searches every jar for a logger first, and there are no shutdown hooks.
    Runtime.getRuntime().halt(code);
  }

  /// Names of all commands, such as `agent list`, in help order.
  public static List<String> commands(Terminal screen) {
    return PicocliRunner.commands(new RootCommand(screen, CommandEnvironment.current()));
  }

  /// For tests and for programs that embed the command line.
  public static int run(Terminal screen, String... args) {
    return run(screen, CommandEnvironment.current(), args);
  }

  /// Runs a command in the given environment.
  public static int run(Terminal screen, CommandEnvironment machine, String... args) {
    var failures = new FailureReporter(screen, List.of(args).contains("--json"));
    try {
      var shortcut = FastCommands.find(new RootCommand(screen, machine), args);
      if (shortcut.isPresent()) {
        shortcut.get().run();
        return 0;
      }
      return PicocliRunner.run(new RootCommand(screen, machine), failures, args);
    } catch (RuntimeException e) {
      return failures.report(e);
    }
  }
}
