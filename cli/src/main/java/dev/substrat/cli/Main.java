package dev.substrat.cli;

import dev.substrat.cli.shell.Machine;
import dev.substrat.cli.shell.Screen;
import dev.substrat.cli.shell.Shell;
import java.util.List;

/// The command `substrat`: reads its arguments, runs one command, and turns every failure into two
/// lines and an exit code.
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    var screen = Screen.system();
    int code = run(screen, Typed.arguments(args));
    screen.out().flush();
    screen.err().flush();
    // Not System.exit: it looks for a logger first, through every jar, and we have no hooks to run.
    Runtime.getRuntime().halt(code);
  }

  /// For tests and for programs that embed the command line.
  public static int run(Screen screen, String... args) {
    return run(screen, Machine.here(), args);
  }

  /// The same on another machine, as far as commands look at it through this.
  public static int run(Screen screen, Machine machine, String... args) {
    var failures = new Failures(screen, List.of(args).contains("--json"));
    try {
      var shortcut = Shortcut.find(new Shell(screen, machine), args);
      if (shortcut.isPresent()) {
        shortcut.get().run();
        return 0;
      }
      return LongWay.run(new Shell(screen, machine), failures, args);
    } catch (RuntimeException e) {
      return failures.report(e);
    }
  }
}
