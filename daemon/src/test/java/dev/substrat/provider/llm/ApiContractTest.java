package dev.substrat.provider.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.provider.ProviderCapabilities.EventInjection;
import dev.substrat.store.Dialect;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.llm.ModelPrompt;
import dev.substrat.testkit.llm.ScriptedAnswer;
import dev.substrat.tool.transcript.RunSteps;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.tool.transcript.Transcript.TranscriptLine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Behaviour of every model provider, in each wire format.
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"openai", "anthropic", "gemini", "ollama"})
final class ApiContractTest {
  private final ModelTeam team = new ModelTeam(Dialect.SQLITE);
  private final String provider;

  ApiContractTest(String provider) {
    this.provider = provider;
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private List<RunSteps.RunStep> steps(Agent agent) {
    return team.engine.steps().of(new RunId(team.lastRun(agent).id()));
  }

  @Test
  @Requirement("S1-1")
  void a_streamed_text_is_the_answer() {
    Agent ada = team.agent("ada", provider, "price: { input: 2, output: 8 }", "");
    team.llm.next(ScriptedAnswer.text("Tides follow the moon, mostly.").using(1_000, 50));

    assertThat(team.answer("ada", "why tides?")).isEqualTo("Tides follow the moon, mostly.");

    ModelPrompt asked = team.llm.requests().getFirst();
    assertThat(asked.isStreamed()).isTrue();
    assertThat(asked.model()).isEqualTo("fake-1");
    assertThat(asked.key()).isEqualTo(ModelTeam.KEY);
    assertThat(asked.system()).contains("You are ada");
    assertThat(asked.lastUserText()).contains("why tides?", "\n\n[turn 1, ").endsWith("]");
    assertThat(asked.tool("send_message")).isPresent();
    RunSteps.RunStep step = steps(ada).getFirst();
    assertThat(step.model()).isEqualTo("fake-1");
    assertThat(step.inputTokens()).isEqualTo(1_000);
    assertThat(step.outputTokens()).isEqualTo(50);
    assertThat(step.costMicros()).isEqualTo(2_400);
  }

  @Test
  @Requirement("S1-1")
  void partial_text_is_published_while_it_is_generated() throws IOException {
    try (var ticking = new ModelTeam(Dialect.SQLITE, Duration.ofMillis(100))) {
      ticking.agent("ada", provider);
      String text =
          "A rather long answer, so that it has many pieces on its way to those who wait.";
      ticking.llm.next(ScriptedAnswer.text(text));

      ticking.answer("ada", "well?");

      var told = ticking.told("run.text", 2);
      assertThat(told).hasSizeGreaterThan(1);
      var heard = new StringBuilder();
      told.forEach(event -> {
        assertThat(event.payload().path("from").asInt()).isEqualTo(heard.length());
        heard.append(event.payload().path("text").asText());
      });
      assertThat(heard).hasToString(text);
      assertThat(told.getFirst().run()).isNotNull();
    }
  }

  @Test
  void tool_results_are_sent_to_the_model() {
    Agent ada = team.agent("ada", provider);
    team.llm.next(ScriptedAnswer.text("Let me look.").andCalls("list_children", "{}"));
    team.llm.next(ScriptedAnswer.text("Only me."));

    assertThat(team.answer("ada", "who is there?")).isEqualTo("Only me.");

    ModelPrompt second = team.llm.requests().get(1);
    assertThat(second.newResults()).hasSize(1);
    assertThat(second.newResults().getFirst().text()).contains("children");
    ModelPrompt.PromptMessage said = second.messages().get(second.messages().size() - 2);
    assertThat(said.text()).isEqualTo("Let me look.");
    assertThat(said.calls())
        .extracting(ModelPrompt.PromptToolCall::tool)
        .containsExactly("list_children");
    assertThat(team.record(team.lastRun(ada)))
        .extracting(TranscriptLine::type)
        .containsExactly(
            Transcript.SYSTEM,
            Transcript.USER,
            Transcript.ASSISTANT,
            Transcript.CALL,
            Transcript.RETURN,
            Transcript.ASSISTANT);
    assertThat(steps(ada)).hasSize(2);
  }

  @Test
  void several_calls_of_one_answer_are_executed_in_order() {
    Agent ada = team.agent("ada", provider);
    team.llm.next(
        ScriptedAnswer.call("set_goals", "{\"goals\": [{\"description\": \"learn\"}]}")
            .andCalls("remember_nothing", "{}")
            .andCalls("list_children", "{}"));
    team.llm.next(ScriptedAnswer.text("done"));

    assertThat(team.answer("ada", "do three things")).isEqualTo("done");

    assertThat(team.record(team.lastRun(ada)))
        .filteredOn(line -> line.type().equals(Transcript.CALL))
        .extracting(TranscriptLine::toolName)
        .containsExactly("set_goals", "remember_nothing", "list_children");
    List<ModelPrompt.PromptToolResult> results = team.llm.requests().get(1).newResults();
    assertThat(results).hasSize(3);
    assertThat(results.get(1).text()).contains("UNKNOWN_TOOL");
    assertThat(results.get(2).text()).contains("children");
  }

  @Test
  void invalid_json_arguments_are_an_error_result() {
    Agent ada = team.agent("ada", provider);
    team.llm.next(ScriptedAnswer.call("list_children", "{\"a\": "), ScriptedAnswer.text("sorry"));

    assertThat(team.answer("ada", "go")).isEqualTo("sorry");

    assertThat(team.llm.requests().get(1).newResults().getFirst().text())
        .contains("not a JSON object");
    assertThat(team.record(team.lastRun(ada)))
        .noneMatch(line -> line.type().equals(Transcript.CALL));
  }

  @Test
  void a_call_without_arguments_has_an_empty_object() {
    team.agent("ada", provider);
    team.llm.next(ScriptedAnswer.call("list_children", ""), ScriptedAnswer.text("Only me."));

    assertThat(team.answer("ada", "who is there?")).isEqualTo("Only me.");

    assertThat(team.llm.requests().get(1).newResults().getFirst().text()).contains("children");
  }

  @Test
  void characters_split_across_network_packets_are_decoded() {
    team.agent("ada", provider);
    team.llm.next(ScriptedAnswer.text("Grüße aus dem Hafen: 潮 folgt dem Mond, Möwe für Möwe."));

    assertThat(team.answer("ada", "hello?"))
        .isEqualTo("Grüße aus dem Hafen: 潮 folgt dem Mond, Möwe für Möwe.");
  }

  @Test
  @Requirement({"S1-21", "S0-34"})
  void a_new_turn_is_appended_to_the_stored_history() {
    Agent ada = team.agent("ada", provider);
    assertThat(team.engine.providers().require(provider).capabilities().injection())
        .isEqualTo(EventInjection.HISTORY);
    team.llm.next(ScriptedAnswer.call("list_children", "{}"), ScriptedAnswer.text("first answer"));
    team.answer("ada", "first question");
    team.answer("ada", "second question");

    List<ModelPrompt> all = team.llm.requests();
    ModelPrompt last = all.getLast();
    assertThat(last.messages().getFirst().text())
        .isEqualTo(all.getFirst().messages().getFirst().text());
    assertThat(last.messages().stream().map(ModelPrompt.PromptMessage::text))
        .anyMatch(text -> text.equals("first answer"));
    assertThat(last.toolResults()).hasSize(1);
    assertThat(last.lastUserText()).contains("second question", "\n\n[turn 2, ").endsWith("]");
    assertThat(team.lastRun(ada).response()).isEqualTo("FINAL userTurns=2 lastTool=none");
  }

  @Test
  void a_prompt_that_is_too_long_is_shortened_once() {
    team.agent("ada", provider);
    IntStream.range(0, 5).forEach(i -> team.answer("ada", "word ".repeat(200) + i));
    team.llm.forgetRequests();
    team.llm.next(new ScriptedAnswer.ContextTooLong());

    assertThat(team.answer("ada", "still there?")).startsWith("FINAL");

    List<ModelPrompt> both = team.llm.requests();
    assertThat(both).hasSize(2);
    assertThat(both.get(1).messages()).hasSizeLessThan(both.get(0).messages().size());
    team.llm.next(new ScriptedAnswer.ContextTooLong(), new ScriptedAnswer.ContextTooLong());
    assertThat(team.answer("ada", "and now?")).isEmpty();
  }

  @Test
  void the_budget_of_a_step_is_reserved_before_the_request() {
    Agent ada = team.agent("ada", provider, "", "limits: { budgetTokens: 1000 }");
    team.ask("ada", "hello?");
    team.turns.run(ada.id());

    assertThat(team.lastRun(ada).stopReason()).contains("BUDGET_EXHAUSTED");
    assertThat(team.llm.requests()).isEmpty();
  }

  @Test
  void cancelling_a_turn_closes_the_model_request() throws InterruptedException {
    Agent ada = team.agent("ada", provider);
    team.llm.next(new ScriptedAnswer.NoAnswer());
    team.ask("ada", "hello?");
    Thread thinking = Thread.ofVirtual().start(() -> team.turns.run(ada.id()));
    team.llm.awaitRequests(1);

    team.engine.cancellation().cancel(new Principal.OperatorPrincipal(), team.lastRun(ada));

    assertThat(thinking.join(Duration.ofMinutes(2))).isTrue();
    assertThat(team.lastRun(ada).status()).isEqualTo("cancelled");
    assertThat(team.answer("ada", "and now?")).startsWith("FINAL");
  }
}
