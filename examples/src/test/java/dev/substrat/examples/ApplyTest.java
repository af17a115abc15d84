package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.examples.CommandLineFixture.CommandOutcome;
import dev.substrat.platform.json.Json;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `./substrat apply` against a real daemon, with complete command lines.
final class ApplyTest {
  private static final String TEAM =
      """
      agents:
        - name: Mira
          systemPrompt: You lead.
          children:
            - name: Ada
            - name: Ben
              limits: { maxChildren: 2 }
        - name: Noor
          parent: mira
      """;

  @TempDir private Path folder;
  private CommandLineFixture desk;

  @BeforeEach
  void start() throws IOException {
    desk = new CommandLineFixture(Files.createDirectory(folder.resolve("data")));
  }

  @AfterEach
  void stop() {
    desk.close();
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("team.yaml"), text).toString();
  }

  @Test
  void warnings_of_the_daemon_are_shown_with_a_json_pointer() throws IOException {
    String team =
        """
        agents:
          - name: Zoe
            provider: { name: scripted, playbook: [ { do: [ { call: wether } ] } ] }
            mcp: { servers: [ { name: met, command: no-such } ] }
        """;

    CommandOutcome ran = desk.run("apply", file(team), "--dry-run");

    assertThat(ran.code()).isZero();
    assertThat(ran.err())
        .isEqualTo(
            "warning: /agents/0/provider/playbook/0/do/0/call: tool wether cannot be checked:"
                + " it may come from MCP server met\n");
  }

  @Test
  @Requirement("S0-30")
  void the_harbor_example_answers() {
    assertThat(desk.run("apply", "teams/harbor.yaml").code()).isZero();

    assertThat(desk.run("send", "mira", "Can we sail at noon?", "--wait").out())
        .isEqualTo("Yes, we are ready. ben says: All forty crates are lashed down.\n");
    assertThat(desk.run("apply", "teams/harbor.yaml").out())
        .isEqualTo("= unchanged 4\nnothing to change\n");
  }

  @Test
  void the_plan_is_shown_first_and_lists_parents_before_children() {
    String plan = "+ create mira\n+ create ada under mira\n+ create ben under mira\n";
    assertThat(desk.apply(TEAM, "--dry-run").out())
        .isEqualTo(plan + "+ create noor under mira\ndry run: nothing changed\n");
    assertThat(desk.handles()).isEmpty();

    assertThat(desk.apply(TEAM).lines())
        .endsWith("created mira", "created ada", "created ben", "created noor", "done: 4 created");
    assertThat(desk.agent("noor").path("parentId")).isEqualTo(desk.agent("mira").path("id"));
    assertThat(desk.apply(TEAM).out()).isEqualTo("= unchanged 4\nnothing to change\n");
  }

  @Test
  void only_what_differs_is_changed() {
    desk.apply(TEAM);
    String id = desk.agent("ben").path("id").asText();

    CommandOutcome ran =
        desk.apply(
            TEAM.replace("You lead.", "You decide.")
                .replace("name: Ben\n        limits: { maxChildren: 2 }", "name: Ben"));

    assertThat(ran.lines())
        .containsExactly(
            "~ update mira: systemPrompt",
            "~ update ben: limits",
            "= unchanged 2",
            "updated mira",
            "updated ben",
            "done: 2 updated");
    assertThat(desk.agent("mira").path("systemPrompt").asText()).isEqualTo("You decide.");
    assertThat(desk.agent("ben").path("id").asText()).isEqualTo(id);
  }

  @Test
  void an_agent_is_matched_by_handle_or_by_name() {
    desk.apply("agents: [{name: Mira, handle: lead, children: [{name: Ada}]}]");

    CommandOutcome ran =
        desk.apply(
            "agents: [{name: Miriam, handle: lead, children: [{name: Ada, handle: engine}]}]");

    assertThat(ran.lines())
        .contains("~ update lead: name", "~ update ada: handle", "updated engine");
    assertThat(desk.handles()).containsExactly("lead", "engine");
  }

  @Test
  void a_terminated_agent_is_created_under_a_new_handle_and_matched_later() {
    desk.apply(TEAM);
    desk.run("agent", "terminate", "mira");

    assertThat(desk.apply(TEAM).lines()).contains("+ create mira-2", "created ada-2");
    assertThat(desk.apply(TEAM).out()).isEqualTo("= unchanged 4\nnothing to change\n");
    assertThat(desk.apply("agents: [{name: Mira, handle: mira}]").err())
        .contains("INVALID_CONFIG", "/agents/0 Mira: the handle mira belonged to an agent");
  }

  @Test
  void a_team_can_be_read_from_stdin_and_placed_under_an_existing_agent() {
    desk.run("agent", "create", "lead");

    assertThat(desk.pipe("agents: [{name: Ada, parent: lead}]", "apply", "-").lines())
        .containsExactly("+ create ada under lead", "created ada", "done: 1 created");
  }

  @Test
  void a_playbook_beside_the_file_is_found_from_anywhere() throws IOException {
    Files.writeString(folder.resolve("ada.yaml"), "- do: [ { say: aye } ]\n");

    String team = "agents: [{name: Ada, provider: {name: scripted, playbookFile: ./ada.yaml}}]";
    assertThat(desk.run("apply", file(team)).code()).isZero();

    assertThat(desk.run("send", "ada", "ready?", "--wait").out()).isEqualTo("aye\n");
  }

  @Test
  void on_a_terminal_apply_asks_and_stops_after_no() throws IOException {
    CommandOutcome no = desk.onTerminal("\n", "apply", file(TEAM));
    assertThat(no.err()).isEqualTo("Apply these 4 changes? [y/N] nothing changed\n");
    assertThat(no.code()).isZero();
    assertThat(desk.handles()).isEmpty();

    assertThat(desk.onTerminal("yes\n", "apply", file(TEAM)).out()).endsWith("done: 4 created\n");
    assertThat(desk.onTerminal("", "apply", file("agents: [{name: X}]"), "--yes").err()).isEmpty();
  }

  @Test
  void an_error_during_apply_lists_what_was_done_and_the_next_run_continues() {
    desk.run("agent", "create", "ben");
    desk.run("agent", "terminate", "ben");
    // Each of the two may have ben-2, but not both: only doing it shows that.
    String team = "agents: [{name: Ada}, {name: Ben}, {name: Bo, handle: ben-2}, {name: Noor}]";

    CommandOutcome stopped = desk.apply(team);
    assertThat(stopped.code()).isEqualTo(2);
    assertThat(stopped.out()).endsWith("created ada\ncreated ben-2\n");
    assertThat(stopped.err())
        .startsWith(
            """
            stopped after 2 of 4 steps
            done: create ada, create ben-2
            not done: create ben-2, create noor
            error CONFLICT: cannot create ben-2: another agent has taken the handle ben-2 in the meantime
            """)
        .contains("run the same command again");

    assertThat(desk.apply(team.replace("ben-2", "bo")).lines())
        .startsWith("+ create bo", "+ create noor", "= unchanged 2");
  }

  @Test
  void json_output_has_the_same_information() {
    desk.apply("agents: [{name: Mira, children: [{name: Old}]}]");

    CommandOutcome ran = desk.apply(TEAM, "--json", "--dry-run");

    assertThat(Json.own(ran.out()))
        .isEqualTo(
            Json.own(
                """
                {"steps":[
                  {"action":"update","handle":"mira","changed":["systemPrompt"],"done":false},
                  {"action":"create","handle":"ada","parent":"mira","done":false},
                  {"action":"create","handle":"ben","parent":"mira","done":false},
                  {"action":"create","handle":"noor","parent":"mira","done":false}],
                 "undeclared":["old"],"kept":[],"unchanged":0,"complete":false,"dryRun":true}
                """));
    assertThat(Json.own(desk.apply(TEAM, "--json").out()).path("complete").asBoolean()).isTrue();
  }
}
