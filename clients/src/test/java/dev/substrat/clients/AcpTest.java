package dev.substrat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.platform.identity.RunId;
import dev.substrat.team.Agent;
import dev.substrat.testkit.NpmPrograms;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.llm.ScriptedAnswer;
import dev.substrat.turn.run.Run;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Agents with Goose over the Agent Client Protocol: a process that stays between turns.
@Timeout(300)
final class AcpTest {
  @TempDir private Path directory;
  private AgentCliFixture yard;

  @BeforeEach
  void open() throws Exception {
    yard = new AgentCliFixture(directory);
    yard.agent("{name: mira, provider: {name: external}}");
    yard.agent(
        "{name: bob, parent: mira, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");
  }

  @AfterEach
  void close() {
    yard.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "stdio"})
  @Requirement({"S0-34", "S1-21", "S1-1"})
  void the_process_stays_and_each_turn_uses_its_own_token(String door) throws Exception {
    Agent ada = ada(door);

    assertThat(yard.answer(yard.ask("ada", "[tool] greet bob")))
        .contains("userTurns=1", "\"status\":\"sent\"");
    List<Long> first = yard.processes(ada);
    assertThat(yard.answer(yard.ask("ada", "[tool] greet bob again")))
        .contains("userTurns=2", "\"status\":\"sent\"");

    assertThat(first).isNotEmpty();
    assertThat(yard.processes(ada)).as("the same process").containsExactlyElementsOf(first);
    assertThat(yard.engine().runs().newest(ada.id(), 10))
        .allSatisfy(run -> assertThat(calls(run)).as("a call of its own").isEqualTo(1));
  }

  @Test
  void a_killed_process_is_replaced_and_its_conversation_resumed() throws Exception {
    Agent ada = ada("http");
    yard.answer(yard.ask("ada", "[tool] greet bob"));
    List<Long> first = yard.processes(ada);
    first.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));

    assertThat(yard.answer(yard.ask("ada", "[tool] greet bob again"))).contains("userTurns=2");
    assertThat(yard.processes(ada)).doesNotContainAnyElementsOf(first);
  }

  @Test
  void an_overloaded_model_gives_no_answer_and_the_question_waits() throws Exception {
    Agent ada = ada("http");
    yard.llm().follow(_ -> ScriptedAnswer.refused(429));

    Message question = yard.ask("ada", "hello");
    yard.await(() ->
        yard.engine().runs().newest(ada.id(), 1).stream()
            .anyMatch(run -> run.status().equals("failed")));

    assertThat(yard.engine().runs().newest(ada.id(), 10).getLast().stopReason())
        .startsWith("acp is rate limited or overloaded");
    assertThat(yard.engine().messages().require(question.id()).isOpen()).isTrue();
  }

  @Test
  void no_process_is_left_when_the_daemon_ends() throws Exception {
    Agent ada = ada("http");
    yard.answer(yard.ask("ada", "[tool] greet bob"));

    yard.close();

    assertThat(yard.processes(ada)).isEmpty();
  }

  private long calls(Run run) {
    return yard.engine().steps().of(new RunId(run.id())).stream()
        .mapToLong(step -> step.calls())
        .sum();
  }

  private Agent ada(String door) throws Exception {
    NpmPrograms npm = NpmPrograms.require("@aaif/goose-acp@1.50.0");
    return yard.agent(
        """
        name: ada
        parent: mira
        provider:
          name: acp
          command: [%s, acp]
          mcp: %s
          env:
            GOOSE_PROVIDER: openai
            GOOSE_MODEL: scripted-1
            GOOSE_MODE: auto
            GOOSE_DISABLE_KEYRING: '1'
            OPENAI_HOST: '%s'
            OPENAI_API_KEY: sk-scripted
        """
            .formatted(npm.program("goose"), door, yard.llm().url()));
  }
}
