package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.substrat.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Output of `connect`: errors, the list of clients, help.
final class ConnectOutputTest extends ConnectCommandRunner {
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
  void missing_and_misspelt_arguments_are_reported() {
    assertThat(connect("curser", "--zoo").err()).contains("did you mean cursor?");
    assertThat(connect("cursor").err()).contains("--agent is missing", "--agent NAME");
    assertThat(connect("--agent", "mira").err()).contains("CLIENT is missing");
    assertThat(connect("cursor", "--zoo", "--scope", "world").err())
        .contains("unknown scope 'world'");
    assertThat(connect("cursor", "--zoo", "--name", "a b").err()).contains("'a b'");
    assertThat(connect("cursor", "--zoo", "--agent", "mira").code()).isEqualTo(2);
    assertThat(connect("cursor", "--zoo", "--print", "--write").code()).isEqualTo(2);
    assertThat(connect("cursor", "--remove", "--print").code()).isEqualTo(2);
  }

  @Test
  void the_list_shows_installed_and_connected_clients() throws IOException {
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
    assertThat(ran.err()).contains("config.yaml cannot be parsed");
    assertThat(connect("--json").out())
        .contains("\"client\":\"cursor\",\"title\":\"Cursor\",\"found\":true")
        .contains("\"transport\":\"stdio\",\"as\":\"mira\"");
  }

  @Test
  void json_output_is_complete() {
    assertThat(connect("codex", "--agent", "mira", "--json").out())
        .contains("\"change\":\"add\",\"written\":false", "\"diff\":\"--- /dev/null\\n+++ ")
        .contains("\"principal\":\"mira\"", "\"next\":\"restart codex");
    assertThat(connect("codex", "--agent", "mira", "--write", "--json").out())
        .contains("\"written\":true");
    assertThat(connect("codex", "--agent", "mira", "--json").out()).contains("\"change\":\"none\"");
    assertThat(connect("codex", "--remove", "--json").out()).contains("\"change\":\"remove\"");
    assertThat(connect("codex", "--zoo", "--print", "--json").out())
        .startsWith("{\"client\":\"codex\",\"snippet\":\"[mcp_servers.substrat]\\n");
  }

  @Test
  void the_connect_page_shows_the_entry_of_each_client() throws IOException {
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
    var screen = new Terminal(stream, stream, InputStream.nullInputStream(), true, false, false);

    CliMain.run(screen, machine(), "connect", "cursor", "--zoo", "--data", data.toString());

    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("\u001b[1m+++ ", "\u001b[36m@@", "\u001b[32m+{\u001b[0m");
  }

  @Test
  void help_names_the_clients() {
    assertThat(CliOutput.of("connect", "--help").out())
        .isEqualTo(
            """
            EXAMPLES
              ./substrat connect                                   # list clients
              ./substrat connect cursor --agent mira               # show the change
              ./substrat connect cursor --agent mira --write       # apply the change
              ./substrat connect claude --zoo --default mira --scope project --write
              ./substrat connect codex --agent mira --print        # print only the entry
              ./substrat connect cursor --remove --write

            substrat connect [-h] [--force] [--json] [--remove] [--data=DIR] [--default=A] [--name=N]
                             [--scope=S] [--token=TOKEN] [--token-file=FILE] [--url=URL] [--agent=A | --zoo]
                             [--stdio | --http] [--write | --print] [CLIENT]

            Connect an editor or agent tool (Cursor, Claude Code, Codex …) to an agent.

            Shows the change to the client's configuration file; --write applies it. The rest of the file
            does not change. The original file is saved as FILE.substrat-backup.

                  [CLIENT]            Client: cursor, claude, codex, vscode, gemini, goose, opencode (default:
                                        list all clients).

                  --agent=A           External agent that the client acts as.
                  --data=DIR          Data directory of the daemon (default: SUBSTRAT_DATA, or ~/.substrat).
                  --default=A         With --zoo: agent that a new chat starts with.
                  --force             Replace or remove the entry even if Substrat did not write it (default:
                                        fail with CONFLICT).
              -h, --help              Show this help.
                  --http              The client connects to the daemon's URL with a token.
                  --json              Print JSON.
                  --name=N            Name of the entry in the client's file (default: substrat).
                  --print             Print only the entry, without the diff.
                  --remove            Remove the entry; with --write, from the file.
                  --scope=S           Configuration file: user, or project (in this directory). Default: user.
                  --stdio             The client starts ./substrat mcp; the file contains no secret (default).
                  --token=TOKEN       Token to use. The process list shows it; prefer --token-file.
                  --token-file=FILE   File with the token to use (default with --url: SUBSTRAT_TOKEN).
                  --url=URL           URL of a remote daemon (default: SUBSTRAT_URL, or the daemon in --data).
                  --write             Write the file (default: only show the diff).
                  --zoo               Connect a zoo client, which loads an agent's prompt into its chat.
            """);
  }
}
