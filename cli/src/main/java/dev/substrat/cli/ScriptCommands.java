package dev.substrat.cli;

import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Commands that the `./substrat` script runs as separate programs. They are declared here, with
/// their options, only for help and completion.
final class ScriptCommands {

  private ScriptCommands() {}

  private static Fault fault(String command) {
    return ErrorCode.INVALID_ARGUMENTS.fault(
        "'%s' runs only through the ./substrat script".formatted(command),
        "run it in the root directory of Substrat, without --url: ./substrat " + command);
  }

  @Command(
      description = "Run the daemon in the foreground.",
      footer = {
        "  ./substrat up",
        "  ./substrat up --port 0 --data /tmp/harbor",
        "  ./substrat up --db jdbc:postgresql://localhost/substrat --slots 8",
        ""
      })
  static final class UpCommand implements Runnable {
    @Option(
        names = "--port",
        paramLabel = "N",
        description = "TCP port; 0 means any free port (default: 7420).")
    @Nullable String port;

    @Option(
        names = "--host",
        paramLabel = "ADDR",
        description = "Address to listen on (default: 127.0.0.1).")
    @Nullable String host;

    @Option(
        names = "--db",
        paramLabel = "URL",
        description = "JDBC URL of a PostgreSQL database (default: SQLite in --data).")
    @Nullable String database;

    @Option(
        names = "--slots",
        paramLabel = "N",
        description = "Maximum number of concurrent turns (default: 4).")
    @Nullable String slots;

    @Option(
        names = "--config",
        paramLabel = "FILE",
        description = "Settings file, YAML (default: config.yaml in --data).")
    @Nullable Path config;

    @Option(
        names = "--log",
        paramLabel = "LEVEL",
        description = "Log level: debug, info, warn or error (default: info).")
    @Nullable String logLevel;

    @Option(
        names = "--allow-host",
        paramLabel = "HOST[:PORT]",
        description = "Private host that custom tools may call; repeatable.")
    @Nullable List<String> allowHosts;

    @Option(
        names = "--allow-env",
        paramLabel = "NAME",
        description = "Environment variable that custom tools may use; repeatable.")
    @Nullable List<String> allowEnv;

    @Option(
        names = "--public-url",
        paramLabel = "URL",
        description = "URL of the daemon for other machines, such as https://team.example.")
    @Nullable String publicUrl;

    @Option(
        names = "--tls-cert",
        paramLabel = "FILE",
        description = "Certificate chain (PEM); enables HTTPS.")
    @Nullable Path tlsCert;

    @Option(
        names = "--tls-key",
        paramLabel = "FILE",
        description = "Private key for --tls-cert (PEM).")
    @Nullable Path tlsKey;

    UpCommand(RootCommand unused) {}

    @Override
    public void run() {
      throw fault("up");
    }
  }

  @Command(
      description = "Run a scripted demo team; needs no API key and no model.",
      footer = {"  ./substrat demo", "  ./substrat demo --once", ""})
  static final class DemoCommand implements Runnable {
    @Option(names = "--once", description = "Exit after the first question is answered.")
    boolean once;

    @Option(names = "--port", paramLabel = "N", description = "TCP port (default: any free port).")
    @Nullable String port;

    DemoCommand(RootCommand unused) {}

    @Override
    public void run() {
      throw fault("demo");
    }
  }

  @Command(
      description = "MCP server on stdin and stdout for one agent; started by MCP clients.",
      footer = {
        "  ./substrat mcp --agent mira",
        "  ./substrat mcp --agent mira --token-file mira.token --data /srv/substrat",
        "  ./substrat mcp --zoo --default mira",
        ""
      })
  static final class McpCommand implements Runnable {
    @Option(names = "--agent", paramLabel = "A", description = "Agent that the client acts as.")
    @Nullable String agent;

    @Option(
        names = "--zoo",
        description = "Connect as a zoo client, which loads an agent's prompt into its chat.")
    boolean zoo;

    @Option(
        names = "--default",
        paramLabel = "A",
        description = "With --zoo: agent that a new chat starts with.")
    @Nullable String standard;

    McpCommand(RootCommand unused) {}

    @Override
    public void run() {
      throw fault("mcp");
    }
  }
}
