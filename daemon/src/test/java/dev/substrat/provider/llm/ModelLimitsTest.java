package dev.substrat.provider.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.store.Dialect;
import dev.substrat.team.Agent;
import dev.substrat.testkit.llm.ModelPrompt;
import dev.substrat.testkit.llm.ScriptedAnswer;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.tool.transcript.Transcript.TranscriptLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Model answers that are cut, filtered or exceed a limit, and prompts that exceed the context.
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"openai", "anthropic", "gemini", "ollama"})
final class ModelLimitsTest {
  private final ModelTeam team = new ModelTeam(Dialect.SQLITE);
  private final String provider;

  ModelLimitsTest(String provider) {
    this.provider = provider;
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_truncated_answer_is_requested_again_and_shorter() {
    Agent ada = team.agent("ada", provider);
    team.llm.next(
        ScriptedAnswer.text("It all began when").cutByLimit(), ScriptedAnswer.text("Because."));

    assertThat(team.answer("ada", "why?")).isEqualTo("Because.");

    assertThat(team.llm.requests().get(1).lastUserText()).contains("cut off at 8192 tokens");
    assertThat(team.record(team.lastRun(ada)))
        .filteredOn(line -> line.type().equals(Transcript.ASSISTANT))
        .extracting(TranscriptLine::content)
        .containsExactly("It all began when", "Because.");
  }

  @Test
  void a_truncated_answer_without_text_fails_the_turn() {
    Agent ada = team.agent("ada", provider);
    team.llm.follow(_ -> ScriptedAnswer.text("").thinking("Hm. ".repeat(50)).cutByLimit());

    assertThat(team.answer("ada", "why?")).isEmpty();

    assertThat(team.lastRun(ada).stopReason()).contains("3 times in a row", "maxOutputTokens");
    assertThat(team.llm.requests()).hasSize(3);
  }

  @Test
  void a_truncated_tool_call_is_not_executed() {
    Agent ada = team.agent("ada", provider);
    team.llm.next(
        ScriptedAnswer.call("list_children", "{}")
            .andCalls("set_goals", "{\"goals\": []}")
            .cutByLimit(),
        ScriptedAnswer.text("done"));

    assertThat(team.answer("ada", "go")).isEqualTo("done");

    List<ModelPrompt.PromptToolResult> results = team.llm.requests().get(1).newResults();
    assertThat(results.get(0).text()).contains("children");
    assertThat(results.get(1).text()).contains("cut off", "Nothing was executed");
    assertThat(team.record(team.lastRun(ada)))
        .filteredOn(line -> line.type().equals(Transcript.CALL))
        .extracting(TranscriptLine::toolName)
        .containsExactly("list_children");
  }

  @Test
  void a_filtered_answer_fails_the_turn() {
    Agent ada = team.agent("ada", provider);
    team.llm.next(ScriptedAnswer.text("I was going to say").withheld());

    assertThat(team.answer("ada", "why?")).isEmpty();

    assertThat(team.lastRun(ada).stopReason()).contains("withheld its answer");
    assertThat(team.llm.requests()).hasSize(1);
  }

  @Test
  void a_tool_result_larger_than_the_context_is_cut(@TempDir Path room) throws IOException {
    Files.writeString(room.resolve("log.txt"), "tide ".repeat(10_000));
    team.agent(
        "ada",
        provider,
        "contextTokens: 16000",
        "toolsets: [workspace]\nworkspace: { path: '%s', sandbox: 'off' }".formatted(room));
    team.llm.next(
        ScriptedAnswer.call("read_file", "{\"path\": \"log.txt\"}"), ScriptedAnswer.text("I see"));

    assertThat(team.answer("ada", "look")).isEqualTo("I see");

    ModelPrompt second = team.llm.requests().get(1);
    assertThat(second.newResults().getFirst().text()).contains("tide tide", "more characters]");
    assertThat(second.raw().toString().length()).isLessThan(16_000 * 3);
  }

  @Test
  void the_number_of_offered_tools_is_limited_by_the_api() {
    var tools =
        new StringBuilder("toolsets: [team, spaces, channels, memory, goals, workspace]\ntools:\n");
    for (int i = 0; i < 100; i++) {
      tools
          .append("  - { name: tool_%d, description: one of many, ".formatted(i))
          .append("inputSchema: { type: object }, executionType: external }\n");
    }
    team.agent("ada", provider, "", tools.toString());

    team.answer("ada", "hello?");

    ModelPrompt asked = team.llm.requests().getFirst();
    assertThat(asked.tools()).hasSize(128);
    assertThat(asked.tool("send_message")).as("built-in tools come first").isPresent();
  }
}
