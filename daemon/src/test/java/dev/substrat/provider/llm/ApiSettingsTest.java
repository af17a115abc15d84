package dev.substrat.provider.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderProbe;
import dev.substrat.store.Dialect;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import dev.substrat.testkit.llm.ScriptedAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Settings of model providers, and where API keys may be sent.
final class ApiSettingsTest {
  private final ModelTeam team = new ModelTeam(Dialect.SQLITE);

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private Provider provider(String name) {
    return team.engine.providers().require(name);
  }

  private ProviderConfig prepare(String yaml) {
    ProviderConfig agentProvider = Json.as(Yaml.own(yaml), ProviderConfig.class);
    return provider(agentProvider.name()).prepare(agentProvider);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ name: openai } | /provider/model",
        "{ name: openai, model: m, playbook: [] } | /provider/playbook",
        "{ name: anthropic, model: m, command: [x], args: [y] } | /provider/command, /provider/args",
        "{ name: gemini, model: m, apiKey: sk-literal } | /provider/apiKey",
        "{ name: gemini, model: m, apiKey: '${env.HOME}' } | --allow-env HOME",
        "{ name: ollama, model: m, baseUrl: 'file:///etc/passwd' } | /provider/baseUrl",
        "{ name: ollama, model: m, baseUrl: 'http://me:you@x/' } | /provider/baseUrl",
        "{ name: openai, model: m, temperature: 3.5 } | /provider/temperature",
        "{ name: openai, model: m, maxOutputTokens: 0 } | /provider/maxOutputTokens",
        "{ name: openai, model: m, contextTokens: 10 } | /provider/contextTokens",
        "{ name: openai, model: m, price: { input: -1 } } | /provider/price",
      })
  void invalid_settings_are_rejected_with_a_hint(String yaml, String words) {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> prepare(yaml))
        .satisfies(fault -> {
          assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
          assertThat(fault.message() + " " + fault.hint())
              .contains(words)
              .doesNotContain("sk-literal");
          assertThat(fault.hint()).isNotBlank();
        });
  }

  @Test
  void valid_settings_are_stored_unchanged() {
    ProviderConfig agentProvider =
        prepare("{ name: openai, model: m, temperature: 0.5, apiKey: '${env.KEY}' }");
    assertThat(agentProvider.apiKey()).isEqualTo("${env.KEY}");
    assertThat(agentProvider.temperature()).isEqualTo(0.5);
  }

  @Test
  void a_probe_reports_a_missing_key() {
    assertThat(provider("openai").probe().state()).isEqualTo(ProviderProbe.ProviderState.READY);
    ProviderProbe missing = provider("anthropic").probe();
    assertThat(missing.state()).isEqualTo(ProviderProbe.ProviderState.NEEDS_LOGIN);
    assertThat(missing.hint()).contains("ANTHROPIC_API_KEY");
  }

  @Test
  void the_default_key_is_sent_only_to_the_vendors_url() {
    var config =
        "name: ada\nprovider: { name: openai, model: fake-1, baseUrl: '%s' }"
            .formatted(team.llm.openAiUrl());
    Agent ada =
        team.engine
            .agents()
            .create(team.engine.providers().prepare(Json.as(Yaml.own(config), AgentConfig.class)));

    assertThat(team.answer("ada", "hello")).startsWith("FINAL");

    assertThat(team.llm.requests().getFirst().key()).isEmpty();
    assertThat(ada.config().provider()).isNotNull();
  }

  @Test
  void an_api_key_is_only_sent_to_the_api() throws IOException {
    Agent ada = team.agent("ada", "anthropic");
    team.llm.next(
        new ScriptedAnswer.ErrorAnswer(400, "bad " + ModelTeam.KEY, null),
        ScriptedAnswer.text("fine"));
    team.answer("ada", "one");
    team.answer("ada", "two");

    assertThat(team.llm.requests()).extracting(asked -> asked.key()).containsOnly(ModelTeam.KEY);
    assertThat(kept()).contains("${env.KEY}").doesNotContain(ModelTeam.KEY);
    assertThat(Json.text(ada.config())).contains("${env.KEY}").doesNotContain(ModelTeam.KEY);
  }

  /// Everything the database has on disk.
  private String kept() throws IOException {
    var all = new StringBuilder();
    try (var files = Files.list(team.place.directory())) {
      for (Path file : files.toList()) {
        all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return all.toString();
  }
}
