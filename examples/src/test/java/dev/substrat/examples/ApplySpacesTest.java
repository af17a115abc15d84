package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `./substrat apply` with spaces: created after the agents, and repeatable.
final class ApplySpacesTest {
  private static final String AGENTS = "agents: [{name: Mira, children: [{name: Ada}]}]\n";

  private static final String TEAM =
      AGENTS
          + """
          spaces:
            - name: General
              topic: the harbor
              wakePolicy: mention
              members: [mira, ada, ana, operator]
            - { name: Crew, id: night, kind: private, members: [ada] }
            - { name: both, kind: dm, members: [mira, ada] }
          """;

  @TempDir private Path folder;
  private CommandLineFixture desk;

  @BeforeEach
  void start() throws IOException {
    desk = new CommandLineFixture(Files.createDirectory(folder.resolve("data")));
    desk.run("token", "create", "--person", "ana");
  }

  @AfterEach
  void stop() {
    desk.close();
  }

  @Test
  void spaces_are_created_once_with_agents_of_the_same_file() {
    assertThat(desk.apply(TEAM, "--dry-run").lines())
        .containsExactly(
            "+ create mira",
            "+ create ada under mira",
            "+ create space general with mira, ada, ana, operator",
            "+ create space night with ada",
            "+ create space dm-ada-mira with mira, ada",
            "dry run: nothing changed");
    assertThat(desk.run("space", "list").out()).startsWith("no spaces yet");

    assertThat(desk.apply(TEAM).lines())
        .contains("created space general", "created space dm-ada-mira")
        .endsWith("done: 5 created");
    assertThat(desk.run("space", "members", "general").lines())
        .anySatisfy(line -> assertThat(line).startsWith("ana").contains("person"))
        .hasSize(5);
    assertThat(desk.apply(TEAM).out()).isEqualTo("= unchanged 5\nnothing to change\n");
  }

  @Test
  void everything_but_the_kind_is_updated_and_missing_members_are_added() {
    desk.apply(TEAM);
    desk.run("space", "remove", "general", "ada");
    desk.run("space", "add", "night", "mira");

    String changed =
        TEAM.replace("the harbor", "repairs")
            .replace("wakePolicy: mention", "wakePolicy: none")
            .replace("name: Crew", "name: Watch, maxChainDepth: 5");
    var ran = desk.apply(changed);
    assertThat(ran.lines())
        .contains(
            "~ update space general: topic, wakePolicy, members (+ ada)",
            "~ update space night: name, maxChainDepth",
            "= unchanged 3")
        .endsWith("done: 2 updated");
    assertThat(desk.run("space", "show", "general").out()).contains("repairs", "none");
    assertThat(desk.run("space", "show", "night").out())
        .contains("Watch")
        .containsPattern("depth +5");
    assertThat(desk.apply(changed).out()).isEqualTo("= unchanged 5\nnothing to change\n");
    assertThat(desk.run("space", "members", "night").out()).as("not declared").contains("mira");
  }

  @Test
  void invalid_spaces_are_reported_before_any_change() {
    String wrong =
        AGENTS
            + """
            spaces:
              - { name: General, members: [nobody], colour: red }
              - { name: general }
              - { id: x }
            """;
    assertThat(desk.apply(wrong).err())
        .contains(
            "/spaces/0/colour  is not a key of a space",
            "/spaces/1  would have the same id general as /spaces/0",
            "/spaces/2/name  is missing");
    assertThat(desk.apply(AGENTS + "spaces: [{name: General, members: [mira, nobody]}]").err())
        .contains("/spaces/0/members/1 no agent or person \"nobody\"");
    assertThat(desk.handles()).isEmpty();

    desk.apply(TEAM);
    assertThat(desk.apply(TEAM.replace("kind: private", "kind: public")).err())
        .contains("/spaces/1/kind is \"private\" in the existing space");
  }

  @Test
  void spaces_that_the_daemon_rejects_are_reported_before_any_change() {
    String wrong =
        AGENTS
            + """
            spaces:
              - { name: Yard, wakePolicy: allways, maxChainDepth: -3 }
              - { name: Pier, kind: publik }
              - { name: both, kind: dm, members: [mira, ada, operator] }
              - { name: "!!" }
            """;
    for (String option : List.of("--dry-run", "--yes")) {
      var ran = desk.apply(wrong, option);
      assertThat(ran.code()).as(option).isEqualTo(2);
      assertThat(ran.err())
          .contains(
              "5 errors",
              "/spaces/0/wakePolicy  has the unknown value \"allways\"; use one of: all,",
              "/spaces/0/maxChainDepth  must be 1 or more",
              "/spaces/1/kind  has the unknown value \"publik\"; did you mean public? use one of: public,",
              "/spaces/2/members  a dm has exactly two members, not 3",
              "/spaces/3/name  no id can be derived from \"!!\"")
          .doesNotContain("--wake");
    }
    assertThat(desk.handles()).isEmpty();

    desk.apply(TEAM);
    var changed = desk.apply(TEAM.replace("wakePolicy: mention", "wakePolicy: allways"));
    assertThat(changed.err())
        .contains("/spaces/0/wakePolicy has the unknown value \"allways\"", "use one of: all,")
        .doesNotContain("stopped after");
  }

  @Test
  void mistakes_of_agents_and_spaces_are_reported_together() {
    desk.apply(TEAM);
    var ran =
        desk.apply(TEAM.replace("wakePolicy: mention", "wakePolicy: allways") + "colour: x\n");
    assertThat(ran.err())
        .contains(
            "2 errors", "/colour  ", "/spaces/0/wakePolicy  has the unknown value \"allways\"");
  }

  @Test
  void an_exported_file_changes_nothing_when_it_is_applied() {
    desk.apply(TEAM);
    String team = desk.run("export").out();

    assertThat(team).contains("spaces:", "wakePolicy: mention", "kind: dm", "people:");
    assertThat(desk.apply(team).out()).isEqualTo("= unchanged 6\nnothing to change\n");
    assertThat(desk.run("export", "mira").out()).doesNotContain("spaces:");
  }
}
