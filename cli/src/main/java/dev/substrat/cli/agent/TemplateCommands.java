package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.JsonTree;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Templates of one's own.
@Command(
    description = "Keep an agent as a template for others, or delete one that you kept.",
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
      description = "Keep what an agent is as a template; the agent stays as it is.",
      footer = {
        "  ./substrat agent template save ada",
        "  ./substrat agent template save ada --name \"Harbor hand\"",
        ""
      })
  void save(
      @Parameters(paramLabel = "AGENT", description = "Handle or id.") String agent,
      @Option(
              names = "--name",
              paramLabel = "N",
              description = "What the template is called (default: like the agent).")
          @Nullable String name) {
    var wish = JsonTree.object().put("agent", agent);
    if (name != null) {
      wish.put("name", name);
    }
    JsonNode template = shell.daemon().post("/api/templates", wish);
    if (shell.wantsJson()) {
      shell.screen().json(template);
    } else {
      shell.screen().line("saved " + template.path("id").asText());
    }
  }

  @Command(
      name = "delete",
      description = "Delete a template that you saved; agents made from it stay.",
      footer = {"  ./substrat agent template delete harbor-hand", ""})
  void delete(
      @Parameters(paramLabel = "TEMPLATE", description = "From ./substrat agent templates.")
          String id) {
    shell.daemon().delete(DaemonClient.path("/api/templates/", id));
    if (shell.wantsJson()) {
      shell.screen().json(JsonTree.object().put("deleted", id));
    } else {
      shell.screen().line("deleted " + id);
    }
  }
}
