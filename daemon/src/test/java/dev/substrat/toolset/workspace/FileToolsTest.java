package dev.substrat.toolset.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.sandbox.SandboxAssumption;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// File tools of an agent's workspace, over MCP.
@OnEveryDatabase
@Timeout(300)
@Requirement({"S0-28", "S1-20"})
final class FileToolsTest {
  private final TestDatabase place;
  private final TestDaemon daemon;
  private final TestClient rosa;
  private final Path workspace;

  FileToolsTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    var created =
        daemon.post(
            "/api/agents",
            """
            {"name":"rosa","provider":{"name":"external"},"toolsets":["team","workspace"]}
            """);
    assertThat(created.status()).isEqualTo(201);
    this.rosa = daemon.as(daemon.post("/api/agents/rosa/tokens", "{}").text("token"));
    this.workspace = daemon.data().resolve("workspaces").resolve(created.text("id"));
  }

  @AfterEach
  void close() throws IOException {
    rosa.close();
    daemon.close();
    place.close();
  }

  private JsonNode call(String tool, String arguments) {
    return call(tool, arguments, "");
  }

  private JsonNode call(String tool, String arguments, String key) {
    String request =
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}
        """
            .formatted(tool, arguments.replace('\'', '"'));
    var answer =
        key.isEmpty()
            ? rosa.post("/mcp", request)
            : rosa.post("/mcp", request, "Idempotency-Key", key);
    return answer.body().path("result").path("structuredContent");
  }

  @Test
  void a_file_is_written_read_and_found() throws Exception {
    JsonNode written = call("write_file", "{'path':'notes/a.md','text':'one\\ntwo\\nthree\\n'}");
    assertThat(written.path("created").asBoolean()).isTrue();
    assertThat(workspace.resolve("notes/a.md")).hasContent("one\ntwo\nthree\n");

    JsonNode read = call("read_file", "{'path':'notes/a.md','offset':2,'limit':1}");
    assertThat(read.path("text").asText()).isEqualTo("two\n");
    assertThat(read.path("total_lines").asInt()).isEqualTo(3);
    assertThat(read.path("truncated").asBoolean()).isTrue();
    assertThat(read.path("hash").asText()).isEqualTo(written.path("hash").asText());

    assertThat(call("list_files", "{}").at("/files/0").toString())
        .isEqualTo("{\"path\":\"notes\",\"kind\":\"folder\",\"size\":0}");
    assertThat(call("list_files", "{'recursive':true}").at("/files/1/path").asText())
        .isEqualTo("notes/a.md");
    assertThat(
            call("search_files", "{'text':'TWO','ignore_case':true}").at("/matches/0").toString())
        .isEqualTo("{\"path\":\"notes/a.md\",\"line\":2,\"text\":\"two\"}");
  }

  @Test
  void a_write_with_another_expected_hash_is_a_conflict() throws Exception {
    call("write_file", "{'path':'a','text':'mine'}");
    assertThat(call("write_file", "{'path':'a','text':'x','expected_hash':'none'}").path("code"))
        .isEqualTo(Json.tree("CONFLICT"));
    assertThat(call("write_file", "{'path':'b','text':'x','expected_hash':'ab'}").path("code"))
        .isEqualTo(Json.tree("CONFLICT"));
    assertThat(workspace.resolve("a")).hasContent("mine");
    assertThat(workspace.resolve("b")).doesNotExist();
  }

  @Test
  void an_edit_replaces_one_unique_or_all_occurrences() throws Exception {
    call("write_file", "{'path':'a','text':'tick tock tick'}");
    assertThat(call("edit_file", "{'path':'a','old':'tick','new':'TICK'}").path("code").asText())
        .isEqualTo("CONFLICT");
    assertThat(call("edit_file", "{'path':'a','old':'tack','new':'x'}").path("message").asText())
        .isEqualTo("/old occurs 0 times in a");
    JsonNode edited = call("edit_file", "{'path':'a','old':'tick','new':'TICK','all':true}");
    assertThat(edited.path("replaced").asInt()).isEqualTo(2);
    assertThat(workspace.resolve("a")).hasContent("TICK tock TICK");
  }

  /// As a turn does that is tried again.
  @Test
  @Requirement("A12")
  void a_repeated_edit_is_applied_once_and_returns_the_same() {
    call("write_file", "{'path':'a','text':'1'}");
    JsonNode first = call("edit_file", "{'path':'a','old':'1','new':'11'}", "k");
    assertThat(call("edit_file", "{'path':'a','old':'1','new':'11'}", "k")).isEqualTo(first);
    assertThat(workspace.resolve("a")).hasContent("11");
  }

  @Test
  void an_edited_file_stays_executable() throws Exception {
    call("write_file", "{'path':'run','text':'echo 1'}");
    Files.setPosixFilePermissions(
        workspace.resolve("run"), PosixFilePermissions.fromString("rwxr-x---"));
    call("write_file", "{'path':'run','text':'echo 2'}");
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(workspace.resolve("run"))))
        .isEqualTo("rwxr-x---");
  }

  @Test
  void a_binary_file_is_reported() throws Exception {
    call("write_file", "{'path':'a','text':'x'}");
    Files.write(workspace.resolve("picture"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 0});
    JsonNode read = call("read_file", "{'path':'picture'}");
    assertThat(read.path("binary").asBoolean()).isTrue();
    assertThat(read.path("size").asInt()).isEqualTo(5);
    assertThat(call("read_file", "{'path':'.'}").path("code").asText())
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(call("read_file", "{'path':'none'}").path("code").asText()).isEqualTo("NOT_FOUND");
    assertThat(call("list_files", "{'path':'a'}").path("code").asText()).isEqualTo("PATH_BLOCKED");
  }

  @Test
  void file_tools_cannot_access_files_outside_the_workspace() throws Exception {
    call("write_file", "{'path':'a','text':'x'}");
    Files.createSymbolicLink(workspace.resolve("door"), daemon.data());
    for (String path :
        new String[] {"../../operator.token", "/etc/passwd", "door/operator.token"}) {
      for (String tool : new String[] {"read_file", "write_file", "edit_file"}) {
        String more =
            switch (tool) {
              case "write_file" -> ",'text':'x'";
              case "edit_file" -> ",'old':'a','new':'b'";
              default -> "";
            };
        assertThat(call(tool, "{'path':'%s'%s}".formatted(path, more)).path("code").asText())
            .as("%s of %s", tool, path)
            .isEqualTo("PATH_BLOCKED");
      }
    }
    assertThat(call("search_files", "{'text':'sub'}").path("matches")).isEmpty();
    assertThat(daemon.read("operator.token").strip()).isEqualTo(daemon.token());
  }

  /// Git would execute it for the next user of the directory.
  @Test
  @Requirement("S0-29")
  void git_metadata_is_readable_and_never_written() throws Exception {
    call("write_file", "{'path':'sub/a','text':'x'}");
    Path config = Files.createDirectories(workspace.resolve(".git/hooks")).resolveSibling("config");
    Files.writeString(config, "[core]");
    Files.createDirectories(workspace.resolve("sub/.git/hooks"));
    Files.createSymbolicLink(workspace.resolve("way"), Path.of(".git"));
    Files.createSymbolicLink(workspace.resolve("door"), Path.of(".git/config"));
    for (String path :
        new String[] {
          ".git/config",
          ".GIT/config",
          "sub/.git/hooks/pre-commit",
          "fresh/.git/config",
          "way/config",
          "way/fresh/file",
          "door",
          ".git"
        }) {
      assertThat(code("write_file", "{'path':'%s','text':'x'}".formatted(path)))
          .as(path)
          .isEqualTo("PATH_BLOCKED");
    }
    for (String path : new String[] {".git/config", "way/config", "door"}) {
      assertThat(code("edit_file", "{'path':'%s','old':'core','new':'x'}".formatted(path)))
          .as(path)
          .isEqualTo("PATH_BLOCKED");
    }
    assertThat(call("read_file", "{'path':'.git/config'}").path("text").asText())
        .isEqualTo("[core]");
    assertThat(config).hasContent("[core]");
    assertThat(workspace.resolve(".git")).isDirectoryNotContaining("glob:**/fresh");
    assertThat(workspace.resolve("sub/.git/hooks")).isEmptyDirectory();
    assertThat(workspace.resolve("fresh")).doesNotExist();
    assertThat(call("write_file", "{'path':'.gitignore','text':'x'}").path("size").asInt())
        .isEqualTo(1);
  }

  private String code(String tool, String arguments) {
    return call(tool, arguments).path("code").asText();
  }

  @Test
  @Requirement({"C9", "S0-7", "S0-29"})
  void a_command_returns_inline_or_through_the_inbox() throws Exception {
    SandboxAssumption.requireWorks(daemon.engine().dependencies().workspaces().sandbox());
    JsonNode soon = call("run_command", "{'command':'echo out; echo err >&2; exit 3'}");
    assertThat(soon.path("exit_code").asInt()).isEqualTo(3);
    assertThat(soon.path("output").asText()).isEqualTo("out\nerr\n");
    assertThat(
            call("run_command", "{'command':'cat %s'}".formatted(daemon.data() + "/operator.token"))
                .path("exit_code")
                .asInt())
        .isNotZero();

    // The command ends when the test writes to a pipe: opening one waits for the other side.
    InTurn rob = inTurn("mkfifo go; read word < go; echo got $word");
    requireNoQuestion(rob.pendingCall());
    Files.writeString(rob.workspace().resolve("go"), "word\n");
    Await.until(() -> rob.answer().contains("got word"));
    assertThat(rob.answer()).contains(rob.pendingCall());
  }

  /// An agent that runs a command in its turn, which becomes a pending call.
  private record InTurn(TestDaemon daemon, Path workspace, String pendingCall, String question) {
    String answer() {
      return daemon.get("/api/messages/" + question).body().at("/reply/text").asText();
    }

    /// Number of processes whose working directory is the workspace.
    long atWork() {
      return ProcessHandle.allProcesses()
          .filter(process -> {
            try {
              Path place = Path.of("/proc", String.valueOf(process.pid()), "cwd");
              return Files.readSymbolicLink(place).equals(workspace.toRealPath());
            } catch (IOException e) {
              return false;
            }
          })
          .count();
    }
  }

  private InTurn inTurn(String command) {
    var created =
        daemon.post(
            "/api/agents",
            """
            {"name":"rob","toolsets":["team","workspace"],"provider":{"name":"scripted","playbook":[
              {"when":{"kind":"message"},"do":[{"call":"run_command",
                "with":{"command":"{{event.text}}","timeout_seconds":600}}]},
              {"when":{"kind":"tool_result"},"do":[{"say":"{{event.text}}"}]}]}}
            """);
    var asked =
        daemon.post(
            "/api/agents/rob/messages",
            Json.text(Json.object().put("text", command).put("sync", true)));
    assertThat(asked.status()).isEqualTo(201);
    var database = place.open();
    Await.until(() -> !pendingCalls(database).isEmpty());
    return new InTurn(
        daemon,
        daemon.data().resolve("workspaces").resolve(created.text("id")),
        pendingCalls(database).getFirst(),
        asked.text("message_id"));
  }

  private static List<String> pendingCalls(Database database) {
    return database.read(tx -> tx.list("select id from pending_call", row -> row.text("id")));
  }

  /// The result of a call that the daemon executes cannot be given by others.
  private void requireNoQuestion(String id) {
    assertThat(daemon.get("/api/pending?agent=rob").body().path("pending")).isEmpty();
    String run = daemon.get("/api/pending/" + id).text("runId");
    String forged = "{\"status\":\"done\",\"output\":\"forged\"}";
    for (var refused :
        List.of(
            daemon.post("/api/pending/" + id + "/answer", "{\"result\":" + forged + "}"),
            daemon.post(
                "/api/runs/" + run + "/tool-results",
                "{\"callId\":\"%s\",\"result\":%s}".formatted(id, forged)))) {
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.text("code")).isEqualTo("CONFLICT");
      assertThat(refused.text("message")).contains("is executed by the daemon");
    }
  }

  /// A command with endless output is reported like any other.
  @ParameterizedTest
  @ValueSource(strings = {"terminate", "decline"})
  void a_cancelled_command_is_stopped_despite_its_output(String how) {
    SandboxAssumption.requireWorks(daemon.engine().dependencies().workspaces().sandbox());
    InTurn rob = inTurn("while :; do echo .; sleep 0.2; done");
    assertThat(rob.atWork()).isPositive();

    var taken =
        how.equals("terminate")
            ? daemon.delete("/api/agents/rob")
            : daemon.post(
                "/api/pending/" + rob.pendingCall() + "/answer",
                "{\"declined\":true,\"reason\":\"too loud\"}");

    assertThat(taken.status()).isLessThan(300);
    Await.until(() -> rob.atWork() == 0);
    if (how.equals("decline")) {
      Await.until(() -> rob.answer().contains("too loud"));
      assertThat(rob.answer()).contains(rob.pendingCall(), "declined");
    }
  }

  @Test
  void a_command_that_takes_too_long_is_stopped() throws Exception {
    SandboxAssumption.requireWorks(daemon.engine().dependencies().workspaces().sandbox());
    JsonNode stopped =
        call("run_command", "{'command':'echo begun; mkfifo p; cat p','timeout_seconds':1}");
    assertThat(stopped.path("status").asText()).isEqualTo("timed_out");
    assertThat(stopped.path("output").asText()).isEqualTo("begun\n");
  }
}
