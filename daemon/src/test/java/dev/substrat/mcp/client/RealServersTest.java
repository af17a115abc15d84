package dev.substrat.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.testkit.NpmPrograms;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Third-party servers, over every transport they have.
@Requirement("S3-50")
@Timeout(300)
final class RealServersTest {
  private static final String VERSION = "@2026.8.31";
  private static NpmPrograms npm;

  @TempDir private Path directory;
  private TestMcpClients visits;

  @BeforeAll
  static void install() throws Exception {
    npm =
        NpmPrograms.require(
            "@modelcontextprotocol/server-everything" + VERSION,
            "@modelcontextprotocol/server-filesystem" + VERSION,
            "@modelcontextprotocol/server-memory" + VERSION,
            NpmPrograms.NODE);
  }

  @BeforeEach
  void open() {
    visits = new TestMcpClients();
  }

  @AfterEach
  void close() {
    visits.close();
  }

  @Test
  void the_everything_server_works_over_stdio() {
    try (var client = visits.to(program("mcp-server-everything", "stdio"))) {
      work(client);
    }
  }

  @ParameterizedTest
  @CsvSource({"streamableHttp,/mcp", "sse,/sse"})
  void the_everything_server_works_over_http(String transport, String path) throws Exception {
    int port = freePort();
    var builder = new ProcessBuilder(npm.command("mcp-server-everything", transport));
    builder.environment().put("PORT", String.valueOf(port));
    Process server =
        builder
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("server.log").toFile())
            .start();
    try (var client = patiently("http://127.0.0.1:" + port + path)) {
      work(client);
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  private static void work(McpClient client) {
    assertThat(client.revision()).isEqualTo("2025-11-25");
    assertThat(TestMcpClients.text(call(client, "echo", Json.object().put("message", "ahoy"))))
        .isEqualTo("Echo: ahoy");
    assertThat(
            call(client, "get-structured-content", Json.object().put("location", "New York"))
                .path("structuredContent")
                .path("temperature")
                .isNumber())
        .isTrue();
    var reports = new CopyOnWriteArrayList<Double>();
    client.callTool(
        find(client, "trigger-long-running-operation"),
        Json.object().put("duration", 1).put("steps", 2),
        new McpClient.CallOptions(
            (done, _, _) -> reports.add(done), TestMcpClients.PATIENCE, null));
    assertThat(reports).containsExactly(1.0, 2.0);
  }

  @Test
  void the_filesystem_and_memory_servers_work() throws IOException {
    Path file = Files.writeString(directory.resolve("log.txt"), "fair winds");
    try (var client = visits.to(program("mcp-server-filesystem", directory.toString()))) {
      var path = Json.object().put("path", file.toRealPath().toString());
      assertThat(TestMcpClients.text(call(client, "read_text_file", path))).isEqualTo("fair winds");
      assertThat(
              call(client, "read_text_file", Json.object().put("path", "/etc/hostname"))
                  .path("isError")
                  .asBoolean())
          .isTrue();
    }
    try (var client = visits.to(program("mcp-server-memory"))) {
      var entities = Json.object();
      var ada = entities.putArray("entities").addObject().put("name", "ada");
      ada.put("entityType", "agent").putArray("observations").add("sails");
      call(client, "create_entities", entities);
      assertThat(call(client, "read_graph", Json.object()).toString()).contains("sails");
    }
  }

  private ServerAddress program(String program, String... arguments) {
    return new ServerAddress.ProgramAddress(
        npm.command(program, arguments),
        directory,
        Map.of("MEMORY_FILE_PATH", directory.resolve("memory.jsonl").toString()),
        ServerAddress.ProgramRights.READ_ONLY,
        List.of(),
        UnaryOperator.identity());
  }

  /// Until the server is up.
  private McpClient patiently(String url) {
    long end = System.nanoTime() + TestMcpClients.PATIENCE.toNanos();
    while (true) {
      try {
        return visits.to(url);
      } catch (RemoteFailure e) {
        assertThat(System.nanoTime()).as(e.getMessage()).isLessThan(end);
      }
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static ObjectNode call(McpClient client, String tool, ObjectNode arguments) {
    return client.callTool(find(client, tool), arguments, TestMcpClients.PLAIN);
  }

  private static ToolDefinition find(McpClient client, String tool) {
    return client.listTools(TestMcpClients.PATIENCE).stream()
        .filter(one -> one.name().equals(tool))
        .findFirst()
        .orElseThrow();
  }
}
