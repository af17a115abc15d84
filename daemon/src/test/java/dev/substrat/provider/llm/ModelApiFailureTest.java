package dev.substrat.provider.llm;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.substrat.messaging.message.Message;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.store.Dialect;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.llm.ModelPrompt;
import dev.substrat.testkit.llm.ScriptedAnswer;
import dev.substrat.tool.transcript.RunSteps;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Behaviour of every model provider when its API rejects requests, fails or is unreachable.
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"openai", "anthropic", "gemini", "ollama"})
final class ModelApiFailureTest {
  private final ModelTeam team = new ModelTeam(Dialect.SQLITE);
  private final String provider;

  ModelApiFailureTest(String provider) {
    this.provider = provider;
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void an_invalid_key_fails_the_turn_without_retry_and_with_a_hint() {
    Agent ada = team.agent("ada", provider);
    team.llm.next(new ScriptedAnswer.ErrorAnswer(401, "wrong key: " + ModelTeam.KEY, null));

    Message question = team.ask("ada", "hello?");
    team.runAll();

    assertThat(team.engine.messages().require(question.id()).status())
        .isEqualTo(Message.MessageStatus.DEAD);
    assertThat(team.lastRun(ada).stopReason())
        .contains(provider, "401", "check the API key", "[redacted]")
        .doesNotContain(ModelTeam.KEY);
    assertThat(team.llm.requests()).hasSize(1);
    assertThat(team.pauses).isEmpty();
  }

  @Test
  void an_html_response_is_not_retried() throws IOException {
    var asked = new AtomicInteger();
    var site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    site.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
          exchange.sendResponseHeaders(200, 0);
          exchange.close();
        });
    site.start();
    String url = "http://127.0.0.1:" + site.getAddress().getPort();
    AgentConfig config =
        Json.as(
            Yaml.own(
                "{name: ada, provider: {name: %s, model: m, baseUrl: '%s'}}"
                    .formatted(provider, url)),
            AgentConfig.class);
    try {
      Agent ada = team.engine.agents().create(team.engine.providers().prepare(config));
      team.ask("ada", "hello?");
      team.runAll();
      assertThat(team.lastRun(ada).stopReason()).contains(url, "text/html", "/provider/baseUrl");
      assertThat(asked).hasValue(1);
    } finally {
      site.stop(0);
    }
  }

  @Test
  void retry_after_is_respected() {
    team.agent("ada", provider);
    team.llm.next(ScriptedAnswer.refused(429, "7"), ScriptedAnswer.text("now"));

    assertThat(team.answer("ada", "hello?")).isEqualTo("now");

    assertThat(team.pauses).containsExactly(Duration.ofSeconds(7));
  }

  @Test
  void a_retry_time_beyond_the_turn_limit_ends_the_turn() {
    Agent ada = team.agent("ada", provider);
    team.llm.next(ScriptedAnswer.refused(429, "86400"));

    team.ask("ada", "hello?");
    team.turns.run(ada.id());

    assertThat(team.lastRun(ada).status()).isEqualTo("failed");
    assertThat(team.pauses).isEmpty();
  }

  @Test
  void transient_errors_are_retried_and_partial_text_is_discarded() {
    Agent ada = team.agent("ada", provider);
    team.llm.next(
        ScriptedAnswer.refused(500),
        ScriptedAnswer.text("This answer will never come to its end, whatever happens.")
            .cutAfter(3),
        new ScriptedAnswer.MalformedAnswer(),
        ScriptedAnswer.text("whole"));

    assertThat(team.answer("ada", "hello?")).isEqualTo("whole");

    assertThat(team.llm.requests()).hasSize(4);
    assertThat(team.pauses).hasSize(3).isSorted();
    assertThat(team.engine.runs().newest(ada.id(), 10)).hasSize(1);
    var last = team.told("run.text", 1).getLast().payload();
    assertThat(last.path("from").asInt()).isZero();
    assertThat(last.path("text").asText()).isEqualTo("whole");
  }

  @Test
  void the_fallback_model_continues_when_the_first_fails() {
    Agent ada = team.agent("ada", provider, "fallbackModel: fake-2", "");
    team.llm.follow(asked ->
        asked.model().equals("fake-1")
            ? ScriptedAnswer.refused(503)
            : ScriptedAnswer.text("I stand in"));

    assertThat(team.answer("ada", "hello?")).isEqualTo("I stand in");

    assertThat(team.engine.steps().of(new RunId(team.lastRun(ada).id())))
        .extracting(RunSteps.RunStep::model)
        .containsExactly("fake-2");
  }

  @Test
  void a_turn_that_failed_with_an_unreachable_api_is_retried_without_its_failed_request() {
    Agent ada = team.agent("ada", provider);
    team.llm.follow(_ -> ScriptedAnswer.refused(500));
    team.ask("ada", "hello?");
    team.turns.run(ada.id());
    assertThat(team.lastRun(ada).status()).isEqualTo("failed");
    team.llm.follow(_ -> ScriptedAnswer.text("back again"));
    team.clock.pass(Duration.ofSeconds(5));
    team.runAll();

    assertThat(team.lastRun(ada).response()).isEqualTo("back again");
    assertThat(team.answer("ada", "and?")).isEqualTo("back again");
    ModelPrompt last = team.llm.requests().getLast();
    assertThat(last.userTurns()).isEqualTo(2);
    assertThat(last.messages())
        .extracting(ModelPrompt.PromptMessage::role)
        .containsExactly(
            ModelPrompt.MessageRole.USER,
            ModelPrompt.MessageRole.ASSISTANT,
            ModelPrompt.MessageRole.USER);
  }

  @Test
  void a_rejected_request_uses_no_budget() {
    Agent ada = team.agent("ada", provider, "", "limits: { budgetTokens: 100000 }");
    team.llm.next(
        ScriptedAnswer.refused(400), ScriptedAnswer.refused(400), ScriptedAnswer.refused(400));
    for (int i = 0; i < 3; i++) {
      team.answer("ada", "hello?");
    }

    assertThat(team.answer("ada", "and now?")).startsWith("FINAL");
    assertThat(team.llm.requests()).hasSize(4);
    assertThat(team.lastRun(ada).status()).isEqualTo("done");
  }
}
