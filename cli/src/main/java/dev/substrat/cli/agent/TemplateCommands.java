package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Commands for saved templates.
@Command(
    description = "Save an agent as a template, or delete a saved template.",
    footer = {
      "  ./substrat agent template save ada",
      "  ./substrat agent template save ada --name \"Harbor hand\"",
      "  ./substrat agent template delete harbor-hand",
      ""
    })
final class TemplateCommands {
  private final RootCommand shell;

  TemplateCommands(RootCommand shell) {
    this.shell = shell;
  }

  @Command(
      name = "save",
      description = "Save an agent's configuration as a template. The agent does not change.",
      footer = {
        "  ./substrat agent template save ada",
        "  ./substrat agent template save ada --name \"Harbor hand\"",
        ""
      })
  void save(
      @Parameters(paramLabel = "AGENT", description = "Agent: handle or id.") String agent,
      @Option(
              names = "--name",
              paramLabel = "N",
              description = "Name of the template (default: name of the agent).")
          @Nullable String name) {
    var body = JsonTree.object().put("agent", agent);
    JsonTree.putIfGiven(body, "name", name);
    JsonNode template = shell.daemon().post("/api/templates", body);
    shell.print(template, "saved " + template.path("id").asText());
  }

  @Command(
      name = "delete",
      description = "Delete a saved template. Agents created from it are kept.",
      footer = {"  ./substrat agent template delete harbor-hand", ""})
  void delete(
      @Parameters(
              paramLabel = "TEMPLATE",
              description = "Template id, from ./substrat agent templates.")
          String id) {
    shell.daemon().delete(DaemonClient.path("/api/templates/", id));
    shell.print(JsonTree.object().put("deleted", id), "deleted " + id);
  }
}
