package dev.substrat.provider.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.messaging.message.Message;
import dev.substrat.platform.identity.RunId;
import dev.substrat.store.Dialect;
import dev.substrat.team.Agent;
import dev.substrat.testkit.llm.ScriptedAnswer;
import dev.substrat.tool.transcript.RunSteps;
import dev.substrat.toolset.team.BlockedReason;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Model APIs that are overloaded or unreachable: no message is lost, and no tokens are paid for
/// twice.
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"openai", "anthropic", "gemini", "ollama"})
final class ApiOutageTest {
  private final ModelTeam team = new ModelTeam(Dialect.SQLITE);
  private final String provider;

  ApiOutageTest(String provider) {
    this.provider = provider;
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private List<RunSteps.RunStep> steps(Agent agent) {
    return team.engine.steps().of(new RunId(team.lastRun(agent).id()));
  }

  private Optional<BlockedReason> standstill(Agent agent) {
    return team.database.read(tx -> BlockedReason.of(tx, agent.id()));
  }

  @Test
  void a_rate_limited_question_waits_for_the_retry_time_and_is_answered() {
    Agent ada = team.agent("ada", provider);
    team.llm.next(ScriptedAnswer.refused(429, "900"), ScriptedAnswer.text("at last"));
    Message question = team.ask("ada", "hello?");

    team.runAll();
    BlockedReason standstill = standstill(ada).orElseThrow();
    assertThat(standstill.reason()).contains(provider, "429");
    assertThat(standstill.nextTryAt()).isEqualTo(team.clock.instant().plusSeconds(900));
    team.clock.pass(Duration.ofSeconds(60));
    team.runAll();
    assertThat(team.llm.requests()).as("no request before the retry time").hasSize(1);
    team.clock.pass(Duration.ofSeconds(841));
    team.runAll();

    assertThat(team.engine.messages().findReply(question.id()).orElseThrow().text())
        .isEqualTo("at last");
    assertThat(standstill(ada)).isEmpty();
  }

  @Test
  void the_duration_of_a_step_includes_the_model_request() {
    Agent ada = team.agent("ada", provider);
    team.llm.follow(_ -> {
      team.clock.pass(Duration.ofSeconds(5));
      return ScriptedAnswer.text("aye");
    });

    assertThat(team.answer("ada", "hello?")).isEqualTo("aye");

    RunSteps.RunStep step = steps(ada).getFirst();
    assertThat(step.endedAt()).isEqualTo(step.startedAt().plusSeconds(5));
  }

  @Test
  void messages_survive_an_outage_of_an_hour_but_not_of_two_days() {
    Agent ada = team.agent("ada", provider);
    team.llm.follow(_ -> ScriptedAnswer.refused(503));
    Message question = team.ask("ada", "hello?");
    for (int minute = 0; minute < 60; minute++) {
      team.runAll();
      team.clock.pass(Duration.ofMinutes(1));
    }
    assertThat(team.engine.messages().require(question.id()).status())
        .isNotEqualTo(Message.MessageStatus.DEAD);
    assertThat(team.engine.runs().newest(ada.id(), 100))
        .as("it is left alone more and more")
        .hasSizeLessThan(30);

    team.clock.pass(Duration.ofDays(2));
    team.runAll();
    assertThat(team.engine.messages().require(question.id()).status())
        .isEqualTo(Message.MessageStatus.DEAD);
  }

  @Test
  void a_turn_with_used_tokens_counts_as_a_failed_attempt() {
    Agent ada = team.agent("ada", provider);
    team.llm.follow(asked ->
        asked.newResults().isEmpty()
            ? ScriptedAnswer.call("list_children", "{}")
            : ScriptedAnswer.refused(429, "900"));
    Message question = team.ask("ada", "hello?");
    for (int minute = 0; minute < 30; minute++) {
      team.runAll();
      team.clock.pass(Duration.ofMinutes(1));
    }

    assertThat(team.engine.runs().newest(ada.id(), 100)).hasSize(5);
    assertThat(team.engine.messages().require(question.id()).status())
        .isEqualTo(Message.MessageStatus.DEAD);
  }

  @Test
  void a_rejected_request_costs_no_tokens() {
    Agent ada =
        team.agent(
            "ada", provider, "price: { input: 2, output: 8 }", "limits: {budgetTokens: 1000000}");
    team.llm.next(ScriptedAnswer.refused(401));
    team.ask("ada", "hello?");

    team.runAll();

    assertThat(steps(ada)).isEmpty();
    List<Budget> budgets = team.database.read(tx -> BudgetTable.above(tx, ada.id()));
    assertThat(budgets)
        .isNotEmpty()
        .allSatisfy(budget -> {
          assertThat(budget.spent()).isZero();
          assertThat(budget.reserved()).isZero();
        });
  }

  @Test
  void tokens_of_a_broken_response_are_booked() {
    Agent ada = team.agent("ada", provider, "price: { input: 2, output: 8 }", "");
    String text = "word ".repeat(200);
    team.llm.next(
        ScriptedAnswer.text(text).using(1_000, 500).cutAfter(60),
        ScriptedAnswer.text("whole").using(1_000, 500));

    assertThat(team.answer("ada", "hello?")).isEqualTo("whole");

    assertThat(steps(ada)).hasSize(2);
    assertThat(steps(ada).getLast().costMicros()).isEqualTo(6_000);
    RunSteps.RunStep broken = steps(ada).getFirst();
    assertThat(broken.inputTokens()).isGreaterThan(100);
    assertThat(broken.outputTokens()).as("about 700 characters").isBetween(100L, 500L);
    assertThat(broken.costMicros()).isGreaterThan(1_000);
  }
}
