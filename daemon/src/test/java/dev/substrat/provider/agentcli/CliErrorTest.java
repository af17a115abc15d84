package dev.substrat.provider.agentcli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.StorableText;
import dev.substrat.provider.Provider.TurnOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Classification of the error output of a CLI.
final class CliErrorTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unexpected status 401 Unauthorized: refused",
        "authentication Ran into this error: Authentication error: Authentication failed",
        "[API Error: {\"error\":{\"code\":401,\"status\":\"UNAUTHENTICATED\"}}]",
        "[API Error: 401 refused]",
        "Authentication failed with provider at http://127.0.0.1/v1 (HTTP 401).",
        "{\"name\":\"APIError\",\"data\":{\"message\":\"refused\",\"statusCode\":401}}",
        "Invalid API key · Please run /login",
        "Error 401: invalid api key"
      })
  void a_failed_authentication_is_not_retried(String words) {
    assertThat(CliError.outcome("cli", words, false))
        .isInstanceOf(TurnOutcome.UnrecoverableFailure.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unexpected status 404 Not Found: The model `gpt-9` does not exist, url: http://127.0.0.1/v1",
        "Ran into this error: Resource not found (404) at http://127.0.0.1/v1/chat: no such model",
        "goose exited with code 1 without a result; stderr: Error: No model configured. Run 'goose configure' first",
        "{\"error\":{\"code\":\"model_not_found\"}}",
        "ProviderModelNotFoundError: openai/gpt-9",
        "There's an issue with the selected model (opus-9). It may not exist or you may not have access to it."
      })
  void an_unknown_model_is_not_retried(String words) {
    assertThat(CliError.outcome("cli", words, false))
        .isInstanceOfSatisfying(
            TurnOutcome.UnrecoverableFailure.class,
            hopeless -> assertThat(hopeless.reason()).contains("/provider/model"));
  }

  /// PostgreSQL keeps no zero.
  @Test
  void the_reason_has_no_characters_that_databases_cannot_store() {
    var outcome =
        (TurnOutcome.UnrecoverableFailure) CliError.outcome("cli", "Error 401: \0refused", false);
    assertThat(outcome.reason())
        .isEqualTo(StorableText.sanitize(outcome.reason()))
        .doesNotContain("\0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "API Error: 529 overloaded",
        "HTTP 429: Too Many Requests",
        "exceeded retry limit, last status: 429 Too Many Requests",
        "Rate limit exceeded, try again later",
        "You exceeded your current quota",
        "{\"type\":\"overloaded_error\"}"
      })
  void an_overloaded_provider_postpones_the_turn(String words) {
    assertThat(CliError.outcome("cli", words, false)).isInstanceOf(TurnOutcome.TurnPostponed.class);
    assertThat(CliError.outcome("cli", words, true))
        .as("a turn that has cost something counts")
        .isInstanceOf(TurnOutcome.TurnFailed.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cannot parse src/authentication.ts",
        "SyntaxError at line 401",
        "429 files were read",
        "404 files were read, and a module was not found",
        "the data model is not there yet",
        "write failed: disk quota exceeded",
        "the capacity of the list is 16",
        "unauthorized.test.js failed",
        "no overload matches this call"
      })
  void other_errors_are_retried(String words) {
    assertThat(CliError.outcome("cli", words, false)).isInstanceOf(TurnOutcome.TurnFailed.class);
  }
}
