package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Token cost of tool definitions per toolset: name, description and input schema, four characters
/// per token. docs/tool-tokens.md has the same figures; after an intended change, renew it with
/// `-Dsubstrat.golden=renew`.
final class ToolTokensTest {
  private static final Path PAGE = Path.of("../docs/tool-tokens.md");
  private static final int MOST_DEFAULT_TOKENS = 3_500;
  private static final int CHARACTERS_PER_TOKEN = 4;

  /// Tools and tokens of each set before their texts were shortened, measured in the same way.
  private static final Map<String, String> BEFORE =
      Map.of(
          "default", "32 | 3,793",
          "team", "18 | 1,881",
          "spaces", "5 | 597",
          "channels", "4 | 462",
          "memory", "4 | 662",
          "goals", "9 | 1,263",
          "workspace", "7 | 1,092");

  private static final String BEGINNING =
      """
      # Tokens of tool definitions

      Every model call carries the definitions of the agent's tools. This page is generated from the tools and checked by a test; the
      default set may take 3,500 tokens at most.

      A model sees the name, the description and the input schema of each tool. A token is counted as four characters. The sets are
      those of an [external agent](mcp.md); it always has `check_inbox`.

      | toolset | tools before | tokens before | tools now | tokens now |
      |---|--:|--:|--:|--:|
      """;

  private final McpTeam team = new McpTeam(TestDatabase.fresh(Dialect.SQLITE));

  /// The size of a list of tools.
  private record Size(int tools, int characters) {
    static Size of(JsonNode tools) {
      int characters = 0;
      for (JsonNode tool : tools) {
        var seen = Json.object();
        seen.set("name", tool.path("name"));
        seen.set("description", tool.path("description"));
        seen.set("input_schema", tool.path("inputSchema"));
        characters += Json.text(seen).length();
      }
      return new Size(tools.size(), characters);
    }

    int tokens() {
      return Math.ceilDiv(characters, CHARACTERS_PER_TOKEN);
    }
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void the_page_has_the_token_counts_and_the_default_toolset_is_within_its_limit()
      throws IOException {
    Map<String, Size> sizes = sizes();
    String page = page(sizes);
    if ("renew".equals(System.getProperty("substrat.golden"))) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE)).as("renew it with -Dsubstrat.golden=renew").isEqualTo(page);
    assertThat(Objects.requireNonNull(sizes.get("default")).tokens())
        .isLessThanOrEqualTo(MOST_DEFAULT_TOKENS);
  }

  private String page(Map<String, Size> sizes) {
    var page = new StringBuilder(BEGINNING);
    sizes.forEach((toolset, size) ->
        page.append(
            "| %s | %s | %d | %,d |\n"
                .formatted(
                    toolset, BEFORE.getOrDefault(toolset, "- | -"), size.tools(), size.tokens())));
    int whole = Json.text(team.rpc("mira", "tools/list", "{}").path("tools")).length();
    return page
        + """

        `default` is `team`, `spaces`, `memory` and `goals`. The whole answer to `tools/list`, with titles and annotations, which clients do
        not show to the model, takes %,d tokens for the default set; it took 8,300 when it contained output schemas. A client that
        wants output schemas sends `_meta: {"substrat/outputSchema": true}` with `tools/list`.

        What Substrat itself adds to the system prompt takes at most 600 tokens ([prompts](prompts.md)). For an agent with more than 40 tools,
        set `toolLoading: deferred` ([agents](agents.md)): it sees one tool, `find_tools`, and loads the others on demand.
        """
            .formatted(Math.ceilDiv(whole, CHARACTERS_PER_TOKEN));
  }

  private Map<String, Size> sizes() {
    var sizes = new LinkedHashMap<String, Size>();
    sizes.put("default", Size.of(team.rpc("mira", "tools/list", "{}").path("tools")));
    for (String toolset :
        List.of("team", "spaces", "channels", "memory", "goals", "workspace", "control")) {
      team.create(
          "only-" + toolset,
          "{\"name\":\"only-%s\",\"provider\":{\"name\":\"external\"},\"toolsets\":[\"%s\"]}"
              .formatted(toolset, toolset));
      sizes.put(toolset, Size.of(team.rpc("only-" + toolset, "tools/list", "{}").path("tools")));
    }
    return sizes;
  }
}
