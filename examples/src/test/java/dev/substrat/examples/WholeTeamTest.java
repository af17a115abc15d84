package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.examples.CommandLineFixture.CommandOutcome;
import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A team file contains the whole team: also memory, goals, plans, people and DMs.
final class WholeTeamTest {
  private static final String TEAM =
      """
      people:
        - ben-k
        - { name: ana, displayName: Ana Åström }
      agents:
        - name: Mira
          systemPrompt: |
            You lead: always.
              # not a comment
            - no list
          skills:
            - { name: Git, description: Use git log., category: Work }
            - { name: Review, description: "Read the diff.\\nThen the rest.", requires: [Git] }
          categories: [ { name: Work, colour: moss } ]
          memory:
            blocks:
              - { label: persona, content: "Calm.\\n\\nFond of ships: ⚓", description: Who I am }
              - { label: rules, content: Never sail alone., limit: 500, readOnly: true }
            values: { port: "7420", "käse/brot": "ja, bitte" }
            brain:
              - { title: "Über Häfen", content: "Hamburg\\nRotterdam", tags: [places] }
              - { title: Accounts, content: none yet }
            passages:
              - content: "Schöne Grüße aus Kiel 🚢"
                tags: [kiel, grüße]
                createdAt: 2026-01-02T03:04:05.678Z
              - { content: "- a list?\\n- no: a text\\n", createdAt: "2026-01-02T03:04:05Z" }
              - { content: twice, tags: [b] }
              - { content: twice, tags: [a] }
              - { content: again, createdAt: "2026-01-02T03:04:06Z" }
              - { content: again, createdAt: "2026-01-02T03:04:07Z" }
          goals:
            - { description: Sail at noon, priority: high }
            - { description: Paint the hull, priority: low, status: completed }
            - { description: Buy a tug, status: abandoned }
          plans:
            - { name: Round, instruction: Look around., cron: "0 9 * * MON-FRI", timezone: Europe/Berlin }
            - { name: Round, instruction: Look again., cron: "0 17 * * *" }
            - { name: Launch, instruction: Launch it., scheduledAt: "2035-03-01T08:00:00Z" }
            - { name: Zoned, instruction: Launch it., scheduledAt: "2035-03-01T08:00:00Z", timezone: Europe/Berlin }
            - { name: Local, instruction: Launch it., scheduledAt: "2035-03-01T08:00:00", timezone: Europe/Berlin }
            - { name: Soon, instruction: Remember., runAfter: 3 days }
            - { name: Old, instruction: It was., scheduledAt: "2025-01-01T00:00:00Z", status: done }
            - { name: Over, instruction: No more., cron: "* * * * *", status: ended }
          children:
            - name: Ada
              tools:
                - name: weather
                  description: Tells the weather.
                  executionType: gateway
                  execution: { url: "https://example.com/{{input.city}}" }
              mcp: { servers: [ { name: met, command: no-such-program } ] }
              children:
                - name: Noor
                  memory: { values: { rank: third } }
        - name: Zoë
          handle: zoe
          provider: { name: external }
      sharedBlocks:
        - { label: plan, content: "Sail at eight.\\nBring 茶.", writers: [mira], readers: [ada, noor] }
        - { label: plan, content: Stay., readers: [zoe] }
      spaces:
        - { name: General, topic: the harbor, members: [noor, ana, mira, operator] }
        - { name: Crew, id: night, kind: private, wakePolicy: sequential, maxChainDepth: 7, members: [ada, ben-k] }
        - { kind: dm, members: [mira, ada] }
        - { kind: dm, wakePolicy: none, members: [zoe, ana] }
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

  @Test
  void an_export_applied_to_an_empty_daemon_is_exported_as_the_same_file() throws IOException {
    CommandOutcome made = desk.apply(TEAM);
    assertThat(made.err()).isEmpty();
    assertThat(made.code()).isZero();
    String exported = desk.run("export").out();

    assertThat(exported)
        .contains("people:", "displayName: Ana Åström", "sharedBlocks:", "kind: dm")
        .contains("Schöne Grüße aus Kiel 🚢", "2026-01-02T03:04:05.678Z", "status: abandoned")
        .contains("status: done", "status: ended", "maxChainDepth: 7", "käse/brot: \"ja, bitte\"");
    assertThat(desk.apply(TEAM).out()).endsWith("nothing to change\n").doesNotContain("kept");
    assertThat(desk.apply(exported).out()).endsWith("nothing to change\n").doesNotContain("kept");
    assertThat(desk.run("export").out()).isEqualTo(exported);

    try (var other = new CommandLineFixture(Files.createDirectory(folder.resolve("other")))) {
      assertThat(other.apply(exported).code()).isZero();
      assertThat(other.run("export").out()).isEqualTo(exported);
      assertThat(other.apply(exported).out()).endsWith("nothing to change\n");
      String json = desk.run("export", "--json").out();
      assertThat(other.run("export", "--json").out()).isEqualTo(json);
    }
  }

  @Test
  void passages_that_are_the_same_are_created_as_often_as_the_file_has_them() {
    var team = new StringBuilder("agents:\n  - name: Mira\n    memory:\n      passages:\n");
    for (int i = 0; i < 620; i++) {
      team.append("        - { content: note %d }\n".formatted(i));
    }
    String twice = team + "        - { content: note 7 }\n";

    assertThat(desk.apply(twice).code()).isZero();
    assertThat(desk.run("export").out().split("content: note 7\n", -1)).hasSize(3);
    assertThat(desk.apply(twice).out()).endsWith("nothing to change\n");
    assertThat(desk.apply(team.toString()).out()).endsWith("nothing to change\n");

    String thrice = twice + "        - { content: note 7 }\n";
    assertThat(desk.apply(thrice).lines()).contains("+ create memory of mira: 1 passage");
    assertThat(desk.apply(thrice).out()).endsWith("nothing to change\n");
    assertThat(desk.apply(twice, "--prune", "--yes").lines())
        .contains("- delete memory of mira: 1 passage");
    assertThat(desk.apply(twice).out()).endsWith("nothing to change\n");
  }

  @Test
  void the_plan_names_memory_goals_and_plans() {
    assertThat(desk.apply(TEAM, "--dry-run").lines())
        .contains(
            "+ create person ben-k",
            "+ create person ana: Ana Åström",
            "+ create memory of mira: 2 blocks, 2 values, 2 brain entries, 6 passages",
            "+ create goal of mira: Sail at noon",
            "+ create plan of mira: Round (0 9 * * MON-FRI)",
            "+ create plan of mira: Soon (3 days)",
            "+ create shared block plan: ada, noor, mira (writes)");
    assertThat(desk.handles()).isEmpty();
    assertThat(Json.own(desk.apply(TEAM, "--dry-run", "--json").out()).path("steps").valueStream())
        .contains(
            Json.own(
                """
                {"action":"create","memory":"noor","agent":"noor","detail":"1 value","done":false}
                """),
            Json.own(
                """
                {"action":"create","goal":"Buy a tug","agent":"mira","detail":"Buy a tug",
                 "done":false}
                """));
  }

  @Test
  void changes_of_an_agent_are_kept_without_overwrite() {
    desk.apply(TEAM);
    desk.run("memory", "set", "mira", "persona", "I have learned.");
    desk.run("memory", "set", "mira", "rules", "Always sail alone.");
    String edited = TEAM.replace("Paint the hull, priority: low", "Paint the hull, priority: high");

    assertThat(desk.apply(edited).lines())
        .contains(
            "~ update memory of mira: block rules",
            "= not changed, although different from the file: block persona of mira, goal Paint the hull of mira")
        .endsWith("done: 1 updated");
    assertThat(desk.run("export").out()).contains("I have learned.", "Never sail alone.");

    assertThat(desk.apply(edited, "--overwrite").lines()).endsWith("done: 2 updated");
    assertThat(desk.run("export").out()).contains("Fond of ships").doesNotContain("I have learned");
    assertThat(desk.apply(edited).out()).endsWith("nothing to change\n").doesNotContain("kept");
  }

  @Test
  void only_prune_deletes_and_only_from_lists_that_the_file_has() {
    desk.apply(TEAM);
    String fewer =
        """
        agents:
          - name: Zoë
            handle: zoe
            provider: { name: external }
            memory: { values: {} }
          - name: Mira
            memory: { blocks: [], passages: [ { content: twice, tags: [a] } ] }
            goals: [ { description: Sail at noon } ]
        """;
    assertThat(desk.apply(fewer, "--dry-run").out()).doesNotContain("delete");
    assertThat(desk.apply(fewer, "--prune").err()).contains("add --yes");

    assertThat(desk.apply(fewer, "--prune", "--yes").lines())
        .contains(
            "- delete memory of mira: 2 blocks, 5 passages",
            "- delete goal of mira: Buy a tug",
            "deleted goal of mira");
    assertThat(desk.run("export").out())
        .contains("käse/brot", "Launch it.", "Sail at noon")
        .doesNotContain("Fond of ships", "Kiel", "Buy a tug");
  }

  @Test
  void a_long_memory_takes_several_requests() {
    var text = new StringBuilder("agents:\n  - name: Mira\n    memory:\n      passages:\n");
    for (int i = 0; i < 620; i++) {
      text.append("        - { content: \"note %d %s\" }\n".formatted(i, "x".repeat(1500)));
    }
    assertThat(desk.apply(text + "        - { content: \"\" }\n").err())
        .contains("/agents/0/memory/passages/620/content is empty", "(line 625)");
    assertThat(desk.apply(text.toString()).code()).isZero();
    assertThat(desk.apply(text.toString()).out()).endsWith("nothing to change\n");
    assertThat(desk.run("export").out().split("content:")).hasSize(621);
  }

  @Test
  void every_mistake_has_a_suggestion_and_a_line() {
    String wrong =
        """
        people: [ { name: ana, dispName: Ana } ]
        agents:
          - name: Mira
            childrens: []
            provider: { name: scriptd }
            toolsets: [teem]
            goals: [ { description: Sail, priority: hi, status: don } ]
            plans: [ { name: Round, instruction: Look., cron: x y } ]
            memory:
              blocks: [ { label: a, content: A }, { label: a, content: B, limit: lots } ]
          - { name: Ada, parent: mirra }
        sharedBlocks: [ { label: plan, content: x, reader: [mira], writers: [mria] } ]
        spaces: [ { name: Yard, kind: publik, membres: [], members: [adda] } ]
        """;
    CommandOutcome ran = desk.apply(wrong);
    assertThat(ran.err())
        .startsWith("error INVALID_CONFIG: stdin has 15 errors\n")
        .contains(
            "/people/0/dispName  is not a key of a person; use one of name, displayName (line 1)",
            "/agents/0/childrens  is not a known key (did you mean children?) (line 4)",
            "/agents/0/provider/name  unknown provider \"scriptd\"; did you mean scripted?",
            "/agents/0/toolsets/0  unknown toolset \"teem\"; did you mean team?",
            "/agents/0/goals/0/priority  must be one of high, medium, low",
            "/agents/0/goals/0/status  must be one of active, completed, abandoned",
            "/agents/0/plans/0/cron  is not a cron expression",
            "/agents/0/memory/blocks/1/limit  must be a whole number, like 5, not a text (line 10)",
            "/agents/0/memory/blocks/1/label  \"a\" is a duplicate",
            "/agents/1/parent  agent \"mirra\" not found (did you mean mira?)",
            "/sharedBlocks/0/reader  is not a key of a shared block (did you mean readers?)",
            "/sharedBlocks/0/writers/0  agent \"mria\" not found (did you mean mira?)",
            "/spaces/0/membres  is not a key of a space (did you mean members?)",
            "/spaces/0/members/0  no agent or person \"adda\" (did you mean ada or ana?)",
            "/spaces/0/kind  has the unknown value \"publik\"; did you mean public? use one of: public");
    assertThat(desk.handles()).isEmpty();
  }

  @Test
  void at_most_twenty_mistakes_are_listed() {
    var text = new StringBuilder("agents:\n");
    for (int i = 0; i < 33; i++) {
      text.append("  - { name: a%d, rol: x }\n".formatted(i));
    }
    assertThat(desk.apply(text.toString()).err())
        .contains("has 33 errors", "/agents/19/rol", "and 13 more")
        .doesNotContain("/agents/20/rol");
  }
}
