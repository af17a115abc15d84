package dev.substrat.toolset.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Validation of workspaces, and its errors and hints for people and agents.
@Timeout(300)
final class WorkspaceValidationTest {
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);
  @TempDir private Path directory;

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  private TestClient.Answer create(String workspace) {
    return daemon.post(
        "/api/agents",
        """
        {"name":"rosa","provider":{"name":"external"},"toolsets":["team","workspace"],
         "workspace":%s}
        """
            .formatted(workspace.replace('\'', '"')));
  }

  @Test
  void branches_need_a_repository() {
    var refused = create("{'path':'%s','mode':'worktree'}".formatted(directory));

    assertThat(refused.text("code")).isEqualTo("INVALID_CONFIG");
    assertThat(refused.text("message")).contains("/workspace/mode", "not a git repository");
    assertThat(refused.text("hint")).contains("git init");
  }

  @Test
  void a_relative_path_is_rejected_as_relative() {
    var refused = create("{'path':'src'}");

    assertThat(refused.text("code")).isEqualTo("INVALID_CONFIG");
    assertThat(refused.text("message")).contains("must be an absolute path: src");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/usr", "/usr/lib", "/bin", "/etc", "/dev/shm", "/proc"})
  void a_view_cannot_cover_system_directories(String as) {
    var refused = create("{'views':[{'path':'%s','as':'%s'}]}".formatted(directory, as));

    assertThat(refused.text("code")).isEqualTo("INVALID_CONFIG");
    assertThat(refused.text("message")).contains("would cover files that programs need");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/usr/share/models", "/models", "/opt/models", "/user"})
  void a_view_may_be_mounted_at_an_unused_path(String as) {
    assertThat(create("{'views':[{'path':'%s','as':'%s'}]}".formatted(directory, as)).status())
        .isEqualTo(201);
  }

  @Test
  void a_file_tool_reports_that_views_are_for_programs_only() {
    assertThat(create("{'views':[{'path':'%s','as':'/models'}]}".formatted(directory)).status())
        .isEqualTo(201);
    try (var rosa = daemon.as(daemon.post("/api/agents/rosa/tokens", "{}").text("token"))) {
      var refused =
          rosa.post(
                  "/mcp",
                  """
                  {"jsonrpc":"2.0","id":1,"method":"tools/call",
                   "params":{"name":"read_file","arguments":{"path":"/models/a"}}}
                  """)
              .body()
              .path("result")
              .path("structuredContent");
      assertThat(refused.path("code").asText()).isEqualTo("PATH_BLOCKED");
      assertThat(refused.path("hint").asText()).contains("run_command");
    }
  }

  @Test
  void git_metadata_is_listed_only_on_request() throws IOException {
    Files.createDirectories(directory.resolve(".git/hooks"));
    Files.writeString(directory.resolve("readme"), "one");
    create("{'path':'%s'}".formatted(directory));

    assertThat(daemon.get("/api/workspaces/rosa").body().path("files").findValuesAsText("path"))
        .containsExactly("readme");
    assertThat(
            daemon
                .get("/api/workspaces/rosa?path=.git")
                .body()
                .path("files")
                .findValuesAsText("path"))
        .containsExactly(".git/hooks");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {"{}|false", "{'network':true}|true", "{'network':false}|false"})
  void the_workspace_shows_whether_commands_have_network(String workspace, boolean hasOne) {
    create(workspace);

    assertThat(daemon.get("/api/workspaces").body().at("/workspaces/0/network").asBoolean())
        .isEqualTo(hasOne);
  }

  @Test
  void a_diff_without_a_branch_has_a_hint() {
    create("{}");

    assertThat(daemon.get("/api/workspaces/rosa/diff").text("hint"))
        .contains("workspace.mode: worktree");
  }
}
