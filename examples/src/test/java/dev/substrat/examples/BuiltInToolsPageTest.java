package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.tool.ToolArguments;
import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// docs/built-in-tools.md matches the tool definitions. After an intended change, renew it with
/// `-Dsubstrat.golden=renew` and read the diff.
final class BuiltInToolsPageTest {
  private static final Path PAGE = Path.of("../docs/built-in-tools.md");
  private static final List<String> TOOLSETS =
      List.of("team", "spaces", "channels", "memory", "goals", "workspace", "control");

  private static final String BEGINNING =
      """
      # Built-in tools

      What agents call, by [toolset](agents.md), and with which arguments: in a playbook under `with`, over MCP as the arguments of `tools/call`.
      `./substrat tool list A` shows which of them an agent has, `./substrat tool show A TOOL` one of them as that agent has it: of toolsets
      that both bring `send_message`, it has one that takes either address. Agents with `team` can call the tools of
      [`control`](agents.md#the-toolset-control) as well, although these are not listed for them. This page is written from the tools themselves.
      """;

  @TempDir private Path data;

  @Test
  void the_page_matches_the_tools() throws IOException {
    var page = new StringBuilder(BEGINNING);
    try (var desk = new CommandLineFixture(data)) {
      for (String toolset : TOOLSETS) {
        desk.run("agent", "create", toolset, "--toolsets", toolset);
        page.append("\n## ").append(toolset).append('\n');
        Json.own(desk.run("tool", "list", toolset, "--json").out())
            .path("tools")
            .forEach(tool -> page.append(section(tool)));
      }
    }
    if ("renew".equals(System.getProperty("substrat.golden"))) {
      Files.writeString(PAGE, page.toString());
    }
    assertThat(Files.readString(PAGE))
        .as("renew it with -Dsubstrat.golden=renew")
        .isEqualTo(page.toString());
  }

  private static String section(JsonNode tool) {
    var text = new StringBuilder("\n### `%s`\n\n".formatted(tool.path("name").asText()));
    text.append(tool.path("description").asText().strip()).append('\n');
    List<ToolArguments.Line> lines = new ToolArguments(tool.path("inputSchema")).lines();
    if (!lines.isEmpty()) {
      text.append("\n| argument | type | required | meaning |\n|---|---|---|---|\n");
      lines.forEach(line -> text.append(row(line)));
    }
    return text.toString();
  }

  private static String row(ToolArguments.Line line) {
    return "| `%s` | %s | %s | %s |\n"
        .formatted(
            line.name(),
            line.type(),
            line.isRequired() ? "yes" : "",
            line.meaning().replace("|", "\\|"));
  }
}
