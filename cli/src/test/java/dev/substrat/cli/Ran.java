package dev.substrat.cli;

import dev.substrat.cli.shell.Machine;
import dev.substrat.cli.shell.Screen;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// What a command printed and how it ended.
record Ran(int code, String out, String err) {

  static Ran of(String... args) {
    return of(Machine.here(), args);
  }

  static Ran of(Machine machine, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int code =
        Main.run(
            Screen.of(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8)),
            machine,
            args);
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
