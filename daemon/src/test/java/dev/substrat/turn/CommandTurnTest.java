package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Message.MessageStatus;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Scripted agents that are programs: their protocol, and the handling of programs that violate it.
@OnEveryDatabase
@Timeout(300)
final class CommandTurnTest {
  private final TestTeam team;
  @TempDir private Path directory;

  CommandTurnTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void the_response_of_done_is_the_answer() throws IOException {
    script("ada", "read -r turn\necho '{\"type\":\"done\",\"response\":\"all is well\"}'");

    assertThat(team.answer(team.ask("ada", "how are you?"))).isEqualTo("all is well");
  }

  /// The turn line has the events; asking ben ends the first turn, his reply starts the second.
  @Test
  @Requirement({"S0-10", "S0-12", "S0-14"})
  void a_program_asks_and_continues_in_its_next_turn() throws IOException {
    script(
        "mira",
        """
        read -r turn
        case $turn in
          *'"kind":"reply"'*'"text":"aye"'*)
            echo '{"type":"done","response":"ben says aye"}' ;;
          *)
            echo '{"type":"call","id":7,"tool":"send_message","args":{"recipient":"ben","text":"ready?"}}'
            read -r result
            case $result in
              *'"id":7,"data":{"status":"sent"'*'"waiting_for_reply":true'*)
                echo '{"type":"done","response":"asked"}' ;;
              *) echo "unexpected: $result" >&2; exit 9 ;;
            esac ;;
        esac
        """);
    team.agent(
        "{name: ben, parent: mira, provider: {name: scripted, playbook: [{do: [{say: 'aye'}]}]}}");

    assertThat(team.answer(team.ask("mira", "ready?"))).isEqualTo("ben says aye");
    assertThat(team.runs.newest(null, 10)).extracting(Run::status).containsOnly("done");
  }

  @Test
  void a_refused_call_is_an_error_that_the_program_can_read() throws IOException {
    script(
        "ada",
        """
        read -r turn
        echo '{"type":"call","id":"a","tool":"fly","args":{}}'
        read -r result
        case $result in
          *'"error":{"error":true,"code":"UNKNOWN_TOOL"'*)
            echo '{"type":"done","response":"understood"}' ;;
          *) exit 9 ;;
        esac
        """);

    assertThat(team.answer(team.ask("ada", "fly"))).isEqualTo("understood");
    Run run = team.runs.newest(null, 1).getFirst();
    assertThat(team.engine.steps().of(new RunId(run.id()))).hasSize(2);
  }

  @Test
  void an_exit_without_done_is_a_failure_with_exit_code_and_stderr() throws IOException {
    script("ada", "echo 'no such file: plan.txt' >&2\nexit 3");

    assertThat(failureOf("ada"))
        .isEqualTo("the script exited with code 3 without done; stderr: no such file: plan.txt");
  }

  @Test
  void an_error_line_fails_the_turn_with_its_message() throws IOException {
    script("ada", "echo '{\"type\":\"error\",\"message\":\"no coffee\"}'\nexit 0");

    assertThat(failureOf("ada")).isEqualTo("no coffee");
  }

  @Test
  void a_nonzero_exit_after_done_fails_the_turn() throws IOException {
    script("ada", "echo '{\"type\":\"done\",\"response\":\"fine\"}'\nexit 4");

    assertThat(failureOf("ada")).isEqualTo("the script exited with code 4 after done");
  }

  @Test
  void an_invalid_line_is_quoted_in_the_failure() throws IOException {
    script("ada", "echo\necho 'hello there'");
    assertThat(failureOf("ada"))
        .startsWith("line 2 of the script is not valid JSON")
        .endsWith(": hello there");

    script("ben", "echo '{\"type\":\"dance\"}'");
    assertThat(failureOf("ben"))
        .isEqualTo(
            "line 1 of the script has a type other than call, done or error: {\"type\":\"dance\"}");
  }

  /// PostgreSQL keeps no NUL; a reason that could not be stored would fail for ever.
  @Test
  void binary_output_is_quoted_in_storable_characters() throws IOException {
    script("ada", "printf 'out\\000\\377put\\n'");
    assertThat(failureOf("ada")).endsWith(": out\uFFFD\uFFFDput");

    script("ben", "printf 'err\\000\\377or\\n' >&2\nexit 1");
    assertThat(failureOf("ben")).endsWith("stderr: err\uFFFD\uFFFDor");
  }

  @Test
  void a_call_after_done_is_not_executed() throws IOException {
    script(
        "ada",
        """
        echo '{"type":"done","response":"bye"}'
        echo '{"type":"call","id":1,"tool":"remind_me","args":{"text":"x","in_seconds":60}}'
        """);

    assertThat(failureOf("ada")).startsWith("line 2 of the script comes after done");
    assertThat(team.count("tool_called")).isZero();
  }

  @Test
  void a_line_that_is_too_long_ends_the_turn() throws IOException {
    script("ada", "while :; do printf '%s' '0123456789012345678901234567890123456789'; done");

    assertThat(failureOf("ada")).isEqualTo("line 1 of the script is longer than 1 MiB");
  }

  /// It makes calls continuously and never reads: neither side may wait for the other forever.
  /// Calls over the limit are answered, too.
  @Test
  void output_of_a_program_that_never_reads_results_is_processed_completely() throws IOException {
    script(
        "ada",
        """
        i=0
        while [ $i -lt 3000 ]; do
          echo '{"type":"call","id":1,"tool":"nothing_like_this_exists"}'
          i=$((i + 1))
        done
        echo '{"type":"done","response":"said it all"}'
        """);

    assertThat(team.answer(team.ask("ada", "go"))).isEqualTo("said it all");
  }

  @Test
  void a_program_gets_no_environment_of_the_daemon() throws IOException {
    script(
        "ada",
        """
        names=$(env | cut -d= -f1 | grep -v '^_$' | sort | tr '\\n' ' ')
        echo "{\\"type\\":\\"done\\",\\"response\\":\\"$names\\"}"
        """);

    // Variables that a shell adds by itself do not count.
    assertThat(List.of(team.answer(team.ask("ada", "go")).split(" ")))
        .contains("PATH", "SUBSTRAT_AGENT")
        .isSubsetOf(
            "HOME",
            "LANG",
            "OLDPWD",
            "PATH",
            "PWD",
            "SHLVL",
            "SUBSTRAT_AGENT",
            "SUBSTRAT_PROCESS_TREE");
  }

  /// Same events, same calls, same order: messages of the first attempt are not sent again.
  @Test
  @Requirement("A12")
  void a_retried_program_sends_its_messages_once() throws IOException {
    script(
        "mira",
        """
        read -r turn
        echo '{"type":"call","id":1,"tool":"send_message","args":{"recipient":"ben","text":"once","sync":false}}'
        read -r result
        [ -e tried ] && { echo '{"type":"done","response":"second try"}'; exit 0; }
        touch tried
        exit 1
        """);
    team.agent("{name: ben, parent: mira, provider: {name: scripted, playbook: []}}");
    var question = team.ask("mira", "go");
    awaitFailure("mira");

    team.clock.pass(Duration.ofSeconds(2));

    assertThat(team.answer(question)).isEqualTo("second try");
    assertThat(team.messages.of(team.agents.require("ben").id(), 10))
        .extracting(Message::text)
        .containsExactly("once");
    assertThat(team.status(question)).isEqualTo(MessageStatus.REPLIED);
  }

  /// Spawning names no program; a child has the one its parent has.
  @Test
  @Requirement("A15")
  void a_child_has_its_parents_program() throws IOException {
    script(
        "mira",
        """
        read -r turn
        case $turn in
          *'"kind":"start"'*) echo '{"type":"done","response":""}'; exit 0 ;;
        esac
        echo '{"type":"call","id":1,"tool":"spawn_agent","args":{"name":"kid","instructions":"x"}}'
        read -r result
        echo '{"type":"done","response":"made"}'
        """);

    assertThat(team.answer(team.ask("mira", "go"))).isEqualTo("made");
    assertThat(team.agents.require("kid").config().provider())
        .isEqualTo(team.agents.require("mira").config().provider());
    team.await(() -> team.count("turn_ended") == 2);
    assertThat(team.runs.newest(null, 1)).extracting(Run::agent).containsExactly("kid");
  }

  private void script(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name + ".sh"), text);
    team.agent(
        """
        name: %s
        limits: { maxStepsPerTurn: 5000 }
        provider: { name: scripted, command: [sh, %s.sh], directory: %s }
        """
            .formatted(name, name, Json.text(directory.toString())));
  }

  /// Why the agent's turn failed.
  private String failureOf(String agent) {
    team.ask(agent, "go");
    return awaitFailure(agent);
  }

  private String awaitFailure(String agent) {
    AgentId id = team.agents.require(agent).id();
    team.await(
        () -> team.runs.newest(id, 1).stream().anyMatch(run -> run.status().equals("failed")));
    return String.valueOf(team.runs.newest(id, 1).getFirst().stopReason());
  }
}
