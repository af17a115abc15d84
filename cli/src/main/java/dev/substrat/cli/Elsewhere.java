package dev.substrat.cli;

import dev.substrat.cli.shell.Shell;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Commands that the `./substrat` script starts from other programs. They are declared here so that
/// help and completion know them.
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
    @Option(names = "--port", paramLabel = "N", description = "Port; 0 = any (default: 7420).")
    @Nullable Integer port;

    @Option(names = "--host", description = "Address to listen on (default: 127.0.0.1).")
    @Nullable String host;

    @Option(names = "--db", paramLabel = "URL", description = "Database (default: embedded).")
    @Nullable String database;

    @Option(names = "--slots", paramLabel = "N", description = "Turns at a time (default: 4).")
    @Nullable Integer slots;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings of the daemon.")
    @Nullable String config;

    @Option(
        names = "--allow-host",
        paramLabel = "HOST[:PORT]",
        description = "A blocked address that tools may call; repeatable.")
    @Nullable List<String> hosts;

    @Option(
        names = "--allow-env",
        paramLabel = "NAME",
        description = "A variable that ${env.NAME} may read; repeatable.")
    @Nullable List<String> variables;

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
    @Option(names = "--once", description = "Run the scenario to its end, then exit.")
    boolean once;

    Demo(Shell unused) {}

    @Override
    public void run() {
      throw fault("demo");
    }
  }
}
