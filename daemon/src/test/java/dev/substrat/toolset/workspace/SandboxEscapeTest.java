package dev.substrat.toolset.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.mcp.client.ServerAddress;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.sandbox.SandboxProbe;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Every program of an agent runs in a sandbox that it cannot escape, whoever runs the daemon. The
/// same script asks the kernel in each place.
@Timeout(180)
@Requirement({"S0-29", "S0-28"})
final class SandboxEscapeTest {
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);

  @TempDir private Path temporary;

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  private String probe() {
    return SandboxProbe.script(daemon.data());
  }

  private JsonNode command(String command) {
    var created =
        daemon.post(
            "/api/agents",
            "{\"name\":\"rosa\",\"provider\":{\"name\":\"external\"},\"toolsets\":[\"workspace\"]}");
    assertThat(created.status()).isEqualTo(201);
    String token = daemon.post("/api/agents/rosa/tokens", "{}").text("token");
    var request = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
    var arguments = Json.object().put("command", command);
    request.putObject("params").put("name", "run_command").set("arguments", arguments);
    try (var rosa = daemon.as(token)) {
      return rosa.post("/mcp", Json.text(request)).body().at("/result/structuredContent");
    }
  }

  @Test
  void a_command_cannot_escape_the_sandbox() {
    assertThat(command(probe()).path("output").asText().strip()).isEqualTo(SandboxProbe.CLEAN);
  }

  /// The report is written into the directory it works in.
  private String report(String agent, String provider) {
    var created =
        daemon.post("/api/agents", "{\"name\":\"%s\",\"provider\":%s}".formatted(agent, provider));
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
    daemon.post("/api/agents/" + agent + "/messages", "{\"text\":\"go\"}");
    Path report = daemon.data().resolve("workspaces").resolve(created.text("id")).resolve("report");
    Await.until(() -> read(report).endsWith(SandboxProbe.CLEAN + "\n"));
    return read(report).strip();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  private Path program(String name) throws IOException {
    Path file =
        Files.writeString(
            temporary.resolve(name), "#!/bin/sh\n(\n" + probe() + "\n) > report 2>&1\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void the_process_of_a_cli_provider_cannot_escape_the_sandbox() throws Exception {
    String provider =
        "{\"name\":\"cli\",\"command\":[\"%s\"],\"cli\":{}}".formatted(program("mind.sh"));
    assertThat(report("ada", provider)).isEqualTo(SandboxProbe.CLEAN);
  }

  /// Without a configured workspace.
  @Test
  void the_program_of_a_scripted_agent_cannot_escape_the_sandbox() throws Exception {
    String provider =
        "{\"name\":\"scripted\",\"command\":[\"%s\"]}".formatted(program("script.sh"));
    assertThat(report("ben", provider)).isEqualTo(SandboxProbe.CLEAN);
  }

  @Test
  void an_mcp_server_program_cannot_escape_the_sandbox() {
    var address =
        new ServerAddress.ProgramAddress(
            List.of("/bin/sh", "-c", "(" + probe() + ") >&2; exit 3"),
            Path.of("/"),
            Map.of(),
            ServerAddress.ProgramRights.READ_ONLY,
            List.of(daemon.data()),
            UnaryOperator.identity());
    var servers = daemon.engine().dependencies().outside().servers();
    Throwable failure =
        catchThrowable(() -> servers.connect(address, () -> {}, Duration.ofMinutes(2)));
    assertThat(failure).hasMessageEndingWith("with exit code 3: " + SandboxProbe.CLEAN);
  }
}
