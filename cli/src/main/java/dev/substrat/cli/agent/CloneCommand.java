package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RootCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Clones an agent.
@Command(
    description = {
      "Create a copy of an agent under the same parent.",
      "",
      "The copy has the same configuration and, with --memory, the same memory blocks. Tokens,"
          + " messages",
      "and runs are never copied."
    },
    footer = {
      "  ./substrat agent clone ada grace",
      "  ./substrat agent clone ada grace --memory",
      ""
    })
final class CloneCommand implements Runnable {
  private final RootCommand shell;

  @Parameters(index = "0", paramLabel = "AGENT", description = "Original agent: handle or id.")
  private String original = "";

  @Parameters(index = "1", paramLabel = "NAME", description = "Name of the new agent.")
  private String name = "";

  @Option(
      names = "--handle",
      paramLabel = "H",
      description = "Handle of the new agent (default: derived from NAME).")
  private @Nullable String handle;

  @Option(names = "--memory", description = "Also copy the memory blocks.")
  private boolean memory;

  CloneCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    var wish = JsonTree.object().put("name", name);
    JsonTree.putIfGiven(wish, "handle", handle);
    if (memory) {
      wish.put("memory", true);
    }
    JsonNode agent =
        shell.daemon().post(DaemonClient.path("/api/agents/", original) + "/clone", wish);
    if (shell.printsJson(agent)) {
      return;
    }
    new KeyValueTable()
        .with("created", agent.path("handle"))
        .with("id", agent.path("id"))
        .with("clone of", original)
        .print(shell.terminal());
  }
}
