package dev.substrat.cli;

import dev.substrat.cli.terminal.RootCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/// The way through the command line library: options, help, completion, what was misspelt.
final class PicocliRunner {

  private PicocliRunner() {}

  static int run(RootCommand shell, FailureReporter failures, String[] typed) {
    String[] args = ArgumentAliases.rewrite(typed);
    CommandLine line = commandLine(shell, args);
    args = ArgumentAliases.removeHelpForUnknownCommand(line, args);
    line.setParameterExceptionHandler((e, _) -> failures.usageError(e));
    line.setExecutionExceptionHandler((e, _, _) -> failures.report(e));
    return line.execute(args);
  }

  static List<String> commands(RootCommand shell) {
    var line = new CommandLine(shell);
    CommandCatalog.registerAll(line, shell);
    return names("", line).toList();
  }

  /// Those below a command, or its own if there are none below it.
  private static Stream<String> names(String name, CommandLine line) {
    return line.getSubcommands().isEmpty()
        ? Stream.of(name)
        : line.getSubcommands().entrySet().stream()
            .flatMap(one -> names((name + " " + one.getKey()).strip(), one.getValue()));
  }

  private static CommandLine commandLine(RootCommand shell, String[] args) {
    var line = new CommandLine(shell);
    CommandCatalog.register(line, shell, args);
    var screen = shell.terminal();
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(screen.hasColours() ? Ansi.ON : Ansi.OFF));
    line.setOut(new PrintWriter(screen.out(), true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(screen.err(), true, StandardCharsets.UTF_8));
    HelpLayout.apply(line);
    return line;
  }
}
