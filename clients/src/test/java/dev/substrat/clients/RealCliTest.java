package dev.substrat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.platform.identity.RunId;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.llm.ModelPrompt;
import dev.substrat.testkit.llm.ScriptedAnswer;
import dev.substrat.turn.run.Run;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Agents with real agent CLIs as providers.
@Timeout(300)
final class RealCliTest {
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
  @CsvSource({"GOOSE, http", "GOOSE, stdio", "CODEX, http", "CODEX, stdio"})
  @Requirement({"S1-1", "S0-1", "S0-2", "S0-3", "S0-31", "S0-34", "S1-2", "S1-3", "S1-21"})
  void a_cli_uses_its_agents_tools_and_resumes_in_the_next_turn(RealCli cli, String door)
      throws Exception {
    Agent ada = ada(cli, "mcp: " + door);

    assertThat(yard.answer(yard.ask("ada", "[tool] greet bob")))
        .contains("userTurns=1", "\"status\":\"sent\"");
    assertThat(yard.answer(yard.ask("ada", "[tool] greet bob again")))
        .as("the model gets the earlier messages")
        .contains("userTurns=2", "\"status\":\"sent\"");

    assertThat(messagesTo("bob", ada)).hasSize(2);
    assertThat(yard.llm().requests())
        .extracting(ModelPrompt::system)
        .allSatisfy(system -> assertThat(system).contains("You paint ships."));
  }

  /// These two report cumulative usage per conversation.
  @ParameterizedTest
  @EnumSource(RealCli.class)
  void usage_is_recorded_per_turn(RealCli cli) throws Exception {
    Agent ada = ada(cli, "");
    yard.answer(yard.ask("ada", "[tool] greet bob"));
    yard.answer(yard.ask("ada", "[tool] greet bob again"));

    assertThat(yard.engine().runs().newest(ada.id(), 2))
        .allSatisfy(run -> assertThat(used(run)).isEqualTo(220));
  }

  private long used(Run run) {
    return yard.engine().steps().of(new RunId(run.id())).stream()
        .mapToLong(step -> step.inputTokens() + step.outputTokens())
        .sum();
  }

  /// With one slot: a waiting agent holds none.
  @ParameterizedTest
  @EnumSource(RealCli.class)
  @Requirement({"S0-8", "S0-10", "S0-12", "S1-9", "S1-10"})
  void two_agents_exchange_messages_on_one_slot(RealCli cli) throws Exception {
    ada(cli, "");
    yard.agent("name: ben\nparent: mira\n" + cli.provider(""));

    String answer =
        yard.answer(
            yard.ask(
                "ada",
                "[tool send_message {\"recipient\":\"ben\",\"text\":\"ready?\",\"sync\":true}]"));

    assertThat(answer).as("text after ben's reply").contains("userTurns=2");
    assertThat(yard.engine().runs().newest(null, 10)).extracting(Run::status).containsOnly("done");
  }

  @ParameterizedTest
  @EnumSource(RealCli.class)
  void a_model_that_answers_401_is_called_once(RealCli cli) throws Exception {
    Agent ada = ada(cli, "");
    yard.llm().follow(_ -> ScriptedAnswer.refused(401));

    Message question = yard.ask("ada", "hello");
    yard.await(() -> !yard.engine().messages().require(question.id()).isOpen());

    List<Run> runs = yard.engine().runs().newest(ada.id(), 10);
    assertThat(runs).hasSize(1);
    assertThat(runs.getFirst().stopReason()).startsWith(cli + " is not authenticated");
  }

  /// The CLI's error text is no answer, and the question waits.
  @ParameterizedTest
  @EnumSource(RealCli.class)
  void an_overloaded_model_is_retried_later(RealCli cli) throws Exception {
    Agent ada = ada(cli, "");
    yard.llm().follow(_ -> ScriptedAnswer.refused(429));

    Message question = yard.ask("ada", "hello");
    yard.await(() -> hasFailed(ada));

    assertThat(yard.engine().runs().newest(ada.id(), 1).getFirst().stopReason())
        .startsWith(cli + " is rate limited or overloaded");
    assertThat(yard.engine().messages().require(question.id()).isOpen()).isTrue();
    assertThat(yard.engine().messages().findReply(question.id())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(RealCli.class)
  void an_error_of_the_model_is_no_answer(RealCli cli) throws Exception {
    Agent ada = ada(cli, "");
    yard.llm().follow(_ -> ScriptedAnswer.refused(500));

    Message question = yard.ask("ada", "hello");
    yard.await(() -> hasFailed(ada));

    assertThat(yard.engine().messages().findReply(question.id())).isEmpty();
  }

  private boolean hasFailed(Agent agent) {
    return yard.engine().runs().newest(agent.id(), 10).stream()
        .anyMatch(run -> run.status().equals("failed"));
  }

  private Agent ada(RealCli cli, String settings) throws Exception {
    return yard.agent(
        "name: ada\nparent: mira\nsystemPrompt: You paint ships.\n" + cli.provider(settings));
  }

  private List<Message> messagesTo(String recipient, Agent sender) {
    var to = yard.engine().agents().require(recipient).id();
    return yard.engine().messages().of(to, 100).stream()
        .filter(message -> message.sender().equals(sender.id().value()))
        .filter(message -> message.recipient().equals(to.value()))
        .toList();
  }
}
