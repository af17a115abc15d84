package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.substrat.cli.shell.Machine;
import dev.substrat.cli.shell.Screen;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files in a home of its own, a daemon that answers by rote.
final class ConnectTest {
  private static final String MIRA =
      "{\"id\":\"7\",\"handle\":\"mira\",\"provider\":{\"name\":\"external\"}}";

  @TempDir Path data;
  @TempDir Path home;
  @TempDir Path project;
  private PlayedDaemon daemon;

  @BeforeEach
  void play() throws IOException {
    daemon =
        new PlayedDaemon(data)
            .answers("GET /api/agents/mira", 200, MIRA)
            .answers(
                "GET /api/agents/ada", 200, "{\"id\":\"8\",\"provider\":{\"name\":\"claude\"}}")
            .answers(
                "GET /api/agents/nobody",
                404,
                "{\"code\":\"AGENT_NOT_FOUND\",\"message\":\"no\",\"hint\":\"h\"}");
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  private Machine machine() {
    return new Machine(
        Map.of("SUBSTRAT_COMMAND", "/opt/substrat/substrat", "PATH", home + "/bin"),
        home.toString(),
        project.toString(),
        Machine.Kind.LINUX);
  }

  private Ran connect(String... args) {
    var all = new ArrayList<>(List.of("connect", "--data", data.toString()));
    all.addAll(List.of(args));
    return Ran.of(machine(), all.toArray(String[]::new));
  }

  private Path cursor() {
    return home.resolve(".cursor/mcp.json");
  }

  private String entry() {
    return """
          "command": "/opt/substrat/substrat",
          "args": ["mcp", "--agent", "mira", "--data", "%s"]
    """
        .formatted(data);
  }

  @Test
  void without_write_the_difference_is_all_that_happens() {
    var ran = connect("cursor", "--agent", "mira");

    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .startsWith("--- /dev/null\n+++ %s\n@@ -0,0 +1,8 @@\n+{\n".formatted(cursor()))
        .contains("+      \"command\": \"/opt/substrat/substrat\",\n");
    assertThat(ran.err())
        .isEqualTo("nothing was changed; add --write to change %s\n".formatted(cursor()));
    assertThat(home.resolve(".cursor")).doesNotExist();
  }

  @Test
  void with_write_it_is_made_and_the_second_time_nothing_happens() throws IOException {
    assertThat(connect("cursor", "--agent", "mira", "--write"))
        .satisfies(ran -> {
          assertThat(ran.code()).isZero();
          assertThat(ran.out())
              .startsWith("connected: Cursor acts as mira ('substrat' in %s)\n".formatted(cursor()))
              .contains("next: in Cursor, switch 'substrat' on");
        });
    String text = Files.readString(cursor());
    assertThat(text).contains("\"mcpServers\"", entry());

    assertThat(connect("cursor", "--agent", "mira", "--write").out())
        .startsWith("already connected: Cursor acts as mira");
    assertThat(cursor()).hasContent(text);
    assertThat(home.resolve(".cursor/mcp.json.substrat-backup")).doesNotExist();
  }

  @Test
  void the_rest_of_the_file_stays_and_a_copy_is_kept() throws IOException {
    String before =
        "{\n  // mine\n  \"mcpServers\": {\n    \"git\": {\"command\": \"npx\"}\n  }\n}";
    Files.createDirectories(cursor().getParent());
    Files.writeString(cursor(), before);

    assertThat(connect("cursor", "--agent", "mira", "--write").err())
        .isEqualTo("the file as it was: %s.substrat-backup\n".formatted(cursor()));
    assertThat(Path.of(cursor() + ".substrat-backup")).hasContent(before);
    assertThat(cursor()).content().contains("// mine", "\"git\": {\"command\": \"npx\"},\n");

    assertThat(connect("cursor", "--remove").out()).contains("-    \"substrat\": {");
    assertThat(connect("cursor", "--remove", "--write").out())
        .isEqualTo("removed 'substrat' from %s\n".formatted(cursor()));
    assertThat(cursor()).hasContent(before);
    assertThat(connect("cursor", "--remove", "--write").out())
        .isEqualTo("not connected: %s has no entry 'substrat'\n".formatted(cursor()));
  }

  @Test
  void another_agent_takes_the_place_and_what_the_user_added_stays() throws IOException {
    daemon.answers(
        "GET /api/agents/ben", 200, MIRA.replace("mira", "ben").replace("\"7\"", "\"9\""));
    connect("claude", "--agent", "mira", "--write");
    Path file = home.resolve(".claude.json");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("\"args\"", "\"env\": {\n        \"A\": \"b\"\n      },\n      \"args\""));

    assertThat(connect("claude", "--agent", "ben").out().lines().filter(l -> l.matches("[-+] .*")))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("\"args\""));
    connect("claude", "--agent", "ben", "--write");
    assertThat(file).content().contains("\"env\": {", "\"A\": \"b\"", "\"ben\"");
    assertThat(connect("claude", "--agent", "ben").out()).startsWith("already connected");
  }

  @Test
  void an_entry_of_somebody_else_is_shown_and_left_alone() throws IOException {
    String theirs =
        "{\"mcpServers\":{\"substrat\":{\"command\":\"other\",\"env\":{\"KEY\":\"secret\"}}}}";
    Files.createDirectories(cursor().getParent());
    Files.writeString(cursor(), theirs);

    for (String[] args :
        new String[][] {{"cursor", "--agent", "mira", "--write"}, {"cursor", "--remove"}}) {
      assertThat(connect(args))
          .satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err())
                .contains("error CONFLICT", "not ours: {\"command\":\"other\",\"env\":\"…\"}")
                .contains("--name", "--force")
                .doesNotContain("secret");
          });
    }
    assertThat(cursor()).hasContent(theirs);
    assertThat(connect("cursor", "--agent", "mira", "--name", "sub", "--write").code()).isZero();
    assertThat(connect("cursor", "--agent", "mira", "--force", "--write").code()).isZero();
    assertThat(cursor()).content().doesNotContain("other").contains("\"sub\"");
  }

  @Test
  void a_file_that_cannot_be_understood_is_left_alone() throws IOException {
    Path file = home.resolve(".codex/config.toml");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "a = \n");

    assertThat(connect("codex", "--agent", "mira", "--write"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.err()).startsWith("error INVALID_CONFIG: " + file).contains("--print");
        });
    assertThat(connect("codex", "--agent", "mira", "--print").out())
        .startsWith("[mcp_servers.substrat]\ncommand = \"/opt/substrat/substrat\"\n");
  }

  @Test
  void over_http_a_token_is_made_once_and_never_shown() throws IOException {
    daemon
        .answers("POST /api/agents/7/tokens", 201, "{\"token\":\"substrat_t1_Sec_ret-1\"}")
        .answers("GET /api/tokens", 200, "{\"tokens\":[{\"id\":\"t1\",\"principal\":\"7\"}]}");

    assertThat(connect("cursor", "--agent", "mira", "--http").out())
        .contains("\"Authorization\": \"Bearer substrat_new_…\"");
    assertThat(daemon.requests()).noneMatch(request -> request.startsWith("POST"));

    assertThat(connect("cursor", "--agent", "mira", "--http", "--write", "--json"))
        .satisfies(ran -> assertThat(ran.out() + ran.err()).doesNotContain("Sec_ret"));
    assertThat(daemon.requests()).contains("POST /api/agents/7/tokens {\"label\":\"Cursor\"}");
    assertThat(cursor()).content().contains("/mcp\"", "\"Bearer substrat_t1_Sec_ret-1\"");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cursor())))
        .isEqualTo("rw-------");

    assertThat(connect("cursor", "--agent", "mira", "--http", "--write").out())
        .startsWith("already connected");
    assertThat(connect("cursor", "--agent", "mira", "--write").err())
        .contains("the token it held still works; end it: ./substrat token revoke t1");
  }

  @Test
  void a_token_that_was_revoked_is_replaced() {
    daemon
        .answers("POST /api/agents/7/tokens", 201, "{\"token\":\"substrat_t1_s\"}")
        .answers(
            "GET /api/tokens",
            200,
            "{\"tokens\":[{\"id\":\"t1\",\"principal\":\"7\",\"revokedAt\":\"2026-01-01\"}]}");
    connect("gemini", "--agent", "mira", "--http", "--write");
    daemon.answers("POST /api/agents/7/tokens", 201, "{\"token\":\"substrat_t2_s\"}");

    connect("gemini", "--agent", "mira", "--http", "--write");

    assertThat(home.resolve(".gemini/settings.json")).content().contains("substrat_t2_s");
  }

  @Test
  void a_token_that_found_no_place_is_taken_back() throws IOException {
    Path folder = Files.createDirectories(cursor().getParent());
    daemon.answers("DELETE /api/tokens/t1", 204, "");
    // Somebody writes the file at the very moment when we have looked at it.
    daemon.answers(
        "POST /api/agents/7/tokens",
        () -> {
          try {
            Files.writeString(folder.resolve("mcp.json"), "{}");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return new PlayedDaemon.Answer(201, "{\"token\":\"substrat_t1_s\"}");
        });

    assertThat(connect("cursor", "--agent", "mira", "--http", "--write").err())
        .contains("error CONFLICT", "changed by somebody else");
    assertThat(daemon.requests()).contains("DELETE /api/tokens/t1");
    assertThat(cursor()).hasContent("{}");
  }

  @Test
  void a_project_never_gets_a_secret() throws IOException {
    for (String client : List.of("cursor", "claude", "codex", "vscode", "gemini", "opencode")) {
      var ran = connect(client, "--agent", "mira", "--http", "--scope", "project", "--write");
      assertThat(ran.out())
          .as(ran.err())
          .contains("first: export SUBSTRAT_TOKEN=$(./substrat token create --agent mira --data ");
    }
    assertThat(daemon.requests()).noneMatch(request -> request.startsWith("POST"));
    assertThat(project.resolve(".cursor/mcp.json")).content().contains("${env:SUBSTRAT_TOKEN}");
    assertThat(project.resolve(".mcp.json")).content().contains("Bearer ${SUBSTRAT_TOKEN}");
    assertThat(project.resolve(".codex/config.toml"))
        .content()
        .contains("bearer_token_env_var = \"SUBSTRAT_TOKEN\"");
    assertThat(project.resolve(".vscode/mcp.json")).content().contains("${env:SUBSTRAT_TOKEN}");
    assertThat(project.resolve(".gemini/settings.json")).content().contains("${SUBSTRAT_TOKEN}");
    assertThat(project.resolve("opencode.json")).content().contains("Bearer {env:SUBSTRAT_TOKEN}");
    assertThat(connect("goose", "--agent", "mira", "--scope", "project").err())
        .contains("Goose has no configuration file of a project");
  }

  @Test
  void only_external_agents_can_be_connected() {
    assertThat(connect("cursor", "--agent", "ada", "--write"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.err())
              .contains("ada is run by the daemon (provider claude)")
              .contains("./substrat agent create NAME --provider external");
        });
    assertThat(connect("cursor", "--agent", "nobody").err())
        .contains("AGENT_NOT_FOUND", "agent create nobody --provider external");
    assertThat(home.resolve(".cursor")).doesNotExist();
  }

  @Test
  void what_is_missing_or_misspelt_is_said() {
    assertThat(connect("curser", "--zoo").err()).contains("did you mean cursor?");
    assertThat(connect("cursor").err()).contains("as whom shall Cursor act?", "--agent NAME");
    assertThat(connect("--agent", "mira").err()).contains("which client?");
    assertThat(connect("cursor", "--zoo", "--scope", "world").err()).contains("no scope 'world'");
    assertThat(connect("cursor", "--zoo", "--name", "a b").err()).contains("'a b'");
    assertThat(connect("cursor", "--zoo", "--agent", "mira").code()).isEqualTo(2);
    assertThat(connect("cursor", "--zoo", "--print", "--write").code()).isEqualTo(2);
    assertThat(connect("cursor", "--remove", "--print").code()).isEqualTo(2);
  }

  @Test
  void the_list_shows_who_is_here_and_who_is_connected() throws IOException {
    Path program = Files.createDirectories(home.resolve("bin")).resolve("codex");
    Files.setPosixFilePermissions(
        Files.writeString(program, ""), PosixFilePermissions.fromString("rwx------"));
    connect("cursor", "--agent", "mira", "--write");
    connect("claude", "--zoo", "--scope", "project", "--write");
    Files.createDirectories(home.resolve(".config/goose"));
    Files.writeString(home.resolve(".config/goose/config.yaml"), "a: {");

    var ran = connect();
    assertThat(ran.out())
        .containsPattern("cursor +yes +mira +\\S+/.cursor/mcp.json\n")
        .containsPattern("claude +no +zoo \\(this project\\) +\\S+/.claude.json\n")
        .containsPattern("codex +yes +no +")
        .containsPattern("vscode +no +no +\\S+/.config/Code/User/mcp.json\n")
        .containsPattern("goose +yes +unknown +");
    assertThat(ran.err()).contains("config.yaml cannot be understood");
    assertThat(connect("--json").out())
        .contains("\"client\":\"cursor\",\"title\":\"Cursor\",\"found\":true")
        .contains("\"transport\":\"stdio\",\"as\":\"mira\"");
  }

  @Test
  void programs_are_told_everything_at_once() {
    assertThat(connect("codex", "--agent", "mira", "--json").out())
        .contains("\"change\":\"add\",\"written\":false", "\"diff\":\"--- /dev/null\\n+++ ")
        .contains("\"principal\":\"mira\"", "\"next\":\"start codex again");
    assertThat(connect("codex", "--agent", "mira", "--write", "--json").out())
        .contains("\"written\":true");
    assertThat(connect("codex", "--agent", "mira", "--json").out()).contains("\"change\":\"none\"");
    assertThat(connect("codex", "--remove", "--json").out()).contains("\"change\":\"remove\"");
    assertThat(connect("codex", "--zoo", "--print", "--json").out())
        .startsWith("{\"client\":\"codex\",\"snippet\":\"[mcp_servers.substrat]\\n");
  }

  @Test
  void the_page_about_it_shows_what_each_client_is_given() throws IOException {
    String page = Files.readString(Path.of("../docs/connect.md"));
    for (String client :
        List.of("cursor", "claude", "codex", "vscode", "gemini", "goose", "opencode")) {
      String snippet = connect(client, "--agent", "mira", "--print").out();
      assertThat(page).contains(snippet.replace(data.toString(), "/home/you/.substrat"));
      assertThat(page).contains("./substrat connect " + client + " --agent mira --write");
    }
  }

  @Test
  void on_a_terminal_the_difference_is_coloured() {
    assumeTrue(System.getenv().getOrDefault("NO_COLOR", "").isEmpty());
    var out = new ByteArrayOutputStream();
    var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    var screen = new Screen(stream, stream, InputStream.nullInputStream(), true, false, false);

    Main.run(screen, machine(), "connect", "cursor", "--zoo", "--data", data.toString());

    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("\u001b[1m+++ ", "\u001b[36m@@", "\u001b[32m+{\u001b[0m");
  }

  @Test
  void a_file_that_others_may_read_is_pointed_out() throws IOException {
    daemon
        .answers("POST /api/agents/7/tokens", 201, "{\"token\":\"substrat_t1_s\"}")
        .answers("GET /api/tokens", 200, "{\"tokens\":[]}");
    Files.createDirectories(cursor().getParent());
    Files.writeString(cursor(), "{}");
    Files.setPosixFilePermissions(cursor(), PosixFilePermissions.fromString("rw-r--r--"));

    assertThat(connect("cursor", "--agent", "mira", "--http", "--write").err())
        .contains("others may read the token in it; close it: chmod 600 " + cursor());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cursor())))
        .isEqualTo("rw-r--r--");
  }

  @Test
  void help_names_the_clients() {
    assertThat(Ran.of("connect", "--help").out())
        .isEqualTo(
            """
            EXAMPLES
              ./substrat connect                                   which clients are here and connected
              ./substrat connect cursor --agent mira               show what would change
              ./substrat connect cursor --agent mira --write       change it
              ./substrat connect claude --zoo --scope project --write
              ./substrat connect codex --agent mira --print        the entry alone
              ./substrat connect cursor --remove --write

            substrat connect [-h] [--force] [--json] [--remove] [--data=DIR] [--name=N] [--scope=S] [--agent=A
                             | --zoo] [--stdio | --http] [--write | --print] [CLIENT]

            Connect an editor or agent tool (Cursor, Claude Code, Codex …) to an agent.

            Shows how the client's configuration file would change; --write changes it. Nothing else in
            the file is touched, and the file as it was is kept beside it as FILE.substrat-backup.

                  [CLIENT]     One of cursor, claude, codex, vscode, gemini, goose, opencode; without one, a
                                 list of them.

                  --agent=A    The client is this external agent.
                  --data=DIR   The daemon's data directory (default: ~/.substrat).
                  --force      Also if the entry of that name is not ours.
              -h, --help       Show this help.
                  --http       It calls the daemon's URL with a token.
                  --json       Print JSON, for programs.
                  --name=N     What the client calls us (default: substrat).
                  --print      Print the entry alone, to be copied.
                  --remove     Take our entry out again.
                  --scope=S    user (default), or project: the file in this directory.
                  --stdio      It starts ./substrat mcp (default); holds no secret.
                  --write      Change the file, instead of showing how.
                  --zoo        The client may look at agents and put one into a chat.
            """);
  }

  @Test
  void the_zoo_needs_no_agent() {
    assertThat(connect("claude", "--zoo", "--print").out())
        .contains("[\"mcp\", \"--zoo\", \"--data\", \"" + data + "\"]");
    daemon.answers("POST /api/tokens", 201, "{\"token\":\"substrat_z_s\"}");
    daemon.answers("GET /api/tokens", 200, "{\"tokens\":[]}");
    connect("claude", "--zoo", "--http", "--write");
    assertThat(daemon.requests())
        .contains("POST /api/tokens {\"label\":\"Claude Code\",\"zoo\":true}");
  }
}
