package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.store.DatabaseText;
import dev.substrat.store.Dialect;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Middleware around tool calls, in the configured order.
final class MiddlewareTest {
  private final CustomToolTeam team = new CustomToolTeam(Dialect.SQLITE);

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private Agent with(String middleware) {
    return team.external(
        """
        - name: look
          description: Looks.
          executionType: internal
          inputSchema: { type: object, properties: { n: { type: integer } }, required: [n] }
          execution: { url: SERVICE/x, queryParams: { n: "{{input.n}}" } }
          middleware: %s
        """
            .formatted(middleware));
  }

  @Test
  @Requirement("S3-4")
  void arguments_are_repaired_only_if_configured() {
    Agent ada = with("[repair]");
    assertThat(team.call(ada, "look", "{'n': '3'}").path("ok").asBoolean()).isTrue();
    assertThat(team.service.last().uri()).isEqualTo("/x?n=3");
    Agent ben =
        team.agent(
            """
            name: ben
            provider: { name: external }
            tools: [ { name: look, description: Looks., executionType: internal,
              inputSchema: { type: object, properties: { n: { type: integer } } },
              execution: { url: SERVICE/x } } ]
            """);
    assertThat(team.call(ben, "look", "{'n': '3'}").path("code").asText())
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.call(ada, "set_goals", "{'goals': '[]'}").path("code").asText())
        .as("built-in tools are strict")
        .isEqualTo("INVALID_ARGUMENTS");
  }

  @Test
  @Requirement("S3-4")
  void a_cache_answers_until_its_expiry_and_stores_no_failures() {
    Agent ada = with("[{ cache: { ttlSeconds: 10 } }]");
    team.service.answers("/x", 500, "", "no");
    team.call(ada, "look", "{'n': 1}");
    team.service.answers("/x", 200, "application/json", "{\"v\":1}");
    assertThat(team.call(ada, "look", "{'n': 1}").path("v").asInt()).isEqualTo(1);
    team.service.answers("/x", 200, "application/json", "{\"v\":2}");
    assertThat(team.call(ada, "look", "{'n': 1}").path("v").asInt()).isEqualTo(1);
    assertThat(team.call(ada, "look", "{'n': 2}").path("v").asInt()).isEqualTo(2);
    team.clock.pass(Duration.ofSeconds(11));
    assertThat(team.call(ada, "look", "{'n': 1}").path("v").asInt()).isEqualTo(2);
  }

  @Test
  @Requirement("S3-4")
  void a_limit_counts_calls_that_pass_it_so_the_order_matters() {
    Agent inside = with("[cache, { limit: { perMinute: 1 } }]");
    for (int i = 0; i < 3; i++) {
      assertThat(team.call(inside, "look", "{'n': 1}").path("ok").asBoolean()).isTrue();
    }
    JsonNode refused = team.call(inside, "look", "{'n': 2}");
    assertThat(refused.path("code").asText()).isEqualTo("RATE_LIMITED");
    assertThat(refused.path("retryAfterMs").asLong()).isBetween(1L, 60_000L);
    assertThat(team.service.requests).hasSize(1);
  }

  @Test
  @Requirement("S3-4")
  void redacted_values_are_in_no_record_event_or_message() {
    Agent ada = with("[log, { redact: { keys: [token] } }]");
    team.service.answers(
        "/x", 200, "application/json", "{\"a\":[{\"token\":\"t-9876\"}],\"token\":{\"x\":1}}");
    assertThat(team.call(ada, "look", "{'n': 1}"))
        .isEqualTo(Json.own("{\"a\":[{\"token\":\"[redacted]\"}],\"token\":\"[redacted]\"}"));
    assertThat(DatabaseText.in(team.place, team.database)).doesNotContain("t-9876");
  }

  @Test
  @Requirement("S3-4")
  void progress_late_results_and_failures_are_redacted_too() {
    Agent ada =
        team.external(
            """
            - { name: lines, description: d, executionType: gateway, execution: { url: SERVICE/x },
                middleware: [{ redact: { keys: [token] } }] }
            - { name: ask, description: d, executionType: space, middleware: [{ redact: { keys: [token] } }], inputSchema:
                { type: object, properties: { token: { type: string } } } }
            - { name: job, description: d, executionType: external, middleware: [{ redact: { keys: [token] } }],
                execution: { url: SERVICE/job, callback: true } }
            """);
    team.space("lab", ada);
    team.call(ada, "enter_space", "{'spaceId': 'lab'}");
    String item = "{\"n\":1,\"token\":\"t-9876\"}\n";
    team.service.answers("/x", 200, "application/x-ndjson", item + item);
    var heard = new ArrayList<JsonNode>();
    assertThat(team.call(ada, "lines", "{}", "k", heard::add).path("n").asInt()).isEqualTo(1);
    assertThat(heard).hasSize(2).containsOnly(Json.own("{\"n\":1,\"token\":\"[redacted]\"}"));
    team.service.answers("/x", 500, "application/json", item);
    JsonNode failed = team.call(ada, "lines", "{}");
    assertThat(failed.path("status").asInt()).isEqualTo(500);
    assertThat(failed.has("excerpt")).isFalse();
    var answers = team.engine.customTools().answers();
    for (String tool : List.of("ask", "job")) {
      String id = team.call(ada, tool, "{}").path("pendingToolCallId").asText();
      assertThat(
              Objects.requireNonNull(
                  answers.complete(id, Json.own(item), new Principal.OperatorPrincipal()).result()))
          .isEqualTo(Json.own("{\"n\":1,\"token\":\"[redacted]\"}"));
    }
    assertThat(team.mail(ada)).hasSize(2);
    assertThat(DatabaseText.in(team.place, team.database)).doesNotContain("t-9876");
  }
}
