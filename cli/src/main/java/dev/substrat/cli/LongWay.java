package dev.substrat.cli;

import dev.substrat.cli.shell.Shell;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/// The way through the command line library: options, help, completion, what was misspelt.
final class LongWay {

  private LongWay() {}

  static int run(Shell shell, Failures failures, String[] typed) {
    String[] args = Rewording.of(typed);
    CommandLine line = commandLine(shell, args);
    args = Rewording.askingForSomething(line, args);
    line.setParameterExceptionHandler((e, _) -> failures.misuse(e));
    line.setExecutionExceptionHandler((e, _, _) -> failures.report(e));
    return line.execute(args);
  }

  private static CommandLine commandLine(Shell shell, String[] args) {
    var line = new CommandLine(shell);
    Catalogue.register(line, shell, args);
    var screen = shell.screen();
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(screen.hasColours() ? Ansi.ON : Ansi.OFF));
    line.setOut(new PrintWriter(screen.out(), true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(screen.err(), true, StandardCharsets.UTF_8));
    HelpPage.layOut(line);
    return line;
  }
}
