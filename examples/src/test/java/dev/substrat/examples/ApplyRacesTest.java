package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.examples.CommandLineFixture.CommandOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two people apply the same file at the same time: one team is created.
final class ApplyRacesTest {
  private static final String TEAM =
      """
      agents:
        - name: Chief
          children:
            - name: Ada
            - name: Ben
      """;

  @TempDir private Path folder;
  private CommandLineFixture desk;
  private String file = "";

  @BeforeEach
  void start() throws IOException {
    desk = new CommandLineFixture(Files.createDirectory(folder.resolve("data")));
    file = Files.writeString(folder.resolve("team.yaml"), TEAM).toString();
  }

  @AfterEach
  void stop() {
    desk.close();
  }

  @Test
  void an_agent_is_not_created_under_another_handle_than_planned() {
    CommandOutcome ran = desk.agreeing(() -> desk.run("apply", file), "apply", file);

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err())
        .contains("error CONFLICT: cannot create chief: another agent has taken the handle chief")
        .contains("stopped after 0 of 3", "./substrat agent tree", "run the same command again");
    assertThat(desk.handles()).containsExactly("chief", "ada", "ben");
    assertThat(desk.run("apply", file).out()).isEqualTo("= unchanged 3\nnothing to change\n");
  }

  @Test
  void children_are_not_created_under_another_handle_either() {
    desk.apply("agents: [{name: Chief}]");

    CommandOutcome ran =
        desk.agreeing(() -> desk.run("agent", "create", "Ben", "--parent", "chief"), "apply", file);

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("error CONFLICT: cannot create ben", "stopped after 1 of 2");
    assertThat(desk.handles()).containsExactly("chief", "ben", "ada");
  }

  @Test
  void many_concurrent_applies_create_one_team() {
    IntStream.range(0, 6).parallel().forEach(_ -> desk.run("apply", file));

    assertThat(desk.handles()).containsExactlyInAnyOrder("chief", "ada", "ben");
    assertThat(desk.run("apply", file).out()).isEqualTo("= unchanged 3\nnothing to change\n");
  }
}
