package dev.substrat.toolset.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The data directory is never part of a workspace: here the workspace is a home directory with the
/// daemon's `data` in it, and a link to that.
@Timeout(300)
@Requirement({"S0-28", "S0-29"})
final class DataDirectoryProtectionTest {
  private static final String OWN =
      """
      {"name":"rosa","provider":{"name":"external"},"toolsets":["team","workspace"]}
      """;

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final Path home;
  private final TestDaemon daemon;
  private final TestClient rosa;

  DataDirectoryProtectionTest(@TempDir Path temporary) throws IOException {
    this.home = temporary;
    this.daemon = TestDaemon.on(place, Files.createDirectory(home.resolve("data")), Map.of());
    Files.createSymbolicLink(home.resolve("link"), Path.of("data"));
    Files.writeString(home.resolve("plan"), "a plan");
    var created =
        daemon.post(
            "/api/agents",
            """
            {"name":"rosa","provider":{"name":"external"},"toolsets":["team","workspace"],
             "workspace":{"path":"%s"}}
            """
                .formatted(home));
    assertThat(created.status()).isEqualTo(201);
    this.rosa = daemon.as(daemon.post("/api/agents/rosa/tokens", "{}").text("token"));
  }

  @AfterEach
  void close() throws IOException {
    rosa.close();
    daemon.close();
    place.close();
  }

  private JsonNode call(String tool, String arguments) {
    String request =
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}
        """
            .formatted(tool, arguments.replace('\'', '"'));
    return rosa.post("/mcp", request).body().path("result").path("structuredContent");
  }

  private String code(String tool, String arguments) {
    return call(tool, arguments).path("code").asText();
  }

  @ParameterizedTest
  @ValueSource(strings = {"data", "link", ".//data/"})
  void no_tool_reads_or_writes_the_data_directory(String way) {
    String token = way + "/operator.token";
    assertThat(code("read_file", "{'path':'%s'}".formatted(token))).isEqualTo("PATH_BLOCKED");
    assertThat(code("edit_file", "{'path':'%s','old':'a','new':'b'}".formatted(token)))
        .isEqualTo("PATH_BLOCKED");
    assertThat(code("write_file", "{'path':'%s/new/file','text':'x'}".formatted(way)))
        .isEqualTo("PATH_BLOCKED");
    assertThat(code("list_files", "{'path':'%s'}".formatted(way))).isEqualTo("PATH_BLOCKED");
    assertThat(code("search_files", "{'path':'%s','text':'a'}".formatted(way)))
        .isEqualTo("PATH_BLOCKED");
    assertThat(daemon.data().resolve("new")).doesNotExist();
    assertThat(daemon.read("operator.token").strip()).isEqualTo(daemon.token());
  }

  @Test
  void files_beside_the_data_directory_are_available() {
    assertThat(call("list_files", "{'recursive':true}").path("files"))
        .extracting(file -> file.path("path").asText())
        .containsExactly("link", "plan");
    assertThat(call("search_files", "{'text':'a'}").path("matches"))
        .extracting(match -> match.path("path").asText())
        .containsExactly("plan");
    assertThat(daemon.get("/api/workspaces/rosa").body().at("/size/files").asInt()).isEqualTo(1);
  }

  @Test
  void no_tool_reads_secret_files_of_the_daemon(@TempDir Path other) throws IOException {
    Path config =
        Files.writeString(other.resolve("daemon.yaml"), "port: 0\nsemanticSearch: false\n");
    Path data = Files.createDirectory(other.resolve("data"));
    try (var second = TestDaemon.configured(config, data)) {
      second.post(
          "/api/agents",
          """
          {"name":"rosa","provider":{"name":"external"},"toolsets":["workspace"],
           "workspace":{"path":"%s"}}
          """
              .formatted(other));
      String request =
          """
          {"jsonrpc":"2.0","id":1,"method":"tools/call",
           "params":{"name":"read_file","arguments":{"path":"daemon.yaml"}}}
          """;
      try (var client = second.as(second.post("/api/agents/rosa/tokens", "{}").text("token"))) {
        assertThat(
                client.post("/mcp", request).body().at("/result/structuredContent/code").asText())
            .isEqualTo("PATH_BLOCKED");
      }
    }
  }

  @Test
  void an_agent_with_a_workspace_inside_the_data_directory_uses_it() {
    daemon.client().send("PUT", "/api/agents/rosa", OWN);
    assertThat(call("write_file", "{'path':'a','text':'x'}").path("created").asBoolean()).isTrue();
    assertThat(call("read_file", "{'path':'a'}").path("text").asText()).isEqualTo("x");
  }
}
