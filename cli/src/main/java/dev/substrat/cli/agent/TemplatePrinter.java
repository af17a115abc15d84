package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TextTable;
import picocli.CommandLine.Command;

/// Lists templates.
@Command(
    description = "List built-in and saved templates for agents.",
    footer = {
      "  ./substrat agent templates",
      "  ./substrat agent create rita --template reviewer",
      ""
    })
final class TemplatePrinter implements Runnable {
  private final RootCommand shell;

  TemplatePrinter(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    JsonNode list = shell.daemon().read("/api/templates");
    if (shell.wantsJson()) {
      shell.terminal().json(list);
      return;
    }
    var table = TextTable.of("TEMPLATE", "NAME", "FROM", "FOR");
    for (JsonNode template : list.path("templates")) {
      table.row(
          template.path("id").asText(),
          template.path("name").asText(),
          template.path("builtIn").asBoolean() ? "Substrat" : "you",
          template.path("description").asText());
    }
    table.print(shell.terminal());
  }
}
