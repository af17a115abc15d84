package dev.substrat.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.daemon.TestDaemon;
import dev.substrat.json.Json;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Npm;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An agent works with servers that nobody here wrote, as soon as a person has approved them.
@Requirement({"S3-50", "S3-51", "S3-52"})
@Timeout(300)
final class RealServersAtWorkTest {
  private static final String VERSION = "@2026.8.31";
  private static Npm npm;

  @TempDir private Path files;
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.reaching(place, Map.of());

  @BeforeAll
  static void install() throws Exception {
    Optional<Npm> found =
        Npm.find(
            "@modelcontextprotocol/server-everything" + VERSION,
            "@modelcontextprotocol/server-filesystem" + VERSION,
            "@modelcontextprotocol/server-memory" + VERSION,
            Npm.NODE);
    assumeThat(found).as("the servers can be had from npm").isPresent();
    npm = found.get();
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
    Files.deleteIfExists(memory());
  }

  @Test
  void an_agent_calls_a_tool_of_each_in_one_turn() throws IOException {
    Path log = Files.writeString(files.toRealPath().resolve("log.txt"), "fair winds");
    Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rwxr-xr-x"));
    create(
        """
        [{"when": {"kind": "message"}, "do": [
          {"call": "echo", "with": {"message": "ahoy"}},
          {"call": "read_text_file", "with": {"path": "%s"}},
          {"call": "create_entities", "with": {"entities": [
            {"name": "ada", "entityType": "agent", "observations": ["sails"]}]}},
          {"call": "read_graph", "with": {}},
          {"say": "done"}]}]
        """
            .formatted(log));
    approve("everything");
    approve("files");
    approve("memory");
    // On a busy machine they take longer to start than a first turn waits for them.
    Await.until(this::areUp);

    var sent = daemon.post("/api/agents/ada/messages", "{\"text\":\"work\",\"sync\":true}");
    String path = "/api/messages/" + sent.text("message_id");
    Await.until(() -> daemon.get(path).body().has("reply"));

    assertThat(result("echo")).contains("Echo: ahoy");
    assertThat(result("read_text_file")).contains("fair winds");
    assertThat(result("create_entities")).contains("entityType");
    assertThat(result("read_graph")).contains("sails");
  }

  /// Where the memory's server may write, inside walls and without.
  private Path memory() {
    return Path.of(System.getProperty("java.io.tmpdir"), files.getFileName() + ".jsonl");
  }

  private void create(String playbook) throws IOException {
    var agent = Json.object().put("name", "ada");
    agent.putObject("provider").put("name", "scripted").set("playbook", Json.own(playbook));
    var servers = agent.putObject("mcp").putArray("servers");
    servers.add(program("everything", npm.command("mcp-server-everything", "stdio")));
    servers.add(
        program("files", npm.command("mcp-server-filesystem", files.toRealPath().toString())));
    var memory = program("memory", npm.command("mcp-server-memory"));
    memory.putObject("env").put("MEMORY_FILE_PATH", memory().toString());
    servers.add(memory);
    var made = daemon.post("/api/agents", Json.text(agent));
    assertThat(made.status()).as("%s", made).isEqualTo(201);
  }

  private static ObjectNode program(String name, List<String> command) {
    var server = Json.object().put("name", name).put("command", command.getFirst());
    server.set("args", Json.tree(command.subList(1, command.size())));
    return server;
  }

  /// The operator allows exactly the command that is shown.
  private void approve(String server) {
    String servers = "/api/agents/ada/mcp-servers";
    String hash =
        daemon
            .get(servers)
            .body()
            .path("servers")
            .valueStream()
            .filter(one -> one.path("name").asText().equals(server))
            .map(one -> one.path("commandHash").asText())
            .findFirst()
            .orElseThrow();
    var approved =
        daemon.post(servers + "/" + server + "/approve", "{\"hash\":\"%s\"}".formatted(hash));
    assertThat(approved.status()).as("%s", approved).isEqualTo(200);
  }

  private boolean areUp() {
    JsonNode servers = daemon.get("/api/agents/ada/mcp-servers").body().path("servers");
    return servers.valueStream().allMatch(one -> one.path("state").asText().equals("up"));
  }

  /// What the record of ada's run says that a call gave.
  private String result(String tool) {
    String run = daemon.get("/api/runs?agent=ada").body().path("runs").path(0).path("id").asText();
    JsonNode messages = daemon.get("/api/runs/" + run + "/messages").body().path("messages");
    return messages
        .valueStream()
        .filter(one -> one.path("type").asText().equals("tool_return_message"))
        .filter(one -> one.path("toolName").asText().equals(tool))
        .map(JsonNode::toString)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no result of " + tool + " in " + messages));
  }
}
