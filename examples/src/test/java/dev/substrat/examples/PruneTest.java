package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.examples.CommandLineFixture.CommandOutcome;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which agents `apply --prune` terminates.
final class PruneTest {
  private static final String SPAWNER =
      """
      agents:
        - name: Mira
          provider:
            name: scripted
            playbook:
              - when: { kind: message }
                do:
                  - call: spawn_agent
                    with: { name: Kim, instructions: count the crates }
                  - say: kim is here
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
  void an_agent_missing_in_the_file_stays_without_prune() {
    desk.apply("agents: [{name: Mira, children: [{name: Old, children: [{name: Older}]}]}]");
    String without = "agents: [{name: Mira}]";

    assertThat(desk.apply(without).lines())
        .containsExactly(
            "- terminate old, with descendants older (only with --prune)",
            "= unchanged 1",
            "nothing to change");
    CommandOutcome unsure = desk.apply(without, "--prune");
    assertThat(unsure.code()).isEqualTo(2);
    assertThat(unsure.err()).contains("there is no terminal", "--yes");
    assertThat(desk.handles()).hasSize(3);

    assertThat(desk.apply(without, "--prune", "--yes").lines())
        .containsExactly(
            "- terminate old, with descendants older",
            "= unchanged 1",
            "terminated old",
            "done: 1 terminated");
    assertThat(desk.handles()).containsExactly("mira");
  }

  @Test
  void other_trees_and_ancestors_of_declared_agents_are_not_changed() {
    desk.run("agent", "create", "stranger");
    desk.apply("agents: [{name: Mira, children: [{name: Between, children: [{name: Ada}]}]}]");

    CommandOutcome ran =
        desk.apply("agents: [{name: Mira}, {name: Ada, parent: between}]", "--prune", "--yes");

    assertThat(ran.out()).isEqualTo("= unchanged 2\nnothing to change\n");
    assertThat(desk.handles()).containsExactly("stranger", "mira", "between", "ada");
  }

  @Test
  @Requirement("S0-30")
  void spawned_agents_are_not_changed() {
    desk.apply(SPAWNER);
    desk.run("send", "mira", "call somebody", "--wait");
    assertThat(desk.handles()).containsExactly("mira", "kim");

    assertThat(desk.apply(SPAWNER).out()).isEqualTo("= unchanged 1\nnothing to change\n");
    assertThat(desk.apply(SPAWNER, "--prune", "--dry-run").out())
        .startsWith("- terminate kim (spawned by mira)\n");

    String coincidence = SPAWNER + "    children: [{name: Kim, systemPrompt: be quiet}]\n";
    assertThat(desk.apply(coincidence).err())
        .contains("Kim: was spawned by mira at run time and differs from this declaration")
        .contains("add handle: kim to manage that agent in this file");
    assertThat(desk.apply(coincidence.replace("[{name: Kim", "[{name: Kim, handle: kim")).lines())
        .contains("updated kim");

    assertThat(desk.apply(SPAWNER, "--prune", "--yes").lines()).contains("terminated kim");
    assertThat(desk.handles()).containsExactly("mira");
  }

  @Test
  void a_spawned_agent_of_another_parent_is_not_matched() {
    desk.apply(SPAWNER);
    desk.run("send", "mira", "call somebody", "--wait");
    String root = "agents: [{name: Kim}]";

    assertThat(desk.apply(root).lines()).startsWith("+ create kim-2");
    assertThat(desk.apply(root).out()).isEqualTo("= unchanged 1\nnothing to change\n");
  }
}
