package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.sandbox.AbstractSocket;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxAssumption;
import dev.substrat.platform.sandbox.SandboxProbe;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Sandboxes of a daemon that an ordinary user runs, in every place that starts programs. The
/// script is that of `SandboxEscapeTest`, and the daemon's configuration is in the workspace of its
/// agents.
@Timeout(300)
@Requirement({"S0-29", "S0-28"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OrdinaryEscapeTest {
  private final AbstractSocket socket;
  private final OrdinaryDaemon daemon;
  private final DaemonClient client;

  OrdinaryEscapeTest() throws Exception {
    SandboxAssumption.requireWorks(Sandbox.onPath(System.getenv("PATH")));
    this.socket = AbstractSocket.open();
    this.daemon =
        OrdinaryDaemon.configured(
            """
            semanticSearch: false
            sandboxLimits: { memoryMb: 128, totalMemoryMb: 256, processes: 100 }
            """);
    this.client = daemon.client();
  }

  @BeforeAll
  void requireOrdinaryUser() throws Exception {
    JsonNode report = client.get("/api/sandbox").body();
    assertThat(report.path("daemonIsRoot").asBoolean()).isFalse();
    assertThat(report.path("level").asText()).as(report.toString()).isEqualTo("full");
  }

  @AfterAll
  void close() throws Exception {
    client.close();
    daemon.close();
    socket.close();
  }

  private String probe() {
    return "SECRETS='%s'\nKNOCK=$(cat <<'END_OF_KNOCK'\n%s\nEND_OF_KNOCK\n)\n"
            .formatted(daemon.work().resolve("daemon.yaml"), socket.knock())
        + SandboxProbe.script(daemon.data());
  }

  private void create(String name, Map<String, Object> more) throws Exception {
    var agent = new HashMap<>(more);
    agent.put("name", name);
    agent.put("workspace", Map.of("path", daemon.work().toString()));
    var created = client.post("/api/agents", agent);
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
  }

  private JsonNode command(String agent, String command) throws Exception {
    create(agent, Map.of("provider", Map.of("name", "external"), "toolsets", List.of("workspace")));
    String token =
        client.post("/api/agents/" + agent + "/tokens", Map.of()).body().path("token").asText();
    var call =
        Map.of(
            "jsonrpc",
            "2.0",
            "id",
            1,
            "method",
            "tools/call",
            "params",
            Map.of("name", "run_command", "arguments", Map.of("command", command)));
    try (var rosa = new DaemonClient(daemon.url(), token)) {
      return rosa.post("/mcp", call).body().at("/result/structuredContent");
    }
  }

  @Test
  void a_command_cannot_escape_the_sandbox() throws Exception {
    assertThat(command("rosa", probe()).path("output").asText().strip())
        .isEqualTo(SandboxProbe.CLEAN);
  }

  @Test
  void a_command_that_uses_too_much_memory_is_stopped() throws Exception {
    JsonNode result =
        command(
            "nina",
            "for i in 1 2 3 4 5; do (head -c 70000000 /dev/zero; sleep 60) | tail -c 70000000 & done; wait");
    assertThat(result.path("status").asText()).as(result.toString()).isEqualTo("limit_exceeded");
    assertThat(result.path("limit").asText()).contains("sandboxLimits.totalMemoryMb");
  }

  @Test
  void a_fork_bomb_is_stopped() throws Exception {
    JsonNode result =
        command("tara", "sh -c 'for i in $(seq 300); do sleep 60 & done; echo all were started'");
    assertThat(result.path("limit").asText())
        .as(result.toString())
        .contains("sandboxLimits.processes");
  }

  private Path program(String name, String after) throws IOException {
    Path report = daemon.work().resolve(name + ".report");
    Path file =
        Files.writeString(
            daemon.work().resolveSibling(name),
            "#!/bin/sh\n(\n%s\n) > %s 2>&1\n%s\n".formatted(probe(), report, after));
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private String report(String name) {
    Path report = daemon.work().resolve(name + ".report");
    Await.until(() -> read(report).endsWith(SandboxProbe.CLEAN + "\n"), () -> read(report));
    return read(report).strip();
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void the_process_of_a_cli_provider_cannot_escape_the_sandbox() throws Exception {
    List<String> words = List.of(program("mind.sh", "").toString());
    create("ada", Map.of("provider", Map.of("name", "cli", "command", words, "cli", Map.of())));
    client.post("/api/agents/ada/messages", Map.of("text", "go"));
    assertThat(report("mind.sh")).isEqualTo(SandboxProbe.CLEAN);
  }

  @Test
  void the_program_of_a_scripted_agent_cannot_escape_the_sandbox() throws Exception {
    List<String> words = List.of(program("script.sh", "").toString());
    create("ben", Map.of("provider", Map.of("name", "scripted", "command", words)));
    client.post("/api/agents/ben/messages", Map.of("text", "go"));
    assertThat(report("script.sh")).isEqualTo(SandboxProbe.CLEAN);
  }

  /// It sees all files of the machine, so it reports its findings on stderr.
  @Test
  void an_mcp_server_program_cannot_escape_the_sandbox() throws Exception {
    // For its caches.
    String own = "ALLOWED='%s/server-homes/.*'\n".formatted(daemon.data());
    var server =
        Map.of(
            "name",
            "probe",
            "command",
            "/bin/sh",
            "network",
            true,
            "args",
            List.of("-c", "(\n" + own + probe() + ") >&2; exit 3"));
    create(
        "eva",
        Map.of("provider", Map.of("name", "external"), "mcp", Map.of("servers", List.of(server))));
    String servers = "/api/agents/eva/mcp-servers";
    String hash = client.get(servers).body().at("/servers/0/commandHash").asText();
    var approved = client.post(servers + "/probe/approve", Map.of("hash", hash));
    assertThat(approved.status()).as(approved.body().toString()).isEqualTo(200);
    Await.until(() -> problem(servers).contains("exit code 3"), () -> problem(servers));
    assertThat(problem(servers)).endsWith("with exit code 3: " + SandboxProbe.CLEAN);
  }

  private String problem(String servers) {
    try {
      return client.get(servers).body().at("/servers/0/problem").asText();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
