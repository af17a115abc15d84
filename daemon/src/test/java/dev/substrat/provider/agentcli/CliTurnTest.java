package dev.substrat.provider.agentcli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.sandbox.SandboxAssumption;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A turn of an agent CLI that is described in the configuration: prompt, conversation, home
/// directory.
@Timeout(300)
final class CliTurnTest {
  @TempDir private Path directory;
  private TestDatabase place;
  private CliTeam team;

  @BeforeEach
  void start() {
    place = TestDatabase.fresh(Dialect.SQLITE);
    team = new CliTeam(place, directory);
  }

  @AfterEach
  void stop() throws IOException {
    team.close();
    place.close();
  }

  @Test
  @Requirement({"S1-1", "S0-3"})
  void the_output_is_the_answer_and_calls_belong_to_the_agent() throws IOException {
    Agent ada =
        team.agent(
            "ada",
            """
            list_tools
            mcp '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"set_memories","arguments":{"memories":[{"key":"berth","value":"7"}]}}}' >/dev/null
            echo "I was told: $prompt"
            """);

    assertThat(team.answer(team.ask("ada", "moor at 7"))).contains("moor at 7");
    Run run = team.ended(ada.id());
    assertThat(run.status()).isEqualTo("done");
    assertThat(team.engine().steps().of(new RunId(run.id())))
        .anySatisfy(step -> assertThat(step.calls()).isEqualTo(1));
  }

  /// A conversation is resumed in a new process with the new events.
  @Test
  @Requirement({"S0-34", "S1-21"})
  void a_later_turn_resumes_the_conversation() throws IOException {
    team.agent(
        "ada",
        "list_tools\necho \"$1 $2\"\n",
        """
        args: [new, '{{session}}']
        resume: [again, '{{session}}']
        """);

    String first = team.answer(team.ask("ada", "one"));
    String second = team.answer(team.ask("ada", "two"));

    assertThat(first).startsWith("new ");
    assertThat(second).isEqualTo("again " + first.substring("new ".length()));
  }

  @Test
  void a_lost_conversation_is_restarted_within_the_turn() throws IOException {
    team.agent(
        "ada",
        """
        list_tools
        if [ "$1" = again ]; then echo "who was that?" >&2; exit 1; fi
        echo "$2"
        """,
        """
        args: [new, '{{session}}']
        resume: [again, '{{session}}']
        forgotten: who was that?
        """);

    String first = team.answer(team.ask("ada", "one"));
    String second = team.answer(team.ask("ada", "two"));

    assertThat(second).isNotEqualTo(first).hasSameSizeAs(first);
    assertThat(team.engine().runs().newest(null, 10)).extracting(Run::status).containsOnly("done");
  }

  /// A new conversation would not contain the calls of this one.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text               | I fixed: who was that?",
        "claude-stream-json | "
            + "{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"I fixed: who was that?\"}"
      })
  void output_that_only_mentions_a_lost_conversation_does_not_restart_it(
      String format, String answer) throws IOException {
    Agent ada =
        team.agent(
            "ada",
            """
            list_tools
            echo "$1" >> started
            [ "$1" = new ] || code=1
            echo '{"type":"system","subtype":"init","session_id":"s"}'
            echo '%s'
            exit ${code:-0}
            """
                .formatted(answer),
            """
            args: [new, '{{session}}']
            resume: [again, '{{session}}']
            forgotten: who was that?
            format: %s
            """
                .formatted(format));

    team.answer(team.ask("ada", "one"));
    team.ask("ada", "two");
    team.await(() -> team.engine().runs().newest(ada.id(), 10).size() > 1);

    assertThat(team.ended(ada.id()).stopReason())
        .startsWith("cli exited with code 1 after its answer; stdout: ");
    Path workspace = team.engine().dependencies().workspaces().directory(ada);
    assertThat(Files.readString(workspace.resolve("started"))).startsWith("new\nagain\n");
    assertThat(Files.readAllLines(workspace.resolve("started"))).containsOnlyOnce("new");
  }

  @Test
  @Requirement({"S0-31", "S0-28", "S0-29", "S1-20"})
  void the_home_directory_of_a_cli_belongs_to_one_agent() throws IOException {
    Agent ada =
        team.agent(
            "ada",
            """
            list_tools
            echo "$HOME|$PWD|$(stat -c %a "$1")|$(env | grep -c OPERATOR)"
            """,
            """
            args: ['{{mcp.configFile}}']
            """);

    String[] seen = team.answer(team.ask("ada", "where are you?")).split("\\|");

    Path home = team.data().resolve("minds").resolve(ada.id().value()).resolve("cli");
    assertThat(seen[0]).isEqualTo(home.toString());
    assertThat(seen[1])
        .isEqualTo(team.engine().dependencies().workspaces().directory(ada).toString());
    assertThat(seen[2]).as("the file with the token").isEqualTo("600");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
        .isEqualTo("rwx------");
  }

  /// Its own file tools work in the workspace and see no files of the daemon.
  @Test
  @Requirement({"S0-28", "S0-29", "S1-20"})
  void a_cli_runs_in_its_workspace_without_the_daemons_files() throws IOException {
    SandboxAssumption.requireWorks(team.engine().dependencies().workspaces().sandbox());
    Agent ada =
        team.agent(
            "ada",
            """
            list_tools
            echo 'wind 4' > log.txt
            cat "$1/operator.token" 2>/dev/null || echo 'no token here'
            """,
            "args: [%s]".formatted(team.data()));

    assertThat(team.answer(team.ask("ada", "write it down"))).isEqualTo("no token here");
    Path workspace = team.engine().dependencies().workspaces().directory(ada);
    assertThat(workspace.resolve("log.txt")).hasContent("wind 4");
  }

  @Test
  void the_turn_token_is_not_recorded() throws IOException {
    Agent ada = team.agent("ada", "list_tools\necho \"token $MCP_TOKEN\"\n");

    assertThat(team.answer(team.ask("ada", "what do you know?")))
        .isEqualTo("token [the turn's token]");
    assertThat(team.ended(ada.id()).response()).doesNotContain("substrat_");
  }
}
