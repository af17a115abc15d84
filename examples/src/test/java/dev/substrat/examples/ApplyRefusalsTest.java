package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.examples.CommandLineFixture.CommandOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Invalid team files: nothing is changed, and all mistakes are reported together.
final class ApplyRefusalsTest {
  @TempDir private Path folder;
  private CommandLineFixture desk;

  @BeforeEach
  void start() throws IOException {
    desk = new CommandLineFixture(Files.createDirectory(folder.resolve("data")));
    desk.run("agent", "create", "mira");
    desk.run("agent", "create", "ben", "--parent", "mira");
  }

  @AfterEach
  void stop() {
    assertThat(desk.handles()).containsExactly("mira", "ben");
    desk.close();
  }

  private String refused(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("team.yaml"), text);
    CommandOutcome ran = desk.run("apply", file.toString());
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains("team.yaml", "hint: ");
    return ran.err();
  }

  @Test
  void a_misspelt_key_is_named_by_its_pointer() throws IOException {
    assertThat(refused("agents: [{name: Zoe}, {name: Kim, children: [{name: Lou, rol: x}]}]"))
        .startsWith("error INVALID_CONFIG: ")
        .contains("/agents/1/children/0/rol is not a known key");
  }

  @Test
  void mistakes_of_several_agents_are_reported_together() throws IOException {
    assertThat(
            refused(
                """
                agents:
                  - name: Zoe
                    provider: { name: oracle }
                    children:
                      - name: Kim
                        limits: { maxChildren: many }
                """))
        .contains("has 2 errors")
        .contains(
            "  /agents/0/provider/name  unknown provider \"oracle\"; available providers: acp,")
        .contains(
            "  /agents/0/children/0/limits/maxChildren  must be a whole number, like 5, not a text (line ");
  }

  @Test
  void mistakes_of_the_file_and_of_the_daemon_are_reported_together() throws IOException {
    assertThat(
            refused(
                """
                agents:
                  - name: Zoe
                    color: red
                  - name: zoe
                    limits: { budgetTurns: -1, budgetUsd: 0 }
                    colour: blue
                  - handle: x
                    limits: { maxChildren: many }
                """))
        .contains("has 7 errors")
        .contains("  /agents/0/color  is not a known key (line 3)\n")
        .contains("  /agents/1  would have the same handle zoe as /agents/0; ")
        .contains("  /agents/1/colour  is not a known key (line 6)\n")
        .contains("  /agents/1/limits/budgetTurns  must have a minimum value of 1 (line 5)\n")
        .contains("  /agents/1/limits/budgetUsd  must have a minimum value of")
        .contains("  /agents/2/name  is missing; ")
        .contains(
            "  /agents/2/limits/maxChildren  must be a whole number, like 5, not a text (line ");
  }

  @Test
  void every_mistake_has_a_json_pointer() throws IOException {
    assertThat(
            refused(
                "agents: [{name: Zoe, tools: [{name: t, description: d, executionType: gateway, execution: {ulr: x}}]}]"))
        .contains("/agents/0/tools/0/execution/ulr is not a known key (did you mean url?)");
    assertThat(
            refused(
                "agents: [{name: Zoe, tools: [{name: t, description: d, executionType: gateway}]}]"))
        .contains("/agents/0/tools/0/execution needs one of");
  }

  @Test
  void mistakes_of_several_entries_of_a_list_are_reported_together() throws IOException {
    assertThat(
            refused(
                """
                agents:
                  - name: Zoe
                    colour: red
                    tools:
                      - name: t1
                        executionType: internal
                        inputSchema: { type: object, properties: { a: { type: strin } } }
                        execution: { value: 1 }
                      - name: t2
                        executionType: internal
                        execution:
                          expression: input.n +
                      - name: t3
                        executionType: gateway
                        execution: { provider: midjourney }
                    mcp:
                      servers:
                        - url: https://mcp.example
                        - name: bare
                  - name: Kim
                    childrens: []
                """))
        .contains("has 7 errors")
        .contains("  /agents/0/colour  is not a known key (line 3)\n")
        .contains("  /agents/0/tools/0/inputSchema/properties/a/type  ", "\"strin\" is not a type")
        .contains(
            "  /agents/0/tools/1/execution/expression  line 1, column 10: mismatched input '<EOF>'")
        .containsPattern("tools/1/execution/expression .* \\(line 12\\)\n")
        .contains("  /agents/0/tools/2/execution/provider  \"midjourney\" is not a known image")
        .contains("  /agents/0/mcp/servers/0/name  is missing (line ")
        .contains("  /agents/0/mcp/servers/1  needs a url; ")
        .contains("  /agents/1/childrens  is not a known key (did you mean children?)");
  }

  @Test
  void a_plan_without_a_time_is_rejected_with_the_keys_of_the_file() throws IOException {
    assertThat(refused("agents: [{name: Zoe, plans: [{name: report, instruction: Write it.}]}]"))
        .contains("needs exactly one of cron, scheduledAt, runAfter")
        .doesNotContain("--cron");
  }

  @Test
  void an_empty_file_is_rejected() throws IOException {
    assertThat(refused("")).contains("team.yaml is empty", "agents:");
  }

  @Test
  void a_binary_file_is_rejected() throws IOException {
    assertThat(refused("\0\1\2")).contains("is not a text file").doesNotContain("Exception");
  }

  @Test
  void broken_yaml_is_named_by_its_line() throws IOException {
    assertThat(refused("agents:\n  - name: Zoe\n    children: [\n  - name: Kim\n"))
        .contains("INVALID_CONFIG", "line 4: expected the node content");
  }

  @Test
  void unsupported_keys_are_rejected() throws IOException {
    assertThat(refused("tools: []\nagents: []\n"))
        .contains("/tools is not supported in a team file");
    assertThat(refused("agnets: []\n"))
        .contains(
            "/agnets  is not a key of a team file (did you mean agents?)", "/agents  is missing");
  }

  @Test
  void cyclic_parents_are_rejected() throws IOException {
    assertThat(
            refused("agents: [{name: A, parent: b}, {name: B, parent: c}, {name: C, parent: a}]"))
        .contains("/agents/0/parent forms a cycle: a → b → c → a");
    assertThat(refused("agents: [{name: A, parent: a}]")).contains("a → a");
  }

  @Test
  void an_unknown_parent_is_rejected() throws IOException {
    assertThat(refused("agents: [{name: A, parent: zoe}]"))
        .contains("/agents/0/parent agent \"zoe\" not found")
        .contains("the daemon has: mira, ben");
    assertThat(refused("agents: [{name: A, children: [{name: B, parent: mira}]}]"))
        .contains("/agents/0/children/0/parent is given twice");
  }

  @Test
  void the_parent_of_an_agent_cannot_change() throws IOException {
    assertThat(refused("agents: [{name: ben}]"))
        .contains("ben: already has the parent mira, and the parent of an agent cannot change");
    assertThat(refused("agents: [{name: Zoe, children: [{name: B, handle: ben}]}]"))
        .contains("/agents/0/children/0 B: already has the parent mira");
  }

  @Test
  void duplicate_handles_and_names_are_rejected() throws IOException {
    assertThat(refused("agents: [{name: Zoe}, {name: ZOE}]"))
        .contains("/agents/1 would have the same handle zoe as /agents/0");
    assertThat(refused("agents: [{name: Zoe, parent: mira}, {name: zoe, handle: z, parent: mira}]"))
        .contains("/agents/1/name is the same as that of /agents/0, under the same parent");
    assertThat(refused("agents: [{handle: x}, text, {name: 3}]"))
        .contains("/agents/0/name  is missing", "/agents/1  must be an agent")
        .contains("/agents/2/name  must be a text");
  }
}
