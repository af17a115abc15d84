package dev.substrat.cli;

import dev.substrat.cli.shell.RootCommand;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Commands that the `./substrat` script starts from other programs. They and their options are
/// declared here so that help and completion know the names; what they mean is their own matter.
final class ScriptCommands {

  private ScriptCommands() {}

  private static Fault fault(String command) {
    return new Fault(
        ErrorCode.INVALID_ARGUMENTS,
        "'%s' does not run inside the command line client".formatted(command),
        "use the script at the root of Substrat, without --url: ./substrat " + command);
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
    @Option(names = "--port", paramLabel = "N", description = "TCP port; 0 picks a free one.")
    @Nullable String port;

    @Option(names = "--host", paramLabel = "ADDR", description = "Address to listen on.")
    @Nullable String host;

    @Option(names = "--db", paramLabel = "URL", description = "PostgreSQL instead of a file.")
    @Nullable String database;

    @Option(names = "--slots", paramLabel = "N", description = "How many agents think at a time.")
    @Nullable String slots;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings, YAML.")
    @Nullable Path config;

    @Option(names = "--log", paramLabel = "LEVEL", description = "debug, info, warn or error.")
    @Nullable String logLevel;

    @Option(
        names = "--allow-host",
        paramLabel = "HOST[:PORT]",
        description = "A host that is not public and that configured tools may call; repeatable.")
    @Nullable List<String> allowHosts;

    @Option(
        names = "--allow-env",
        paramLabel = "NAME",
        description = "An environment variable that configured tools may use; repeatable.")
    @Nullable List<String> allowEnv;

    @Option(
        names = "--public-url",
        paramLabel = "URL",
        description = "Where other machines find the daemon, such as https://team.example.")
    @Nullable String publicUrl;

    @Option(
        names = "--tls-cert",
        paramLabel = "FILE",
        description = "HTTPS with this certificate chain (PEM).")
    @Nullable Path tlsCert;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Private key of --tls-cert.")
    @Nullable Path tlsKey;

    Up(RootCommand unused) {}

    @Override
    public void run() {
      throw fault("up");
    }
  }

  @Command(
      description = "Show a scripted team at work; needs no key and no model.",
      footer = {"  ./substrat demo", "  ./substrat demo --once", ""})
  static final class Demo implements Runnable {
    @Option(names = "--once", description = "One question and its answer, then the end.")
    boolean once;

    @Option(names = "--port", paramLabel = "N", description = "TCP port (default: any free one).")
    @Nullable String port;

    Demo(RootCommand unused) {}

    @Override
    public void run() {
      throw fault("demo");
    }
  }

  @Command(
      description = "Speak MCP on stdin and stdout for one agent; MCP clients start this.",
      footer = {
        "  ./substrat mcp --agent mira",
        "  ./substrat mcp --agent mira --token-file mira.token --data /srv/substrat",
        "  ./substrat mcp --zoo --default mira",
        ""
      })
  static final class Mcp implements Runnable {
    @Option(names = "--agent", paramLabel = "A", description = "Whom the client acts as.")
    @Nullable String agent;

    @Option(names = "--zoo", description = "Act as the zoo's visitor instead of an agent.")
    boolean zoo;

    @Option(
        names = "--default",
        paramLabel = "A",
        description = "With --zoo: the agent that a fresh chat becomes.")
    @Nullable String standard;

    Mcp(RootCommand unused) {}

    @Override
    public void run() {
      throw fault("mcp");
    }
  }
}
