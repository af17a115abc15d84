package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Changes of a client's configuration file.
final class ConnectTest extends ConnectCommandRunner {
  private String entry() {
    return """
          "command": "/opt/substrat/substrat",
          "args": ["mcp", "--agent", "mira", "--data", "%s"]
    """
        .formatted(data);
  }

  @Test
  void without_write_only_the_diff_is_printed() {
    var ran = connect("cursor", "--agent", "mira");

    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .startsWith("--- /dev/null\n+++ %s\n@@ -0,0 +1,8 @@\n+{\n".formatted(cursor()))
        .contains("+      \"command\": \"/opt/substrat/substrat\",\n");
    assertThat(ran.err())
        .isEqualTo("nothing changed; add --write to change %s\n".formatted(cursor()));
    assertThat(home.resolve(".cursor")).doesNotExist();
  }

  @Test
  void write_changes_the_file_once() throws IOException {
    assertThat(connect("cursor", "--agent", "mira", "--write"))
        .satisfies(ran -> {
          assertThat(ran.code()).isZero();
          assertThat(ran.out())
              .startsWith("connected: Cursor acts as mira ('substrat' in %s)\n".formatted(cursor()))
              .contains("next: in Cursor, switch 'substrat' on");
        });
    String text = Files.readString(cursor());
    assertThat(text).contains("\"mcpServers\"", entry());

    assertThat(connect("cursor", "--agent", "mira", "--write").out())
        .startsWith("already connected: Cursor acts as mira");
    assertThat(cursor()).hasContent(text);
    assertThat(home.resolve(".cursor/mcp.json.substrat-backup")).doesNotExist();
  }

  @Test
  void the_rest_of_the_file_is_unchanged_and_a_backup_is_kept() throws IOException {
    String before =
        "{\n  // mine\n  \"mcpServers\": {\n    \"git\": {\"command\": \"npx\"}\n  }\n}";
    Files.createDirectories(cursor().getParent());
    Files.writeString(cursor(), before);

    assertThat(connect("cursor", "--agent", "mira", "--write").err())
        .isEqualTo("original file: %s.substrat-backup\n".formatted(cursor()));
    assertThat(Path.of(cursor() + ".substrat-backup")).hasContent(before);
    assertThat(cursor()).content().contains("// mine", "\"git\": {\"command\": \"npx\"},\n");

    assertThat(connect("cursor", "--remove").out()).contains("-    \"substrat\": {");
    assertThat(connect("cursor", "--remove", "--write").out())
        .isEqualTo("removed 'substrat' from %s\n".formatted(cursor()));
    assertThat(cursor()).hasContent(before);
    assertThat(connect("cursor", "--remove", "--write").out())
        .isEqualTo("not connected: %s has no entry 'substrat'\n".formatted(cursor()));
  }

  @Test
  void replacing_the_agent_keeps_additions_of_the_user() throws IOException {
    daemon.answers(
        "GET /api/agents/ben", 200, MIRA.replace("mira", "ben").replace("\"7\"", "\"9\""));
    connect("claude", "--agent", "mira", "--write");
    Path file = home.resolve(".claude.json");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("\"args\"", "\"env\": {\n        \"A\": \"b\"\n      },\n      \"args\""));

    assertThat(connect("claude", "--agent", "ben").out().lines().filter(l -> l.matches("[-+] .*")))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("\"args\""));
    connect("claude", "--agent", "ben", "--write");
    assertThat(file).content().contains("\"env\": {", "\"A\": \"b\"", "\"ben\"");
    assertThat(connect("claude", "--agent", "ben").out()).startsWith("already connected");
  }

  @Test
  void an_entry_that_is_not_for_substrat_is_not_changed() throws IOException {
    String theirs =
        "{\"mcpServers\":{\"substrat\":{\"command\":\"other\",\"env\":{\"KEY\":\"secret\"}}}}";
    Files.createDirectories(cursor().getParent());
    Files.writeString(cursor(), theirs);

    for (String[] args :
        new String[][] {{"cursor", "--agent", "mira", "--write"}, {"cursor", "--remove"}}) {
      assertThat(connect(args))
          .satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err())
                .contains(
                    "error CONFLICT",
                    "that Substrat did not write: {\"command\":\"other\",\"env\":\"…\"}")
                .contains("--name", "--force")
                .doesNotContain("secret");
          });
    }
    assertThat(cursor()).hasContent(theirs);
    assertThat(connect("cursor", "--agent", "mira", "--name", "sub", "--write").code()).isZero();
    assertThat(connect("cursor", "--agent", "mira", "--force", "--write").code()).isZero();
    assertThat(cursor()).content().doesNotContain("other").contains("\"sub\"");
  }

  @Test
  void an_invalid_file_is_not_changed() throws IOException {
    Path file = home.resolve(".codex/config.toml");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "a = \n");

    assertThat(connect("codex", "--agent", "mira", "--write"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.err()).startsWith("error INVALID_CONFIG: " + file).contains("--print");
        });
    assertThat(connect("codex", "--agent", "mira", "--print").out())
        .startsWith("[mcp_servers.substrat]\ncommand = \"/opt/substrat/substrat\"\n");
  }
}
