package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Paths that are granted to the program of an MCP server.
@Timeout(300)
final class ServerPathsTest {
  @TempDir private Path folder;
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  private TestClient.Answer create(String path, String mode) {
    var agent = Json.object().put("name", "ada");
    agent.putObject("provider").put("name", "external");
    var server = agent.putObject("mcp").putArray("servers").addObject();
    server.put("name", "files").put("command", "/bin/sh");
    server.putArray("paths").addObject().put("path", path).put("mode", mode);
    return daemon.post("/api/agents", Json.text(agent));
  }

  @Test
  void an_existing_path_is_accepted_and_shown_before_the_approval() {
    assertThat(create(folder.toString(), "rw").status()).isEqualTo(201);
    var server = daemon.get("/api/agents/ada/mcp-servers").body().path("servers").path(0);
    assertThat(server.at("/paths/0/path").asText()).isEqualTo(folder.toString());
    assertThat(server.at("/paths/0/mode").asText()).isEqualTo("rw");
    assertThat(server.path("access").asText()).startsWith("can ");
  }

  @Test
  void a_path_that_exposes_the_daemon_or_the_system_is_rejected() throws IOException {
    Path data = daemon.data().toRealPath();
    Path link = Files.createSymbolicLink(folder.resolve("link"), data);
    for (Path path : List.of(data, data.resolve("operator.token"), data.resolveSibling(""), link)) {
      var refused = create(path.toString(), "ro");
      assertThat(refused.status()).as("%s", path).isEqualTo(422);
      assertThat(refused.text("code")).isEqualTo("INVALID_CONFIG");
      assertThat(refused.text("message"))
          .isEqualTo(
              "/mcp/servers/0/paths/0/path would expose the daemon's data directory: " + path);
      assertThat(refused.text("hint")).contains("neither inside nor around");
    }
    var machine = create("/", "ro");
    assertThat(machine.text("code")).isEqualTo("INVALID_CONFIG");
    assertThat(machine.text("message")).contains("/path is the whole machine: /");
    for (String path : List.of("/proc", "/dev", "/etc", "/usr")) {
      assertThat(create(path, "rw").text("message")).contains("a part of the operating system");
    }
  }

  @Test
  void a_path_that_does_not_exist_is_rejected_with_a_hint() {
    var refused = create(folder.resolve("gone").toString(), "rw");
    assertThat(refused.text("code")).isEqualTo("INVALID_CONFIG");
    assertThat(refused.text("message"))
        .isEqualTo("/mcp/servers/0/paths/0/path does not exist: " + folder.resolve("gone"));
    assertThat(refused.text("hint")).contains("mkdir -p " + folder.resolve("gone"));
  }
}
