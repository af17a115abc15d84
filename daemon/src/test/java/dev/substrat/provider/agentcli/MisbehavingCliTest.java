package dev.substrat.provider.agentcli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// CLIs that hang, crash or flood: the turn fails in time with the right reason, and no process
/// remains.
@Timeout(300)
final class MisbehavingCliTest {
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
  @Requirement("S0-33")
  void a_turn_without_a_tool_list_fails_whatever_the_cli_prints() throws IOException {
    assertThat(failure("echo 'all is well'\n")).startsWith("TOOLS_MISSING: cli never listed");
  }

  /// A format with result events requires one; in text format the output may be empty.
  @Test
  void an_exit_without_a_result_event_fails_the_turn() throws IOException {
    Agent ada = team.agent("ada", "list_tools\nexit 0\n", "format: claude-stream-json");
    team.ask("ada", "go");
    assertThat(team.ended(ada.id()).stopReason())
        .isEqualTo("cli exited with code 0 without a result");
  }

  @Test
  void empty_output_in_text_format_is_an_empty_answer() throws IOException {
    Agent ada = team.agent("ada", "list_tools\nexit 0\n", "format: text");
    team.ask("ada", "go");
    assertThat(team.ended(ada.id()).status()).isEqualTo("done");
  }

  @Test
  void closed_output_without_a_result_fails_the_turn() throws IOException {
    Agent ada =
        team.agent(
            "ada",
            "list_tools\nexec >&-\nsleep 1000\n",
            "format: text",
            "workspace: { sandbox: 'off' }");
    team.ask("ada", "go");
    assertThat(team.ended(ada.id()).stopReason())
        .isEqualTo("cli closed its output without a result");
    assertThat(team.processes(ada)).isEmpty();
  }

  @Test
  @Requirement("S0-33")
  void a_tool_call_counts_as_a_tool_list() throws IOException {
    Agent ada =
        team.agent(
            "ada",
            """
            mcp '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check_inbox","arguments":{}}}' >/dev/null
            echo 'nothing new'
            """);
    assertThat(team.answer(team.ask("ada", "go"))).isEqualTo("nothing new");
    assertThat(team.engine().runs().newest(ada.id(), 10)).hasSize(1);
  }

  @Test
  void a_nonzero_exit_fails_the_turn_with_its_stderr() throws IOException {
    assertThat(failure("list_tools\necho fine\necho 'out of coal' >&2\nexit 3\n"))
        .isEqualTo("cli exited with code 3 after its answer; stdout: fine; stderr: out of coal");
  }

  @Test
  void excessive_output_fails_the_turn() throws IOException {
    Agent ada = team.agent("ada", "list_tools\nyes 'water water water water water water water'\n");

    team.ask("ada", "go");

    assertThat(team.ended(ada.id()).stopReason()).isEqualTo("cli wrote more than 64 MB");
    assertThat(team.processes(ada)).isEmpty();
  }

  @Test
  void a_line_that_is_too_long_fails_the_turn() throws IOException {
    assertThat(failure("list_tools\ntr '\\0' x </dev/zero\n"))
        .isEqualTo("line 1 of cli is longer than 8 MiB");
  }

  /// Child processes, also those in their own session, end with their parent.
  @Test
  void background_processes_end_with_the_turn() throws IOException {
    Agent ada =
        team.agent(
            "ada", "list_tools\nsleep 1000 &\nsetsid sleep 1000 &\necho 'they will not miss me'\n");

    assertThat(team.answer(team.ask("ada", "go"))).isEqualTo("they will not miss me");
    assertThat(team.processes(ada)).isEmpty();
  }

  /// Without a sandbox it can remove the environment mark by which it is found; it still has its
  /// output.
  @Test
  void a_process_without_its_environment_mark_also_ends_with_the_turn() throws IOException {
    String seconds = String.valueOf(100_000 + new Random().nextInt(1_000_000));
    team.agent(
        "ada",
        "list_tools\nenv -i setsid sleep %s &\necho 'who was that?'\n".formatted(seconds),
        "",
        "workspace: { sandbox: 'off' }");

    assertThat(team.answer(team.ask("ada", "go"))).isEqualTo("who was that?");
    team.await(() -> sleepers(seconds) == 0);
  }

  private static long sleepers(String seconds) {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").endsWith("sleep " + seconds))
        .count();
  }

  /// After the result event, further output is ignored and does not extend the time.
  @Test
  void output_after_the_result_does_not_keep_the_turn_open() throws IOException {
    Agent ada =
        team.agent(
            "ada",
            """
            list_tools
            echo '{"type":"result","subtype":"success","is_error":false,"result":"fine","session_id":"s"}'
            while :; do echo '{"type":"ping"}'; sleep 0.2; done
            """,
            "format: claude-stream-json");

    assertThat(team.answer(team.ask("ada", "go"))).isEqualTo("fine");
    assertThat(team.ended(ada.id()).status()).isEqualTo("done");
    assertThat(team.processes(ada)).isEmpty();
  }

  @Test
  void a_hanging_cli_ends_at_the_turn_limit() throws IOException {
    Agent ada = team.agent("ada", "list_tools\nsleep 1000\n", "", "limits: { maxTurnSeconds: 2 }");

    team.ask("ada", "go");

    assertThat(team.ended(ada.id()).stopReason()).isEqualTo("the turn took too long");
    assertThat(team.processes(ada)).isEmpty();
  }

  @Test
  void cancelling_a_turn_ends_all_processes_of_the_cli() throws IOException {
    Agent ada = team.agent("ada", "list_tools\nsetsid sleep 1000 &\nsleep 1000\n");
    team.ask("ada", "go");
    team.await(() -> team.processes(ada).size() >= 3);

    team.engine()
        .cancellation()
        .cancel(
            new Principal.OperatorPrincipal(), team.engine().runs().newest(ada.id(), 1).getFirst());

    assertThat(team.ended(ada.id()).status()).isEqualTo("cancelled");
    team.await(() -> team.processes(ada).isEmpty());
  }

  @Test
  void usage_reported_before_a_kill_is_booked() throws IOException {
    String line =
        """
        {"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"Let me see."}],"usage":{"input_tokens":900,"output_tokens":30}}}
        """
            .strip();
    Agent ada =
        team.agent(
            "ada",
            "list_tools\necho '%s'\necho '%s'\nsleep 1000\n".formatted(line, line),
            "format: claude-stream-json",
            "limits: { maxTurnSeconds: 8 }");

    team.ask("ada", "go");
    Run run = team.ended(ada.id());

    assertThat(run.stopReason()).isEqualTo("the turn took too long");
    assertThat(used(run))
        .as("the message that arrived in two lines is counted once")
        .isEqualTo(930);
  }

  @Test
  void without_reported_usage_tokens_are_estimated_from_the_text() throws IOException {
    Agent ada = team.agent("ada", "list_tools\nprintf 'word %.0s' {1..300}\n");

    team.answer(team.ask("ada", "go"));

    assertThat(used(team.ended(ada.id()))).as("its prompt, and 1500 characters").isGreaterThan(550);
  }

  private long used(Run run) {
    return team.engine().steps().of(new RunId(run.id())).stream()
        .mapToLong(step -> step.inputTokens() + step.outputTokens())
        .sum();
  }

  @Test
  void commands_that_a_cli_executes_itself_are_recorded() throws IOException {
    Agent ada =
        team.agent(
            "ada",
            """
            list_tools
            echo '{"type":"thread.started","thread_id":"t1"}'
            echo '{"type":"item.started","item":{"id":"i1","type":"command_execution","command":"rm -r build"}}'
            echo '{"type":"item.completed","item":{"id":"i1","type":"command_execution","status":"failed","aggregated_output":"no such folder"}}'
            echo '{"type":"item.started","item":{"id":"i2","type":"mcp_tool_call","server":"substrat","tool":"send_message","arguments":{}}}'
            echo '{"type":"item.completed","item":{"id":"i3","type":"agent_message","text":"gone"}}'
            echo '{"type":"turn.completed","usage":{"input_tokens":5,"output_tokens":5}}'
            """,
            "format: codex-json");

    assertThat(team.answer(team.ask("ada", "go"))).isEqualTo("gone");

    Run run = team.ended(ada.id());
    assertThat(team.engine().transcript().of(new RunId(run.id()), "", 100))
        .filteredOn(line -> line.type().startsWith("own_tool"))
        .extracting(line -> line.toolName() + " " + line.toolInput() + " " + line.content())
        .containsExactly(
            "shell \"rm -r build\" ", "shell null {\"error\":true,\"output\":\"no such folder\"}");
  }

  /// Failure reason of a turn with this script.
  private String failure(String script) throws IOException {
    Agent ada = team.agent("ada", script);
    team.ask("ada", "go");
    Run run = team.ended(ada.id());
    assertThat(run.status()).isEqualTo("failed");
    assertThat(team.processes(ada)).isEmpty();
    return String.valueOf(run.stopReason());
  }
}
