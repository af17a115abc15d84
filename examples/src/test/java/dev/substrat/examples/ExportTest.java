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

/// `./substrat export`: an exported team can be applied again.
final class ExportTest {
  @TempDir private Path folder;
  private CommandLineFixture desk;

  @BeforeEach
  void start() throws IOException {
    desk = new CommandLineFixture(Files.createDirectory(folder.resolve("data")));
    desk.pipe(
        """
        agents:
          - name: "Zoë 2"
            handle: "007"
            description: "yes"
            systemPrompt: |
              You lead: always.
                # not a comment
              - no list
            toolsets: [team]
            children:
              - name: Ada
                provider: { name: external }
                limits: { maxChildren: 2, messagesPerMinute: 9 }
                children: [ { name: Ben, role: reviewer } ]
          - name: Noor
            provider: { name: scripted, playbook: [ { do: [ { say: "a: {{event.text}}" } ] } ] }
        """,
        "apply",
        "-");
  }

  @AfterEach
  void stop() {
    desk.close();
  }

  @Test
  void an_export_applied_to_the_same_daemon_changes_nothing() {
    String team = desk.run("export").out();

    assertThat(desk.pipe(team, "apply", "-").out()).isEqualTo("= unchanged 4\nnothing to change\n");
  }

  @Test
  void an_export_applied_to_an_empty_daemon_creates_the_same_team() throws IOException {
    String team = desk.run("export").out();
    try (var other = new CommandLineFixture(Files.createDirectory(folder.resolve("other")))) {
      assertThat(other.pipe(team, "apply", "-").lines()).endsWith("done: 4 created");
      assertThat(other.run("export").out()).isEqualTo(team);
      assertThat(other.agent("007").path("systemPrompt"))
          .isEqualTo(desk.agent("007").path("systemPrompt"));
    }
  }

  @Test
  void the_export_of_a_subtree_names_its_parent() throws IOException {
    Path file = folder.resolve("ada.yaml");
    CommandOutcome ran = desk.run("export", "ada", "-o", file.toString());

    assertThat(ran.out()).isEmpty();
    assertThat(Files.readString(file))
        .isEqualTo(
            """
            agents:
              - name: Ada
                handle: ada
                parent: "007"
                provider:
                  name: external
                limits:
                  messagesPerMinute: 9
                  maxChildren: 2
                children:
                  - name: Ben
                    handle: ben
                    role: reviewer
                    provider:
                      name: scripted
            """);
    assertThat(desk.run("apply", file.toString()).out())
        .isEqualTo("= unchanged 2\nnothing to change\n");
  }

  @Test
  void an_export_as_json_can_be_applied() throws IOException {
    Path file = folder.resolve("team.json");
    desk.run("export", "--json", "-o", file.toString());

    assertThat(desk.run("apply", file.toString()).out())
        .isEqualTo("= unchanged 4\nnothing to change\n");
  }

  @Test
  void exporting_an_unknown_agent_fails() {
    CommandOutcome ran = desk.run("export", "nobody");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("AGENT_NOT_FOUND", "hint:");
  }
}
