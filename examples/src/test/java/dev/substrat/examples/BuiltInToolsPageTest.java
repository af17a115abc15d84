package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.tool.ToolArgumentList;
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

      Built-in tools by [toolset](agents.md#toolsets), with their arguments. A playbook passes arguments under `with`, an MCP client in
      `tools/call`. This page is generated from the tools.

      `./substrat tool list A` lists the tools of an agent, `./substrat tool show A TOOL` shows one. An agent with several toolsets has one
      `send_message`, which accepts the addresses of all of them. Agents with `team` can also call the tools of
      [`control`](agents.md#the-toolset-control), but these are not listed for them.
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
    List<ToolArgumentList.ToolArgument> lines =
        new ToolArgumentList(tool.path("inputSchema")).lines();
    if (!lines.isEmpty()) {
      text.append("\n| argument | type | required | meaning |\n|---|---|---|---|\n");
      lines.forEach(line -> text.append(row(line)));
    }
    return text.toString();
  }

  private static String row(ToolArgumentList.ToolArgument line) {
    return "| `%s` | %s | %s | %s |\n"
        .formatted(
            line.name(),
            line.type(),
            line.isRequired() ? "yes" : "",
            line.meaning().replace("|", "\\|"));
  }
}
