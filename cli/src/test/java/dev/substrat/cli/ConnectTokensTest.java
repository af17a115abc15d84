package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tokens of clients that are connected over HTTP.
final class ConnectTokensTest extends ConnectCommandRunner {
  @Test
  void over_http_a_token_is_created_once_and_never_printed() throws IOException {
    daemon
        .answers("POST /api/agents/7/tokens", 201, "{\"token\":\"substrat_t1_Sec_ret-1\"}")
        .answers("GET /api/tokens", 200, "{\"tokens\":[{\"id\":\"t1\",\"principal\":\"7\"}]}");

    assertThat(connect("cursor", "--agent", "mira", "--http").out())
        .contains("\"Authorization\": \"Bearer substrat_new_…\"");
    assertThat(daemon.requests()).noneMatch(request -> request.startsWith("POST"));

    assertThat(connect("cursor", "--agent", "mira", "--http", "--write", "--json"))
        .satisfies(ran -> assertThat(ran.out() + ran.err()).doesNotContain("Sec_ret"));
    assertThat(daemon.requests()).contains("POST /api/agents/7/tokens {\"label\":\"Cursor\"}");
    assertThat(cursor()).content().contains("/mcp\"", "\"Bearer substrat_t1_Sec_ret-1\"");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cursor())))
        .isEqualTo("rw-------");

    assertThat(connect("cursor", "--agent", "mira", "--http", "--write").out())
        .startsWith("already connected");
    assertThat(connect("cursor", "--agent", "mira", "--write").err())
        .contains(
            "the removed token is still valid; to revoke the token: ./substrat token revoke t1");
  }

  @Test
  void a_token_that_was_revoked_is_replaced() {
    daemon
        .answers("POST /api/agents/7/tokens", 201, "{\"token\":\"substrat_t1_s\"}")
        .answers(
            "GET /api/tokens",
            200,
            "{\"tokens\":[{\"id\":\"t1\",\"principal\":\"7\",\"revokedAt\":\"2026-01-01\"}]}");
    connect("gemini", "--agent", "mira", "--http", "--write");
    daemon.answers("POST /api/agents/7/tokens", 201, "{\"token\":\"substrat_t2_s\"}");

    connect("gemini", "--agent", "mira", "--http", "--write");

    assertThat(home.resolve(".gemini/settings.json")).content().contains("substrat_t2_s");
  }

  @Test
  void a_token_that_could_not_be_written_is_revoked() throws IOException {
    Path folder = Files.createDirectories(cursor().getParent());
    daemon.answers("DELETE /api/tokens/t1", 204, "");
    // Another program writes the file after it was read.
    daemon.answers(
        "POST /api/agents/7/tokens",
        () -> {
          try {
            Files.writeString(folder.resolve("mcp.json"), "{}");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return new FakeDaemon.Answer(201, "{\"token\":\"substrat_t1_s\"}");
        });

    assertThat(connect("cursor", "--agent", "mira", "--http", "--write").err())
        .contains("error CONFLICT", "changed by another program");
    assertThat(daemon.requests()).contains("DELETE /api/tokens/t1");
    assertThat(cursor()).hasContent("{}");
  }

  @Test
  void a_project_never_gets_a_secret() throws IOException {
    for (String client : List.of("cursor", "claude", "codex", "vscode", "gemini", "opencode")) {
      var ran = connect(client, "--agent", "mira", "--http", "--scope", "project", "--write");
      assertThat(ran.out())
          .as(ran.err())
          .contains("first: export SUBSTRAT_TOKEN=$(./substrat token create --agent mira --data ");
    }
    assertThat(daemon.requests()).noneMatch(request -> request.startsWith("POST"));
    assertThat(project.resolve(".cursor/mcp.json")).content().contains("${env:SUBSTRAT_TOKEN}");
    assertThat(project.resolve(".mcp.json")).content().contains("Bearer ${SUBSTRAT_TOKEN}");
    assertThat(project.resolve(".codex/config.toml"))
        .content()
        .contains("bearer_token_env_var = \"SUBSTRAT_TOKEN\"");
    assertThat(project.resolve(".vscode/mcp.json")).content().contains("${env:SUBSTRAT_TOKEN}");
    assertThat(project.resolve(".gemini/settings.json")).content().contains("${SUBSTRAT_TOKEN}");
    assertThat(project.resolve("opencode.json")).content().contains("Bearer {env:SUBSTRAT_TOKEN}");
    assertThat(connect("goose", "--agent", "mira", "--scope", "project").err())
        .contains("Goose has no project configuration file");
  }

  @Test
  void a_file_readable_by_others_causes_a_note() throws IOException {
    daemon
        .answers("POST /api/agents/7/tokens", 201, "{\"token\":\"substrat_t1_s\"}")
        .answers("GET /api/tokens", 200, "{\"tokens\":[]}");
    Files.createDirectories(cursor().getParent());
    Files.writeString(cursor(), "{}");
    Files.setPosixFilePermissions(cursor(), PosixFilePermissions.fromString("rw-r--r--"));

    assertThat(connect("cursor", "--agent", "mira", "--http", "--write").err())
        .contains(
            "other users can read the token in this file; to prevent that: chmod 600 " + cursor());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cursor())))
        .isEqualTo("rw-r--r--");
  }

  @Test
  void the_zoo_needs_no_agent() {
    assertThat(connect("claude", "--zoo", "--print").out())
        .contains("[\"mcp\", \"--zoo\", \"--data\", \"" + data + "\"]");
    daemon.answers("POST /api/tokens", 201, "{\"token\":\"substrat_z_s\"}");
    daemon.answers("GET /api/tokens", 200, "{\"tokens\":[]}");
    connect("claude", "--zoo", "--http", "--write");
    assertThat(daemon.requests())
        .contains("POST /api/tokens {\"label\":\"Claude Code\",\"zoo\":true}");
  }

  @Test
  void a_workspace_may_have_a_default_agent() throws IOException {
    var ran = connect("claude", "--zoo", "--default", "ada", "--scope", "project", "--write");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(project.resolve(".mcp.json"))
        .content()
        .contains("\"mcp\"", "\"--zoo\"", "\"--default\"");
    assertThat(connect().out()).contains("zoo, default agent");

    daemon
        .answers("POST /api/tokens", 201, "{\"token\":\"substrat_t1_s\"}")
        .answers(
            "GET /api/tokens",
            200,
            "{\"tokens\":[{\"id\":\"t1\",\"principal\":\"zoo\",\"defaultAgent\":\"7\"}]}");
    connect("cursor", "--zoo", "--default", "mira", "--http", "--write");
    assertThat(daemon.requests())
        .contains("POST /api/tokens {\"label\":\"Cursor\",\"zoo\":true,\"defaultAgent\":\"7\"}");
    assertThat(connect("cursor", "--zoo", "--default", "mira", "--http", "--write").out())
        .startsWith("already connected");
    daemon.answers("POST /api/tokens", 201, "{\"token\":\"substrat_t2_s\"}");
    connect("cursor", "--zoo", "--http", "--write");
    assertThat(cursor())
        .as("a token without a default is another one")
        .content()
        .contains("substrat_t2_s");
  }

  @Test
  void a_default_needs_zoo_and_an_existing_agent() {
    assertThat(connect("cursor", "--agent", "mira", "--default", "ada").err())
        .contains("--default needs --zoo");
    assertThat(connect("cursor", "--zoo", "--default", "nobody").err()).contains("AGENT_NOT_FOUND");
  }
}
