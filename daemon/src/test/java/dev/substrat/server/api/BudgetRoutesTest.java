package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// Budgets over HTTP, across a restart.
@OnEveryDatabase
@Requirement("N6")
final class BudgetRoutesTest {
  private final TestDatabase place;

  BudgetRoutesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
  }

  @Test
  void an_exhausted_budget_survives_a_restart_and_can_be_raised_over_http() throws IOException {
    String waiting;
    try (var daemon = TestDaemon.on(place)) {
      var made =
          daemon.post(
              "/api/agents",
              """
              {"name":"ada","limits":{"budgetUsd":0.05,"budgetTurns":100},"provider":
               {"name":"scripted","playbook":[{"do":[{"use":{"usd":0.03}},{"say":"aye"}]}]}}
              """);
      assertThat(made.status()).isEqualTo(201);
      answered(daemon, ask(daemon));
      waiting = ask(daemon);
      eventually(() -> daemon.get("/api/agents/ada").body().hasNonNull("stateReason"));
    }
    try (var daemon = TestDaemon.on(place)) {
      JsonNode ada = daemon.get("/api/agents/ada").body();
      assertThat(ada.path("stateReason").asText())
          .isEqualTo(
              "BUDGET_EXHAUSTED: ada has used 0.03 of 0.05 USD (limits.budgetUsd); the remaining amount is too small for the next step");
      assertThat(daemon.get("/api/messages/" + waiting).text("waits"))
          .isEqualTo(ada.path("stateReason").asText());
      assertThat(daemon.get("/api/agents").body().at("/agents/0/stateReason"))
          .isEqualTo(ada.path("stateReason"));
      assertThat(daemon.post("/api/agents/ada/messages", "{\"text\":\"hello\"}").text("waits"))
          .isEqualTo(ada.path("stateReason").asText());
      JsonNode usd = usd(ada);
      assertThat(usd.path("spent").asDouble()).isEqualTo(0.03);
      // A whole number stays one.
      assertThat(ada.path("budgets").toString()).contains("\"cap\":100,");
      assertThat(usd.path("left").asDouble()).isEqualTo(0.02);
      assertThat(usd.path("exhausted").asBoolean()).isTrue();
      assertThat(daemon.post("/api/agents/ada/budget", "{}").status()).isEqualTo(400);
      assertThat(daemon.post("/api/agents/ada/budget", "{\"usd\":-1}").status()).isEqualTo(422);

      var raised = daemon.post("/api/agents/ada/budget", "{\"usd\":0.12}");

      assertThat(usd(raised.body()).path("exhausted").asBoolean()).isFalse();
      answered(daemon, waiting);
      assertThat(daemon.get("/api/agents/ada").body().path("stateReason").isNull()).isTrue();
      // The other message has a turn of its own.
      eventually(
          () -> usd(daemon.get("/api/agents/ada/budget").body()).path("spent").asDouble() == 0.09);
    }
    place.close();
  }

  private static JsonNode usd(JsonNode body) {
    return body.path("budgets")
        .valueStream()
        .filter(budget -> budget.path("kind").asText().equals("usd"))
        .findFirst()
        .orElseThrow();
  }

  private static String ask(TestDaemon daemon) {
    return daemon
        .post("/api/agents/ada/messages", "{\"text\":\"ready?\",\"sync\":true}")
        .text("message_id");
  }

  private static void answered(TestDaemon daemon, String message) {
    eventually(() -> daemon.get("/api/messages/" + message).text("status").equals("replied"));
  }

  /// Each poll is a request, which takes long enough not to spin.
  private static void eventually(Supplier<Boolean> condition) {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!condition.get()) {
      assertThat(System.nanoTime()).isLessThan(end);
    }
  }
}
