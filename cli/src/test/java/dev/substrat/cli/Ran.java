package dev.substrat.cli;

import dev.substrat.cli.terminal.CommandEnvironment;
import dev.substrat.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Output and exit code of a command.
record Ran(int code, String out, String err) {

  static Ran of(String... args) {
    return of(CommandEnvironment.current(), args);
  }

  static Ran of(CommandEnvironment machine, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int code =
        CliMain.run(
            Terminal.of(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8)),
            machine,
            args);
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
