package dev.substrat.cli;

import dev.substrat.cli.shell.Shell;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import picocli.CommandLine.Command;

/// Commands that the `./substrat` script starts from other programs. They are declared here so that
/// help and completion know their names; their options are their own.
final class Elsewhere {

  private Elsewhere() {}

  private static Fault fault(String command) {
    return new Fault(
        ErrorCode.INVALID_ARGUMENTS,
        "'%s' does not run inside the command line client".formatted(command),
        "use the script at the root of Substrat: ./substrat " + command);
  }

  @Command(
      description = "Run the daemon in the foreground.",
      footer = {
        "  ./substrat up",
        "  ./substrat up --port 0 --data /tmp/harbor",
        "  ./substrat up --db jdbc:postgresql://localhost/substrat --slots 8",
        ""
      })
  static final class Up implements Runnable {
    Up(Shell unused) {}

    @Override
    public void run() {
      throw fault("up");
    }
  }

  @Command(
      description = "Show a scripted team at work; needs no key and no model.",
      footer = {"  ./substrat demo", "  ./substrat demo --once", ""})
  static final class Demo implements Runnable {
    Demo(Shell unused) {}

    @Override
    public void run() {
      throw fault("demo");
    }
  }
}
