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

/// What people say and see about workspaces over HTTP.
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
    return wish(workspace).status();
  }

  private TestClient.Answer wish(String workspace) {
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
  void whoever_would_cover_the_machine_is_told_a_place_that_is_free(
      String path, String as, String name) {
    String hint =
        wish("{\"views\":[{\"path\":\"%s\",\"as\":\"%s\"}]}".formatted(path, as)).text("hint");
    assertThat(hint)
        .isEqualTo(
            "choose another place, such as /views/"
                + name.replace("DIR", String.valueOf(directory.getFileName())));
  }

  @Test
  void the_operator_sees_what_the_sandbox_holds() {
    var sandbox = daemon.engine().dependencies().workspaces().sandbox();
    JsonNode report = daemon.get("/api/sandbox").body();
    assertThat(report.path("level").asText()).isEqualTo(sandbox.works() ? "full" : "none");
    assertThat(report.path("checks").findValues("problem")).isEmpty();
    assertThat(report.at("/limits/processes").asInt()).isEqualTo(1024);
  }

  @Test
  void people_see_where_agents_work_and_what_is_there() throws Exception {
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

  /// As YAML has it if nobody puts the word into quotes.
  @Test
  void a_bare_off_is_the_word() {
    assertThat(create("{\"sandbox\":false}")).isEqualTo(201);
    assertThat(daemon.get("/api/workspaces").body().at("/workspaces/0/sandbox").asText())
        .isEqualTo("off");
    assertThat(create("{\"sandbox\":true}")).isEqualTo(400);
  }

  @Test
  void looking_makes_nothing_and_agents_do_not_look() {
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
  void what_cannot_be_or_would_show_what_is_the_daemons_is_refused(String workspace) {
    assertThat(create(workspace)).isEqualTo(422);
  }

  @ParameterizedTest
  @ValueSource(strings = {"DATA", "DATA/workspaces", "/"})
  void nor_is_such_a_place_the_directory_of_a_mind(String place) throws Exception {
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
    assertThat(refused.text("message")).startsWith("/provider/directory is the ");
  }

  /// YAML reads `on` as true, and `off` as false, which is taken for the word.
  @ParameterizedTest
  @ValueSource(strings = {"true", "1"})
  void whoever_does_not_know_the_words_is_told_them(String sandbox) {
    var refused = wish("{\"sandbox\":%s}".formatted(sandbox));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text("message"))
        .isEqualTo(
            "/workspace/sandbox must be a string: auto (default: if available), required or off.");
    assertThat(JsonSchema.ofRecord(WorkspaceConfig.class).json().at("/properties/sandbox/anyOf"))
        .hasToString("[{\"type\":\"string\"},{\"const\":false}]");
  }

  @Test
  void an_unknown_key_is_an_error() {
    assertThat(create("{\"pathh\":\"DIR\"}")).isEqualTo(400);
  }
}
