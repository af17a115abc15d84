package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestClient.Answer;

/// Assertions on error responses.
public final class Problems {
  private Problems() {}

  public static void require(Answer answer, int status, String code) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(status);
    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
    assertThat(answer.body().path("error").isBoolean()).as("%s", answer).isTrue();
    assertThat(answer.body().path("error").asBoolean()).isTrue();
    assertThat(answer.text("code")).isEqualTo(code);
    assertThat(answer.text("message")).isNotBlank();
    assertThat(answer.text("hint")).isNotBlank();
    requireNoInsides(answer.body().toString());
  }

  /// An error contains no class names or stack traces.
  public static void requireNoInsides(String text) {
    assertThat(text).doesNotContain("Exception", "dev.substrat", "\tat ", "io.helidon", "jackson");
  }
}
