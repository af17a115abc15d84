package dev.substrat.toolset.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxAssumption;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.NpmPrograms;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An agent uses third-party servers after a person approved them.
@Requirement({"S3-50", "S3-51", "S3-52"})
@Timeout(300)
final class RealServersScenarioTest {
  private static final String VERSION = "@2026.8.31";
  private static NpmPrograms npm;

  @TempDir private Path files;
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.reaching(place, Map.of());

  @BeforeAll
  static void install() throws Exception {
    npm =
        NpmPrograms.require(
            "@modelcontextprotocol/server-everything" + VERSION,
            "@modelcontextprotocol/server-filesystem" + VERSION,
            "@modelcontextprotocol/server-memory" + VERSION,
            NpmPrograms.NODE);
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
    Files.deleteIfExists(memory());
  }

  @Test
  void an_agent_calls_a_tool_of_each_server_in_one_turn() throws IOException {
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

    work();

    assertThat(result("echo")).contains("Echo: ahoy");
    assertThat(result("read_text_file")).contains("fair winds");
    assertThat(result("create_entities")).contains("entityType");
    assertThat(result("read_graph")).contains("sails");
  }

  @Test
  void a_server_writes_only_to_granted_paths() throws IOException {
    SandboxAssumption.requireWorks(Sandbox.onPath(System.getenv("PATH")));
    Path notes = Files.createDirectory(files.toRealPath().resolve("notes"));
    Path logs = Files.createDirectory(files.toRealPath().resolve("logs"));
    Files.writeString(logs.resolve("b.txt"), "calm");
    var server =
        program("files", npm.command("mcp-server-filesystem", notes.toString(), logs.toString()));
    granted(server, notes, "rw");
    granted(server, logs, "ro");
    createWith(
        """
        [{"when": {"kind": "message"}, "do": [
          {"call": "files_write_file", "with": {"path": "%1$s/a.txt", "content": "fair winds"}},
          {"call": "files_edit_file", "with": {"path": "%2$s/b.txt", "edits": [
            {"oldText": "calm", "newText": "storm"}]}},
          {"call": "list_directory", "with": {"path": "/etc"}},
          {"say": "done"}]}]
        """
            .formatted(notes, logs),
        server);
    assertThat(server("files").path("access").asText())
        .startsWith("can write " + notes + "; can read " + logs + ", ")
        .endsWith("network: no");
    approve("files");
    Await.until(this::areUp);

    work();

    assertThat(notes.resolve("a.txt")).hasContent("fair winds");
    assertThat(result("files_edit_file"))
        .contains("EROFS", "in the server's configuration", "with mode rw");
    assertThat(logs.resolve("b.txt")).hasContent("calm");
    assertThat(result("list_directory")).contains("Access denied");
  }

  @Test
  void npx_installs_a_server_with_network_access_and_fails_clearly_without() throws IOException {
    SandboxAssumption.requireWorks(Sandbox.onPath(System.getenv("PATH")));
    String filesystem = "@modelcontextprotocol/server-filesystem" + VERSION;
    Path notes = Files.createDirectory(files.toRealPath().resolve("notes"));
    List<String> command = List.of("npx", "-y", filesystem, notes.toString());
    var online = program("online", command).put("network", true);
    granted(online, notes, "rw");
    // Without paths: its home is the daemon's, and its caches are its own.
    var cached = program("cached", command).put("network", true);
    var offline = program("offline", command);
    createWith(
        """
        [{"when": {"kind": "message"}, "do": [
          {"call": "online_write_file", "with": {"path": "%s/a.txt", "content": "fetched"}},
          {"say": "done"}]}]
        """
            .formatted(notes),
        online,
        cached,
        offline);
    approve("online");
    approve("cached");
    approve("offline");
    Await.until(() -> state("online").equals("up") && state("cached").equals("up"));

    work();

    assertThat(notes.resolve("a.txt")).hasContent("fetched");
    Await.until(() -> state("offline").equals("down"));
    assertThat(server("offline").path("problem").asText()).contains("only with `network: true`");
  }

  @Test
  void the_reason_of_a_program_exit_is_shown_to_agent_and_person() {
    var broken =
        program("broken", List.of("/bin/sh", "-c", "echo 'no licence for ada' >&2; exit 7"));
    createWith(
        """
        [{"when": {"kind": "message"}, "do": [
          {"call": "sail", "with": {}, "save": "r"}, {"say": "{{r.error}}"}]}]
        """,
        broken);
    approve("broken");
    Await.until(() -> state("broken").equals("down"));

    work();

    assertThat(result("sail")).contains("broken is down", "exit code 7", "no licence for ada");
    assertThat(server("broken").path("problem").asText())
        .contains("exit code 7", "no licence for ada");
    var looked = daemon.post("/api/agents/ada/mcp-servers/broken/look", "{}");
    assertThat(looked.text("message")).contains("exit code 7", "no licence for ada");
  }

  /// Sends the agent a message, and waits until it has answered.
  private void work() {
    var sent = daemon.post("/api/agents/ada/messages", "{\"text\":\"work\",\"sync\":true}");
    String path = "/api/messages/" + sent.text("message_id");
    Await.until(() -> daemon.get(path).body().has("reply"));
  }

  private static void granted(ObjectNode server, Path path, String mode) {
    server.withArray("paths").addObject().put("path", path.toString()).put("mode", mode);
  }

  private JsonNode server(String name) {
    return daemon
        .get("/api/agents/ada/mcp-servers")
        .body()
        .path("servers")
        .valueStream()
        .filter(one -> one.path("name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private String state(String server) {
    return server(server).path("state").asText();
  }

  private void createWith(String playbook, ObjectNode... servers) {
    var agent = Json.object().put("name", "ada");
    agent.putObject("provider").put("name", "scripted").set("playbook", Json.own(playbook));
    agent.putObject("mcp").putArray("servers").addAll(List.of(servers));
    var made = daemon.post("/api/agents", Json.text(agent));
    assertThat(made.status()).as("%s", made).isEqualTo(201);
  }

  /// Directory that the memory server can write, with and without a sandbox.
  private Path memory() {
    return Path.of(System.getProperty("java.io.tmpdir"), files.getFileName() + ".jsonl");
  }

  private void create(String playbook) throws IOException {
    var memory = program("memory", npm.command("mcp-server-memory"));
    memory.putObject("env").put("MEMORY_FILE_PATH", memory().toString());
    createWith(
        playbook,
        program("everything", npm.command("mcp-server-everything", "stdio")),
        program("files", npm.command("mcp-server-filesystem", files.toRealPath().toString())),
        memory);
  }

  private static ObjectNode program(String name, List<String> command) {
    var server = Json.object().put("name", name).put("command", command.getFirst());
    server.set("args", Json.tree(command.subList(1, command.size())));
    return server;
  }

  /// The operator allows exactly the command that is shown.
  private void approve(String server) {
    String servers = "/api/agents/ada/mcp-servers";
    String hash = server(server).path("commandHash").asText();
    var approved =
        daemon.post(servers + "/" + server + "/approve", "{\"hash\":\"%s\"}".formatted(hash));
    assertThat(approved.status()).as("%s", approved).isEqualTo(200);
  }

  private boolean areUp() {
    JsonNode servers = daemon.get("/api/agents/ada/mcp-servers").body().path("servers");
    return servers.valueStream().allMatch(one -> one.path("state").asText().equals("up"));
  }

  /// Recorded result of a call in ada's run.
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
