package dev.substrat.cli;

import dev.substrat.cli.terminal.CommandEnvironment;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Terminal;
import java.util.List;

/// The command `substrat`: reads its arguments, runs one command, and turns every failure into two
/// lines and an exit code.
public final class CliMain {

  private CliMain() {}

  public static void main(String[] args) {
    var screen = Terminal.system();
    int code = run(screen, TypedArguments.arguments(args));
    screen.out().flush();
    screen.err().flush();
    // Not System.exit: it looks for a logger first, through every jar, and we have no hooks to run.
    Runtime.getRuntime().halt(code);
  }

  /// The names of all commands, such as `agent list`, in the order in which help shows them.
  public static List<String> commands(Terminal screen) {
    return PicocliRunner.commands(new RootCommand(screen, CommandEnvironment.current()));
  }

  /// For tests and for programs that embed the command line.
  public static int run(Terminal screen, String... args) {
    return run(screen, CommandEnvironment.current(), args);
  }

  /// The same on another machine, as far as commands look at it through this.
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
