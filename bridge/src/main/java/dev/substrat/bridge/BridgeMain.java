package dev.substrat.bridge;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The command `substrat mcp`: an MCP server on stdin and stdout.
public final class BridgeMain {
  private static final String HELP =
      """
      EXAMPLES
        ./substrat mcp --agent mira
        ./substrat mcp --agent mira --token-file mira.token --data /srv/substrat
        ./substrat mcp --zoo --default mira

      Usage: substrat mcp (--agent NAME | --zoo [--default NAME]) [--token-file FILE] [--data DIR]

      MCP server on stdin and stdout for one agent; forwards messages to the daemon. MCP clients
      start it. The arguments fix the identity of the client.

            --agent NAME        Id or handle of the agent that the client acts as.
            --zoo               Connect as a zoo client, which loads an agent's prompt into its chat.
            --default NAME      With --zoo: agent that a new chat starts with.
            --token-file FILE   File with the token, readable only by its owner (default: the token
                                of the turn in SUBSTRAT_TOKEN, or DIR/agents/NAME.token, which is
                                created with the operator's token if it is missing).
            --data DIR          Data directory of the daemon (default: SUBSTRAT_DATA, or
                                ~/.substrat).
            --json              Ignored, because MCP messages are always JSON.
        -h, --help              Show this help.
      """;

  private BridgeMain() {}

  public static void main(String[] args) throws InterruptedException {
    var out = new FileOutputStream(FileDescriptor.out);
    // Not System.exit: it searches for a logger first, and there are no shutdown hooks.
    Runtime.getRuntime().halt(run(args, out, BridgeTimeouts.USUAL));
  }

  static int run(String[] args, OutputStream out, BridgeTimeouts timeout)
      throws InterruptedException {
    try {
      if (Arrays.asList(args).contains("--help") || Arrays.asList(args).contains("-h")) {
        out.write(HELP.getBytes(StandardCharsets.UTF_8));
        return 0;
      }
      BridgeOptions options = BridgeOptions.parse(args, System.getenv());
      var credential = BridgeCredential.of(options, System.getenv("SUBSTRAT_TOKEN"));
      var client = new StdioClient(out, () -> Runtime.getRuntime().halt(1));
      var keys = new IdempotencyKeys();
      var ends =
          new BridgeContext(
              client,
              new DaemonConnectionPool(options.data()),
              credential,
              new BridgeSession(credential, keys, client),
              keys,
              timeout);
      new Bridge(new FileInputStream(FileDescriptor.in), ends).run();
      return 0;
    } catch (BridgeError refusal) {
      System.err.println("error " + refusal.code() + ": " + refusal.reason());
      System.err.println("hint: " + refusal.hint());
      return 2;
    } catch (IOException e) {
      System.err.println("error INTERNAL: reading or writing failed: " + e.getMessage());
      return 1;
    }
  }
}
