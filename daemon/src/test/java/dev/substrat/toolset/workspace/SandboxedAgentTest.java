package dev.substrat.toolset.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.sandbox.SandboxAssumption;
import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.server.TestDaemon;
import dev.substrat.server.api.EventReader;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A hostile agent program can access only its own workspace.
@Timeout(300)
@Requirement({"S0-29", "S0-28", "S1-20"})
final class SandboxedAgentTest {
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);

  @TempDir private Path temporary;

  @BeforeEach
  void requireBubblewrap() {
    SandboxAssumption.requireWorks(daemon.engine().dependencies().workspaces().sandbox());
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  /// The answer of an agent with this script, which ends with `answer word`.
  private String answer(String name, String workspace, String script) throws IOException {
    String head =
        """
        read -r turn
        answer() { echo "{\\"type\\":\\"done\\",\\"response\\":\\"$1\\"}"; }
        """;
    var config = Json.object().put("name", name);
    config.set("workspace", Json.own(workspace));
    var agentProvider = config.putObject("provider").put("name", "scripted");
    agentProvider.putArray("command").add("/bin/bash").add("-c").add(head + script);
    var created = daemon.post("/api/agents", Json.text(config));
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
    return ask(name);
  }

  private String ask(String name) {
    String message =
        daemon
            .post("/api/agents/" + name + "/messages", "{\"text\":\"go\",\"sync\":true}")
            .text("message_id");
    try (var reader =
        new EventReader(daemon.url() + "/api/events?after=0&agent=" + name, daemon.token())) {
      // Earlier turns have ended, too.
      while (!daemon.get("/api/messages/" + message).text("status").equals("replied")) {
        var ended = reader.event("turn_ended").data();
        assertThat(ended.path("status").asText()).as(ended.toString()).isEqualTo("done");
      }
    }
    return daemon.get("/api/messages/" + message).body().path("reply").path("text").asText();
  }

  /// Gives sandboxed programs of a daemon that runs as root write access to a directory.
  private void handOver(Path folder) throws IOException {
    daemon.engine().dependencies().workspaces().sandbox().handOver(folder);
  }

  private Path workspace(String name) {
    return daemon
        .data()
        .resolve("workspaces")
        .resolve(daemon.get("/api/agents/" + name).text("id"));
  }

  @Test
  void a_program_works_in_its_own_workspace() throws Exception {
    assertThat(answer("ada", "{}", "echo made > here; answer \"$PWD $HOME\""))
        .isEqualTo("%1$s %1$s".formatted(workspace("ada")));
    assertThat(workspace("ada").resolve("here")).hasContent("made\n");
  }

  @Test
  void files_of_the_daemon_and_of_other_agents_are_invisible() throws Exception {
    answer("ben", "{}", "echo plan > plan; answer ok");
    String tries =
        """
        seen=''
        for file in %1$s/operator.token %1$s/substrat.db %1$s/daemon.json %2$s/plan /etc/shadow; do
          [ -s "$file" ] && seen="$seen $file"
        done
        [ "$(ls %1$s/workspaces | wc -l)" = 1 ] || seen="$seen others"
        ls -A /root /home 2>/dev/null | grep -q . && seen="$seen homes"
        echo x > %1$s/operator.token 2>/dev/null
        answer "seen:$seen"
        """
            .formatted(daemon.data(), workspace("ben"));
    assertThat(answer("eve", "{\"sandbox\":\"required\"}", tries)).isEqualTo("seen:");
    assertThat(daemon.read("operator.token").strip()).isEqualTo(daemon.token());
  }

  @Test
  void a_program_cannot_signal_the_daemon_or_read_its_environment() throws Exception {
    String tries =
        """
        kill -9 %1$d 2>/dev/null && echo "no" >&2
        [ -e /proc/%1$d/environ ] && [ %1$d -gt 20 ] && { answer "seen"; exit; }
        env | grep -q JAVA_HOME && { answer "environment"; exit; }
        answer "nobody"
        """
            .formatted(ProcessHandle.current().pid());
    assertThat(answer("eve", "{}", tries)).isEqualTo("nobody");
    assertThat(daemon.get("/api/status").status()).isEqualTo(200);
  }

  @Test
  void without_network_the_daemons_port_is_unreachable() throws Exception {
    int port = URI.create(daemon.url()).getPort();
    String knocks =
        "(exec 3<>/dev/tcp/127.0.0.1/%d) 2>/dev/null && answer reached || answer \"refused$SUBSTRAT_MCP_URL\""
            .formatted(port);
    assertThat(answer("eve", "{\"network\":false}", knocks)).isEqualTo("refused");
    assertThat(answer("ada", "{}", knocks))
        .as("its provider has network access by default")
        .isEqualTo("reached");
  }

  @Test
  void a_view_is_visible_and_writable_only_if_configured() throws Exception {
    Path library = Files.createTempDirectory("substrat-library-").toRealPath();
    try {
      Files.writeString(library.resolve("book"), "once");
      handOver(library);
      String workspace = "{\"views\":[{\"path\":\"%s\",\"as\":\"/library\"}]}".formatted(library);
      String tries =
          "rm -f /library/book 2>/dev/null; answer \"$(cat /library/book) $(ls -A %s 2>/dev/null)\""
              .formatted(library);
      assertThat(answer("ada", workspace, tries)).isEqualTo("once ");
      assertThat(library.resolve("book")).exists();
    } finally {
      Files.deleteIfExists(library.resolve("book"));
      Files.delete(library);
    }
  }

  /// Another program may put a link there, long after the view was configured.
  @ParameterizedTest
  @CsvSource({"ro,books", "rw,books", "ro,books/one", "rw,books/one"})
  void a_view_that_became_a_link_to_the_data_directory_is_not_mounted(String mode, String viewed)
      throws Exception {
    Path shelf = Files.createDirectory(temporary.toRealPath().resolve("shelf"));
    Path books = Files.createDirectory(shelf.resolve("books"));
    Files.writeString(books.resolve("one"), "once");
    handOver(shelf);
    String views =
        "{\"views\":[{\"path\":\"%s\",\"as\":\"/seen\",\"mode\":\"%s\"}]}"
            .formatted(shelf.resolve(viewed), mode);
    answer("ada", views, "answer ok");
    var ada = daemon.engine().agents().require("ada");
    var workspaces = daemon.engine().dependencies().workspaces();

    Path moved = Files.move(books, shelf.resolve("moved"));
    Files.createSymbolicLink(books, moved);
    assertThat(workspaces.sandboxPolicy(ada).views())
        .extracting(SandboxPolicy.VisiblePath::path)
        .as("the checked directory, not the one that has its name now")
        .contains(Path.of(shelf.resolve(viewed).toString().replace("books", "moved")));

    Files.delete(moved.resolve("one"));
    Files.delete(books);
    Files.createSymbolicLink(moved.resolve("one"), daemon.data().resolve("operator.token"));
    Files.createSymbolicLink(books, viewed.equals("books") ? daemon.data() : moved);
    assertThatThrownBy(() -> workspaces.sandboxPolicy(ada))
        .hasMessage("PATH_BLOCKED: a view of ada cannot be shown: it belongs to the daemon");
  }

  /// In a repository: all places from which git could execute a program for another user.
  private static final String PLANTING =
      """
      read -r turn
      printf '#!/bin/sh\\ntouch planted\\n' > evil.sh; chmod +x evil.sh
      cp -r .git evil; printf '[core]\\n\\tfsmonitor = ./evil.sh\\n' >> evil/config
      echo ../evil > .git/commondir
      cp evil.sh .git/hooks/pre-commit
      cp evil/config .git/config
      cp evil/config .git/config.worktree
      mkdir .git/modules/x .git/worktrees/x
      mv .git aside
      rm -rf .git/hooks .git/config .git/commondir .git/modules
      git -c user.name=a -c user.email=a@b commit -q --allow-empty -m works
      echo '{"type":"done","response":"tried"}'
      """;

  private static void requireHarmless(Path repository) throws Exception {
    Path git = repository.resolve(".git");
    assertThat(git.resolve("hooks")).isEmptyDirectory();
    assertThat(git.resolve("config")).content().doesNotContain("evil");
    assertThat(git.resolve("refs/heads")).as("git works").isNotEmptyDirectory();
    assertThat(run(repository, "git", "-c", "safe.directory=*", "status", "--short")).isZero();
    String who = "-c safe.directory=* -c user.name=a -c user.email=a@b";
    String commit = "git " + who + " commit --quiet --allow-empty --message two";
    assertThat(run(repository, commit.split(" "))).isZero();
    assertThat(repository.resolve("evil.sh")).exists();
    assertThat(repository.resolve("planted")).doesNotExist();
  }

  private static int run(Path directory, String... words) throws Exception {
    return new ProcessBuilder(words)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /// The git of another user would execute it, outside of the sandbox.
  @Test
  void git_hooks_cannot_be_planted() throws Exception {
    answer("ada", "{}", "git init -q . && rm -rf .git/hooks && answer ok");
    var config = daemon.get("/api/agents/ada/config").body().deepCopy();
    var agentProvider = (ObjectNode) config.path("provider");
    agentProvider.putArray("command").add("/bin/bash").add("-c").add(PLANTING);
    assertThat(daemon.client().send("PUT", "/api/agents/ada", Json.text(config)).status())
        .isEqualTo(200);
    assertThat(ask("ada")).isEqualTo("tried");
    requireHarmless(workspace("ada"));
  }

  @Test
  void git_hooks_cannot_be_planted_in_a_configured_directory_or_view() throws Exception {
    for (String name : List.of("directory", "view")) {
      Path chosen = Files.createDirectory(temporary.toRealPath().resolve(name));
      assertThat(run(chosen, "git", "init", "-q", "--template=")).isZero();
      handOver(chosen);
      var config = Json.object().put("name", name);
      var agentProvider = config.putObject("provider").put("name", "scripted");
      boolean isView = name.equals("view");
      agentProvider
          .putArray("command")
          .add("/bin/bash")
          .add("-c")
          .add((isView ? "cd /it\n" : "") + PLANTING);
      var workspace = config.putObject("workspace");
      if (isView) {
        workspace
            .putArray("views")
            .addObject()
            .put("path", chosen.toString())
            .put("as", "/it")
            .put("mode", "rw");
      } else {
        agentProvider.put("directory", chosen.toString());
      }
      var created = daemon.post("/api/agents", Json.text(config));
      assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
      assertThat(ask(name)).isEqualTo("tried");
      requireHarmless(chosen);
    }
  }

  @Test
  void an_agent_with_a_configured_directory_works_there() throws Exception {
    Path chosen = Files.createTempDirectory("substrat-chosen-").toRealPath();
    handOver(chosen);
    try {
      var answer =
          daemon.post(
              "/api/agents",
              """
              {"name":"ada","workspace":{},"provider":{"name":"scripted","directory":"%s",
               "command":["sh","-c","read x; pwd > here; echo '{\\"type\\":\\"done\\",\\"response\\":\\"ok\\"}'"]}}
              """
                  .formatted(chosen));
      assertThat(answer.status()).as(answer.body().toString()).isEqualTo(201);
      assertThat(ask("ada")).isEqualTo("ok");
      assertThat(chosen.resolve("here")).hasContent(chosen + "\n");
    } finally {
      Files.deleteIfExists(chosen.resolve("here"));
      Files.delete(chosen);
    }
  }
}
