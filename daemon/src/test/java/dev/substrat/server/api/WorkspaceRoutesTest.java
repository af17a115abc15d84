package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.WorkspaceConfig;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Workspaces over HTTP.
@Requirement("S0-29")
final class WorkspaceRoutesTest {
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);
  @TempDir private Path directory;

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  private int create(String workspace) {
    return request(workspace).status();
  }

  private TestClient.Answer request(String workspace) {
    return daemon.post(
        "/api/agents",
        "{\"name\":\"ada\",\"provider\":{\"name\":\"external\"},\"workspace\":%s}"
            .formatted(
                workspace
                    .replace("DIR", directory.toString())
                    .replace("DATA", daemon.data().toString())));
  }

  @ParameterizedTest
  @CsvSource({"DIR,/,DIR", "DIR,DATA/x,x"})
  void a_mount_point_over_a_system_directory_is_rejected_with_a_free_one(
      String path, String as, String name) {
    String hint =
        request("{\"views\":[{\"path\":\"%s\",\"as\":\"%s\"}]}".formatted(path, as)).text("hint");
    assertThat(hint)
        .isEqualTo(
            "use another path, for example /views/"
                + name.replace("DIR", String.valueOf(directory.getFileName())));
  }

  @Test
  void the_operator_sees_the_sandbox_report() {
    var sandbox = daemon.engine().dependencies().workspaces().sandbox();
    JsonNode report = daemon.get("/api/sandbox").body();
    assertThat(report.path("level").asText()).isEqualTo(sandbox.works() ? "full" : "none");
    assertThat(report.path("checks").findValues("problem")).isEmpty();
    assertThat(report.at("/limits/processes").asInt()).isEqualTo(1024);
  }

  @Test
  void people_see_workspaces_and_their_files() throws Exception {
    assertThat(create("{\"path\":\"DIR\",\"network\":false,\"sandbox\":\"off\"}")).isEqualTo(201);
    Files.createDirectory(directory.resolve("src"));
    Files.writeString(directory.resolve("src/main"), "12345");
    JsonNode card = daemon.get("/api/workspaces").body().at("/workspaces/0");
    assertThat(card.path("directory").asText()).isEqualTo(directory.toString());
    assertThat(card.path("sandbox").asText()).isEqualTo("off");
    assertThat(card.path("network").asBoolean()).isFalse();
    JsonNode contents = daemon.get("/api/workspaces/ada").body();
    assertThat(contents.at("/files/1/path").asText()).isEqualTo("src/main");
    assertThat(contents.at("/size/bytes").asLong()).isEqualTo(5);
    assertThat(daemon.get("/api/workspaces/ada?limit=1").body().path("truncated").asBoolean())
        .isTrue();
    assertThat(daemon.get("/api/workspaces/ada?path=..").body().path("code").asText())
        .isEqualTo("PATH_BLOCKED");
    assertThat(daemon.get("/api/workspaces/nobody").status()).isEqualTo(404);
    assertThat(daemon.get("/api/workspaces/ada/diff").status()).isEqualTo(404);
  }

  /// The YAML value of an unquoted `off`.
  @Test
  void an_unquoted_yaml_off_is_accepted() {
    assertThat(create("{\"sandbox\":false}")).isEqualTo(201);
    assertThat(daemon.get("/api/workspaces").body().at("/workspaces/0/sandbox").asText())
        .isEqualTo("off");
    assertThat(create("{\"sandbox\":true}")).isEqualTo(400);
  }

  @Test
  void reading_a_workspace_creates_nothing_and_agents_have_no_access() {
    assertThat(create("{}")).isEqualTo(201);
    assertThat(daemon.get("/api/workspaces/ada").body().at("/workspace/exists").asBoolean())
        .isFalse();
    assertThat(daemon.data().resolve("workspaces")).doesNotExist();
    try (var ada = daemon.as(daemon.post("/api/agents/ada/tokens", "{}").text("token"))) {
      assertThat(ada.get("/api/sandbox").status()).isEqualTo(403);
      assertThat(ada.get("/api/workspaces").status()).isEqualTo(403);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"path\":\"relative\"}",
        "{\"path\":\"DIR/none\"}",
        "{\"path\":\"DIR/../x\"}",
        "{\"path\":\"DATA\"}",
        "{\"path\":\"DATA/workspaces\"}",
        "{\"path\":\"/\"}",
        "{\"views\":[{\"path\":\"DIR\",\"as\":\"/\"}]}",
        "{\"views\":[{\"path\":\"DIR\",\"as\":\"DATA\"}]}",
        "{\"views\":[{\"path\":\"DIR\",\"as\":\"DATA/workspaces/here\"}]}",
        "{\"mode\":\"shared\"}",
        "{\"mode\":\"mine\"}",
        "{\"sandbox\":\"maybe\"}",
        "{\"views\":[{\"path\":\"DATA/operator.token\"}]}",
        "{\"views\":[{\"path\":\"DIR\",\"mode\":\"rwx\"}]}",
        "{\"views\":[{\"path\":\"DIR\",\"as\":\"here\"}]}"
      })
  void an_invalid_workspace_or_one_that_exposes_the_daemon_is_rejected(String workspace) {
    assertThat(create(workspace)).isEqualTo(422);
  }

  @ParameterizedTest
  @CsvSource({
    "DATA, belongs to the daemon",
    "DATA/workspaces, belongs to the daemon",
    "/, is the whole machine"
  })
  void the_data_directory_cannot_be_a_provider_directory(String place, String reason)
      throws Exception {
    Files.createDirectories(daemon.data().resolve("workspaces"));
    var refused =
        daemon.post(
            "/api/agents",
            """
            {"name":"ada","workspace":{},
             "provider":{"name":"scripted","command":["/bin/true"],"directory":"%s"}}
            """
                .formatted(place.replace("DATA", daemon.data().toString())));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("message")).startsWith("/provider/directory " + reason);
  }

  /// YAML reads `on` as true and `off` as false; only false is accepted as a value.
  @ParameterizedTest
  @ValueSource(strings = {"true", "1"})
  void an_invalid_sandbox_value_is_rejected_with_the_valid_ones(String sandbox) {
    var refused = request("{\"sandbox\":%s}".formatted(sandbox));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text("message"))
        .isEqualTo(
            "/workspace/sandbox must be a string: auto (default): use a sandbox if available; required: start nothing without one; off: no sandbox.");
    assertThat(JsonSchema.ofRecord(WorkspaceConfig.class).json().at("/properties/sandbox/anyOf"))
        .hasToString("[{\"type\":\"string\"},{\"const\":false}]");
  }

  @Test
  void an_unknown_key_is_an_error() {
    assertThat(create("{\"pathh\":\"DIR\"}")).isEqualTo(400);
  }
}
