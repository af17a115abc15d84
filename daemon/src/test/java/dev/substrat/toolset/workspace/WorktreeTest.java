package dev.substrat.toolset.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.sandbox.SandboxAssumption;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.server.api.EventReader;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Children that work below their parent, or each on a branch of its own.
@OnEveryDatabase
@Timeout(180)
@Requirement({"S0-23", "A15"})
final class WorktreeTest {
  private final TestDatabase place;
  private final TestDaemon daemon;
  @TempDir private Path repository;

  WorktreeTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  private TestClient external(String name, String workspace) {
    var created =
        daemon.post(
            "/api/agents",
            """
            {"name":"%s","provider":{"name":"external"},"toolsets":["team","workspace"],
             "workspace":%s}
            """
                .formatted(name, workspace));
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
    return token(name);
  }

  private TestClient token(String name) {
    return daemon.as(daemon.post("/api/agents/" + name + "/tokens", "{}").text("token"));
  }

  private static JsonNode call(TestClient agent, String tool, String arguments) {
    return agent
        .post(
            "/mcp",
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}
            """
                .formatted(tool, arguments.replace('\'', '"')))
        .body()
        .path("result")
        .path("structuredContent");
  }

  private String git(String... words) throws Exception {
    var command = new ArrayList<>(List.of("git", "-C", repository.toString()));
    command.addAll(List.of("-c", "safe.directory=*"));
    command.addAll(List.of("-c", "user.name=mira", "-c", "user.email=mira@example.com"));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    daemon.engine().dependencies().workspaces().sandbox().handOver(repository);
    return said;
  }

  private void commitSomething() throws Exception {
    git("init", "--quiet", "--initial-branch=main");
    Files.writeString(repository.resolve("readme"), "one\n");
    git("add", "--all");
    git("commit", "--quiet", "--message", "Begin");
  }

  @Test
  void a_child_works_in_the_part_of_the_workspace_it_was_given() throws Exception {
    try (var mira = external("mira", "{\"path\":\"%s\"}".formatted(repository))) {
      String spawn = "{'name':'ada','instructions':'work','workspace_subdir':'%s'}";
      for (String outside :
          new String[] {"../up", "/etc", ".", "door/in", ".git/hooks", "a/.GIT"}) {
        Path door = repository.resolve("door");
        if (outside.startsWith("door") && !Files.exists(door)) {
          Files.createSymbolicLink(door, Path.of("/tmp"));
        }
        assertThat(call(mira, "spawn_agent", spawn.formatted(outside)).path("code").asText())
            .as(outside)
            .isIn("PATH_BLOCKED", "INVALID_ARGUMENTS");
      }
      call(mira, "spawn_agent", spawn.formatted("services/api"));
      assertThat(repository.resolve("services/api")).isDirectory();
      try (var ada = token("ada")) {
        call(ada, "write_file", "{'path':'made','text':'by ada'}");
        assertThat(repository.resolve("services/api/made")).hasContent("by ada");
        assertThat(call(ada, "read_file", "{'path':'../../readme'}").path("code").asText())
            .isEqualTo("PATH_BLOCKED");
      }
    }
  }

  /// Checked again at each use: the parent may have put a link there meanwhile.
  @Test
  void a_part_that_became_a_link_is_no_workspace_any_more() throws Exception {
    try (var mira = external("mira", "{\"path\":\"%s\"}".formatted(repository))) {
      call(mira, "spawn_agent", "{'name':'ada','instructions':'work','workspace_subdir':'api'}");
      Files.delete(repository.resolve("api"));
      Files.createSymbolicLink(repository.resolve("api"), daemon.data());
      try (var ada = token("ada")) {
        assertThat(call(ada, "read_file", "{'path':'operator.token'}").path("code").asText())
            .isEqualTo("PATH_BLOCKED");
      }
    }
  }

  @Test
  void children_work_on_branches_and_their_parent_is_told_what_came_of_it() throws Exception {
    commitSomething();
    // What is configured there must not be run by the daemon.
    Path trap = repository.resolve(".git/trap");
    Files.writeString(repository.resolve(".gitattributes"), "* filter=a=b\n");
    git("add", "--all");
    git("commit", "--quiet", "--message", "Attributes");
    git("config", "filter.a=b.clean", "touch " + trap + "; cat");
    git("config", "filter.a=b.smudge", "touch " + trap + "; cat");
    git("config", "filter.a=b.required", "true");
    Path hook = repository.resolve(".git/hooks/pre-commit");
    Files.createDirectories(repository.resolve(".git/hooks"));
    Files.writeString(hook, "#!/bin/sh\ntouch " + trap + "\n");
    assertThat(hook.toFile().setExecutable(true)).isTrue();

    String workspace = "{\"path\":\"%s\",\"mode\":\"worktree\"}".formatted(repository);
    try (var mira = external("mira", workspace)) {
      call(mira, "spawn_agent", "{'name':'ada','instructions':'work'}");
      try (var ada = token("ada")) {
        assertThat(call(ada, "read_file", "{'path':'readme'}").path("text").asText())
            .isEqualTo("one\n");
        call(ada, "write_file", "{'path':'readme','text':'two\\n'}");
        call(ada, "write_file", "{'path':'fresh','text':'new\\n'}");
        assertThat(repository.resolve("readme")).hasContent("one\n");
        requireWholeDifference();
        call(ada, "complete", "{'text':'done'}");
      }
      String told = harvested(mira);
      assertThat(told).contains("substrat/ada", "2 files changed", "+two", "+new");
      assertThat(git("show", "substrat/ada:readme")).isEqualTo("two\n");
      assertThat(trap).doesNotExist();
    }
  }

  /// With what git has not heard of, and without telling it.
  private void requireWholeDifference() throws Exception {
    JsonNode diff = daemon.get("/api/workspaces/ada/diff").body();
    assertThat(diff.path("stat").asText()).contains("2 files changed");
    assertThat(diff.path("patch").asText()).contains("+two", "+new");
    String worktree = daemon.get("/api/workspaces/ada").body().at("/workspace/directory").asText();
    assertThat(git("-C", worktree, "ls-files", "--others")).isEqualTo("fresh\n");
  }

  @Test
  void a_repository_in_the_worktree_does_not_hide_the_difference() throws Exception {
    commitSomething();
    String workspace = "{\"path\":\"%s\",\"mode\":\"worktree\"}".formatted(repository);
    try (var mira = external("mira", workspace)) {
      call(mira, "spawn_agent", "{'name':'ada','instructions':'work'}");
      try (var ada = token("ada")) {
        call(ada, "write_file", "{'path':'readme','text':'two\\n'}");
        call(ada, "write_file", "{'path':'fresh','text':'new\\n'}");
      }
      String worktree =
          daemon.get("/api/workspaces/ada").body().at("/workspace/directory").asText();
      git("init", "--quiet", worktree + "/inner");

      JsonNode diff = daemon.get("/api/workspaces/ada/diff").body();
      assertThat(diff.path("patch").asText()).contains("+two", "+new");
      assertThat(diff.path("stat").asText())
          .contains("2 files changed", "some new files are not included: error: 'inner/'");
    }
  }

  @Test
  void the_branch_of_one_who_has_ended_stays_and_can_be_taken_over() throws Exception {
    commitSomething();
    String workspace = "{\"path\":\"%s\",\"mode\":\"worktree\"}".formatted(repository);
    try (var mira = external("mira", workspace)) {
      call(mira, "spawn_agent", "{'name':'ada','instructions':'work'}");
      try (var ada = token("ada")) {
        call(ada, "write_file", "{'path':'fresh','text':'new\\n'}");
      }
      call(mira, "terminate_agent", "{'name':'ada'}");
      assertThat(harvested(mira)).contains("substrat/ada", "+new");
      git("merge", "--quiet", "substrat/ada");
      assertThat(repository.resolve("fresh")).hasContent("new\n");
      assertThat(git("worktree", "list").lines()).hasSize(1);
    }
  }

  /// A bundle, say: as long as anything, on one line.
  @Test
  void one_endless_line_loses_neither_the_harvest_nor_the_branch() throws Exception {
    commitSomething();
    String workspace = "{\"path\":\"%s\",\"mode\":\"worktree\"}".formatted(repository);
    try (var mira = external("mira", workspace)) {
      call(mira, "spawn_agent", "{'name':'ada','instructions':'work'}");
      try (var ada = token("ada")) {
        call(ada, "write_file", "{'path':'fresh','text':'new\\n'}");
      }
      Path worktree = worktree("ada");
      Files.writeString(worktree.resolve("long.js"), "x".repeat(1_200_000));
      call(mira, "terminate_agent", "{'name':'ada'}");
      assertThat(harvested(mira)).contains("substrat/ada", "2 files changed", "+new");
      assertThat(git("show", "substrat/ada:long.js")).hasSize(1_200_000);
      assertThat(worktree).doesNotExist();
    }
  }

  /// Whoever works on a branch can use git there, and plant nothing for others.
  @Test
  @Requirement("S0-29")
  void on_a_branch_git_works_and_what_it_would_run_cannot_be_planted() throws Exception {
    SandboxAssumption.requireWorks(daemon.engine().dependencies().workspaces().sandbox());
    commitSomething();
    String workspace = "{\"path\":\"%s\",\"mode\":\"worktree\"}".formatted(repository);
    String tries =
        """
        own=$(git rev-parse --git-dir); common=$(git rev-parse --git-common-dir)
        for file in .git $own/commondir $own/gitdir $own/config.worktree $common/commondir \
            $common/config $common/config.worktree $common/hooks/pre-commit $common/worktrees/x; do
          (echo evil > $file) 2>/dev/null && echo wrote $file
        done
        mv $common/worktrees $common/aside 2>/dev/null && echo moved
        echo one > mine && git add mine && git -c user.name=a -c user.email=a@b commit -q -m Mine \
          && git status --short && echo committed
        """;
    try (var mira = external("mira", workspace)) {
      call(mira, "spawn_agent", "{'name':'ada','instructions':'work'}");
      try (var ada = token("ada")) {
        var command = Json.object().put("command", tries);
        assertThat(call(ada, "run_command", Json.text(command)).path("output").asText())
            .isEqualTo("committed\n");
      }
      assertThat(git("log", "--format=%s", "substrat/ada")).isEqualTo("Mine\nBegin\n");
    }
  }

  private Path worktree(String name) {
    String id = daemon.get("/api/agents/" + name).text("id");
    return daemon.data().resolve("workspaces").resolve(id);
  }

  @Test
  void without_a_repository_nobody_is_spawned() throws Exception {
    String workspace = "{\"path\":\"%s\",\"mode\":\"worktree\"}".formatted(repository);
    commitSomething();
    try (var mira = external("mira", workspace)) {
      Files.move(repository.resolve(".git"), repository.resolve("gone"));
      JsonNode refused = call(mira, "spawn_agent", "{'name':'ada','instructions':'work'}");
      assertThat(refused.path("code").asText()).isEqualTo("INVALID_CONFIG");
      assertThat(refused.path("message").asText()).contains("not a git repository");
    }
  }

  /// What the parent's inbox has when the harvest is in.
  private String harvested(TestClient parent) {
    try (var reader =
        new EventReader(daemon.url() + "/api/events?after=0&agent=mira", daemon.token())) {
      reader.event("work_harvested");
    }
    return call(parent, "check_inbox", "{}").toString();
  }
}
