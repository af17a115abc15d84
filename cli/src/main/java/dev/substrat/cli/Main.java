package dev.substrat.cli;

import dev.substrat.cli.shell.Screen;
import java.util.List;

/// The command `substrat`: reads its arguments, runs one command, and turns every failure into two
/// lines and an exit code.
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(Screen.system(), args));
  }

  /// For tests and for programs that embed the command line.
  public static int run(Screen screen, String... args) {
    var failures = new Failures(screen, List.of(args).contains("--json"));
    try {
      var shortcut = Shortcut.find(screen, args);
      if (shortcut.isPresent()) {
        shortcut.get().run();
        return 0;
      }
      return LongWay.run(screen, failures, args);
    } catch (RuntimeException e) {
      return failures.report(e);
    }
  }
}
