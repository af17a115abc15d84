package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Templates, clones, export and import of agents.
final class AgentSharingTest extends FakeDaemonCommands {
  private static final String SKILLS =
      "[{\"name\":\"Git"
          + " Log\",\"description\":\"Look.\",\"category\":\"Tools\"},{\"name\":\"Review\",\"description\":\"Read.\\n\\nAsk.\",\"enabled\":false,\"requires\":[\"Git"
          + " Log\"]}]";
  private static final String CONFIG =
      "{\"name\":\"Ada\",\"systemPrompt\":\"Count.\",\"skills\":" + SKILLS + "}";
  private static final String MADE =
      "{\"id\":\"9\",\"handle\":\"ada-2\",\"name\":\"Ada\",\"skills\":" + SKILLS + "}";

  @TempDir Path files;

  @Test
  void an_agent_is_created_from_a_template_and_saved_as_one() {
    daemon
        .answers("POST /api/agents", 201, MADE)
        .answers("POST /api/agents/ada/clone", 201, MADE)
        .answers("POST /api/templates", 201, "{\"id\":\"hand\"}")
        .answers("DELETE /api/templates/hand", 204, "")
        .answers(
            "GET /api/templates",
            200,
            "{\"templates\":[{\"id\":\"reviewer\",\"name\":\"Code"
                + " reviewer\",\"description\":\"Reads.\",\"builtIn\":true}]}");

    assertThat(run("agent", "create", "rita", "--template", "reviewer").code()).isZero();
    assertThat(last()).isEqualTo("POST /api/agents {\"name\":\"rita\",\"template\":\"reviewer\"}");
    assertThat(run("agent", "clone", "ada", "grace", "--memory").out()).contains("ada-2");
    assertThat(last()).isEqualTo("POST /api/agents/ada/clone {\"name\":\"grace\",\"memory\":true}");
    assertThat(run("agent", "template", "save", "ada", "--name", "Hand").out())
        .isEqualTo("saved hand\n");
    assertThat(last()).isEqualTo("POST /api/templates {\"agent\":\"ada\",\"name\":\"Hand\"}");
    assertThat(run("agent", "template", "delete", "hand", "--json").out())
        .isEqualTo("{\"deleted\":\"hand\"}\n");
    assertThat(run("agent", "templates").out()).contains("reviewer", "Code reviewer", "Substrat");
    assertThat(run("agent", "templates", "--json").out()).startsWith("{\"templates\":[");
  }

  @Test
  void an_agent_is_shown_with_its_skills_and_references() {
    daemon.answers(
        "GET /api/agents/ada",
        200,
        """
        {"handle":"ada","contextRefs":["a.md","b.md"],"skills":[{"name":"Git","enabled":false},
         {"name":"Review","inactiveBecause":"requires Git, which is off"},{"name":"Tea"}]}
        """);

    assertThat(run("agent", "show", "ada").out())
        .contains("Git (off), Review (requires Git, which is off), Tea", "a.md, b.md");
  }

  @Test
  void an_exported_agent_is_imported_unchanged() throws IOException {
    exportable("[]");
    daemon.answers("POST /api/agents", 201, MADE);
    for (String name : new String[] {"ada.yaml", "ada.json"}) {
      Path file = files.resolve(name);
      assertThat(run("agent", "export", "ada", "-o", file.toString()).err())
          .isEqualTo("written to " + file + "\n");

      assertThat(run("agent", "import", file.toString()).out())
          .contains("ada-2", "Git Log, Review");
      assertThat(last()).isEqualTo("POST /api/agents " + CONFIG);
    }
    assertThat(Files.readString(files.resolve("ada.yaml"))).startsWith("name: Ada\n");
    assertThat(run("agent", "export", "ada").out())
        .isEqualTo(Files.readString(files.resolve("ada.yaml")));
    assertThat(run("agent", "export", "ada", "--json").out())
        .isEqualTo(Files.readString(files.resolve("ada.json")));
  }

  @Test
  void omitted_secrets_are_listed() {
    exportable("[\"/provider/env/KEY\"]");

    assertThat(run("agent", "export", "ada").err())
        .contains("omitted because it looks like a secret: /provider/env/KEY");
  }

  @Test
  void skills_exported_as_folders_are_imported_unchanged() {
    exportable("[]");
    daemon.answers("POST /api/agents", 201, MADE);
    Path folder = files.resolve("clerk");

    assertThat(run("agent", "export", "ada", "--format", "skills", "-o", folder.toString()).out())
        .contains("written " + folder.resolve("git-log/SKILL.md"), "review/SKILL.md");
    assertThat(run("agent", "import", folder.toString()).code()).isZero();

    assertThat(last()).isEqualTo("POST /api/agents {\"name\":\"clerk\",\"skills\":" + SKILLS + "}");
    assertThat(run("agent", "export", "ada", "--format", "skills", "-o", folder.toString()).err())
        .contains("error CONFLICT", "already exists");
    assertThat(run("agent", "export", "ada", "--format", "skills").err())
        .contains("error INVALID_ARGUMENTS", "-o FOLDER");
    assertThat(run("agent", "export", "ada", "--format", "xml").err())
        .contains("INVALID_ARGUMENTS");
  }

  @Test
  void skills_are_added_to_an_existing_agent() throws IOException {
    skill("git-log", "---\nname: Git Log\ndescription: New.\nlicense: MIT\n---\n");
    skill("pdf", "---\nname: pdf\ndescription: Use for PDF.\n---\n\nOpen it.\n");
    Files.writeString(files.resolve("pdf/script.py"), "x");
    daemon
        .answers("GET /api/agents/ada/config", 200, CONFIG)
        .answers("PUT /api/agents/ada", 200, MADE);

    var ran = run("agent", "import", files.toString(), "--into", "ada");

    assertThat(last())
        .isEqualTo(
            "PUT /api/agents/ada"
                + " {\"name\":\"Ada\",\"systemPrompt\":\"Count.\",\"skills\":[{\"name\":\"Git"
                + " Log\",\"description\":\"New.\"},{\"name\":\"Review\",\"description\":\"Read.\\n\\nAsk.\",\"enabled\":false,\"requires\":[\"Git"
                + " Log\"]},{\"name\":\"pdf\",\"description\":\"Use for PDF.\\n\\nOpen it.\"}]}");
    assertThat(ran.err())
        .contains("note: Git Log: ignored keys: license", "note: pdf: only SKILL.md is imported");
  }

  @Test
  void links_and_large_files_are_not_read() throws IOException {
    Path outside = Files.createDirectories(data.resolve("elsewhere"));
    Files.writeString(outside.resolve("SKILL.md"), "---\nname: secret\n---\n");
    Files.createSymbolicLink(files.resolve("link"), outside);
    Files.createDirectories(files.resolve("inside"));
    Files.createSymbolicLink(files.resolve("inside/SKILL.md"), outside.resolve("SKILL.md"));

    assertThat(run("agent", "import", files.toString()).err())
        .contains("error INVALID_ARGUMENTS", "no SKILL.md found");
    skill("huge", "---\nname: huge\n---\n" + "x".repeat(300_000));
    assertThat(run("agent", "import", files.toString()).err())
        .contains("error TOO_LARGE", "256 KiB");
    Files.writeString(files.resolve("huge.yaml"), "x".repeat(5_000_000));
    assertThat(run("agent", "import", files.resolve("huge.yaml").toString()).err())
        .contains("error TOO_LARGE", "4096 KiB");
    Files.writeString(files.resolve("team.yaml"), "agents: []\n");
    assertThat(run("agent", "import", files.resolve("team.yaml").toString()).err())
        .contains("./substrat apply");
    assertThat(run("agent", "import", files.resolve("none.yaml").toString()).err())
        .contains("file not found");
    assertThat(daemon.requests()).noneMatch(request -> request.startsWith("POST"));
  }

  private void skill(String folder, String text) throws IOException {
    Files.createDirectories(files.resolve(folder));
    Files.writeString(files.resolve(folder).resolve("SKILL.md"), text);
  }

  private void exportable(String omitted) {
    daemon.answers(
        "GET /api/agents/ada/export",
        200,
        "{\"config\":" + CONFIG + ",\"omitted\":" + omitted + "}");
  }

  private String last() {
    return daemon.requests().getLast();
  }
}
