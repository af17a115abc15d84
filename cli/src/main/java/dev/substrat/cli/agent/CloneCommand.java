package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.FactTable;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.JsonTree;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// An agent like another.
@Command(
    description = {
      "Make an agent like another one, beside it.",
      "",
      "It has the same configuration; with --memory also a copy of the memory blocks. Tokens, mail"
          + " and",
      "runs are never copied."
    },
    footer = {
      "  ./substrat agent clone ada grace",
      "  ./substrat agent clone ada grace --memory",
      ""
    })
final class CloneCommand implements Runnable {
  private final RootCommand shell;

  @Parameters(index = "0", paramLabel = "AGENT", description = "Handle or id of the original.")
  private String original = "";

  @Parameters(index = "1", paramLabel = "NAME", description = "What the new one is called.")
  private String name = "";

  @Option(names = "--handle", paramLabel = "H", description = "Its address (default: its name).")
  private @Nullable String handle;

  @Option(names = "--memory", description = "With a copy of the memory blocks.")
  private boolean memory;

  CloneCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    var wish = JsonTree.object().put("name", name);
    if (handle != null) {
      wish.put("handle", handle);
    }
    if (memory) {
      wish.put("memory", true);
    }
    JsonNode agent =
        shell.daemon().post(DaemonClient.path("/api/agents/", original) + "/clone", wish);
    if (shell.wantsJson()) {
      shell.screen().json(agent);
      return;
    }
    new FactTable()
        .with("created", agent.path("handle"))
        .with("id", agent.path("id"))
        .with("like", original)
        .print(shell.screen());
  }
}
