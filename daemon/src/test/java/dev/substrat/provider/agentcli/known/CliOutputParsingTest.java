package dev.substrat.provider.agentcli.known;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.agentcli.AgentCli;
import dev.substrat.provider.agentcli.CliOutputParser;
import dev.substrat.provider.agentcli.CliTurnParameters;
import dev.substrat.provider.agentcli.ErrorAnswerDetector;
import dev.substrat.provider.agentcli.ToolEndpoint;
import dev.substrat.provider.agentcli.custom.CustomCliConfig;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.transcript.ModelUsage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Parsing of the output of each CLI. The lines were recorded from the real CLIs with a scripted
/// model and shortened; those of Cursor come from its documentation and published recordings,
/// because it runs only with its own service.
final class CliOutputParsingTest {
  private static final ModelUsage TWO_REQUESTS = new ModelUsage(200, 20, 0);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "claude",
        "codex",
        "copilot",
        "cursor-agent",
        "gemini-cli",
        "goose",
        "opencode",
        "qwen"
      })
  @Requirement({"S0-33", "S1-1", "S1-21"})
  void a_tool_call_and_an_answer_are_parsed(String cli) throws IOException {
    List<ProviderEvent> heard = hear(cli, "answer");

    assertThat(heard).hasAtLeastOneElementOfType(ProviderEvent.SessionStarted.class);
    assertThat(heard)
        .filteredOn(ProviderEvent.ToolStarted.class::isInstance)
        .singleElement()
        .satisfies(event -> {
          var call = (ProviderEvent.ToolStarted) event;
          assertThat(call.tool()).endsWith("send_message");
          assertThat(call.input().path("recipient").asText()).isEqualTo("bob");
        });
    assertThat(heard)
        .filteredOn(ProviderEvent.ToolFinished.class::isInstance)
        .singleElement()
        .satisfies(event -> {
          var call = (ProviderEvent.ToolFinished) event;
          assertThat(call.tool()).endsWith("send_message");
          assertThat(call.ok()).isTrue();
          assertThat(call.output()).contains("\"status\":\"sent\"");
        });
    assertThat(heard.getLast())
        .isInstanceOfSatisfying(
            ProviderEvent.TurnEnded.class,
            end -> {
              assertThat(end.ok()).isTrue();
              assertThat(end.text()).startsWith("FINAL userTurns=1 lastTool=");
              assertThat(heard).contains(new ProviderEvent.CompleteText(end.text()));
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"claude", "codex", "cursor-agent", "gemini-cli", "goose", "opencode", "qwen"})
  void usage_is_parsed(String cli) throws IOException {
    assertThat(hear(cli, "answer"))
        .filteredOn(ProviderEvent.UsageTotal.class::isInstance)
        .extracting(event -> ((ProviderEvent.UsageTotal) event).usage())
        .extracting(used -> new ModelUsage(used.inputTokens(), used.outputTokens(), 0))
        .containsExactly(TWO_REQUESTS);
  }

  /// The model rejects the key: whatever the exit code is, the turn has failed.
  @ParameterizedTest
  @ValueSource(strings = {"claude", "codex", "copilot", "gemini-cli", "goose", "opencode", "qwen"})
  void a_rejected_model_request_is_a_failed_turn(String cli) throws IOException {
    assertThat(hear(cli, "refused").getLast())
        .isInstanceOfSatisfying(
            ProviderEvent.TurnEnded.class,
            end -> {
              assertThat(end.ok()).isFalse();
              assertThat(end.text()).contains("401");
            });
  }

  /// Goose prints these like any answer; the texts are its own, one for each kind of model error.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "busy   | Ran into this error: Rate limit exceeded: refused with 429.",
        "broken | Ran into this error: Server error: Server error (500 Internal Server Error)",
        "away   | Network error: Could not connect to 127.0.0.1:18999"
      })
  void an_error_text_of_the_cli_is_not_an_answer(String what, String words) throws IOException {
    assertThat(hear("goose", what).getLast())
        .isInstanceOfSatisfying(
            ProviderEvent.TurnEnded.class,
            end -> {
              assertThat(end.ok()).isFalse();
              assertThat(end.text()).startsWith(words).doesNotContain("Please");
            });
  }

  @Test
  void an_answer_that_quotes_an_error_is_an_answer() {
    assertThat(ErrorAnswerDetector.in("Ran into this error: I fixed it.")).isEmpty();
    assertThat(
            ErrorAnswerDetector.in(
                "I saw: Ran into this error: x\n\nPlease retry if you think this is a transient or recoverable error."))
        .isEmpty();
  }

  @Test
  void an_unknown_format_is_rejected_with_the_known_ones() {
    assertThatThrownBy(() -> CustomCliConfig.parse(Json.own("{\"format\":\"xml\"}")))
        .hasMessageContaining(
            "/provider/cli/format must be one of: claude-stream-json, codex-json, goose-json, text");
  }

  @Test
  void an_unknown_model_is_not_mistaken_for_a_lost_conversation() {
    var openCode = new OpenCode();
    assertThat(openCode.isUnknownSession("ProviderModelNotFoundError: fake-9")).isFalse();
    assertThat(openCode.isUnknownSession("{\"name\":\"NotFoundError\"}")).isTrue();
  }

  private static List<ProviderEvent> hear(String name, String what) throws IOException {
    AgentCli cli =
        KnownClis.all().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
    CliOutputParser hearing = cli.outputParser(assignment());
    var heard = new ArrayList<ProviderEvent>();
    String file = "/agentcli/" + name + "." + what + ".jsonl";
    try (var in = CliOutputParsingTest.class.getResourceAsStream(file)) {
      byte[] lines = Objects.requireNonNull(in, file).readAllBytes();
      new String(lines, StandardCharsets.UTF_8)
          .lines()
          .forEach(line -> heard.addAll(hearing.parse(line)));
    }
    heard.addAll(hearing.end());
    return heard;
  }

  static CliTurnParameters assignment() {
    return new CliTurnParameters(
        List.of("agent"),
        List.of(),
        Path.of("/home/ada"),
        Path.of("/home/ada/work"),
        false,
        "m1",
        null,
        null,
        new Prompt("You are ada.", "greet bob"),
        null,
        "5ca01202-c4b5-4e5d-ae71-9d5fdc6e2f73",
        new ToolEndpoint.HttpEndpoint("http://127.0.0.1:7420/mcp", "substrat_token"));
  }
}
