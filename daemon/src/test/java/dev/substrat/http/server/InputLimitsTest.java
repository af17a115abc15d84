package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The error for invalid input is small and names the problem, however large the input is.
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class InputLimitsTest {
  private static final int LARGEST_ANSWER = 32 * 1024;

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);

  @AfterAll
  void stop() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  void twenty_problems_are_listed_and_the_rest_is_counted() {
    Answer answer = daemon.post("/api/agents", "{\"name\":\"a\"," + unknownKeys(50_000) + "}");

    requireSmall(answer, 400, "INVALID_ARGUMENTS");
    assertThat(answer.body().path("details")).hasSize(20);
    assertThat(answer.text("message"))
        .contains("/k0 is not a known key", "and 16 more in details", "and 49,980 more that");
  }

  @Test
  void up_to_twenty_problems_are_all_listed() {
    Answer answer = daemon.post("/api/agents", "{\"name\":\"a\"," + unknownKeys(20) + "}");

    requireSmall(answer, 400, "INVALID_ARGUMENTS");
    assertThat(answer.body().path("details")).hasSize(20);
    assertThat(answer.text("message")).contains("and 16 more").doesNotContain("details");
  }

  @Test
  void long_keys_and_values_are_cut() {
    Answer key = daemon.post("/api/agents", "{\"name\":\"a\",\"" + "k".repeat(900) + "\":1}");
    requireSmall(key, 400, "INVALID_ARGUMENTS");
    assertThat(key.body().at("/details/0/pointer").asText())
        .hasSizeLessThan(350)
        .endsWith("k… (601 more characters)");

    Answer value =
        daemon.post(
            "/api/agents", "{\"name\":\"a\",\"role\":\"" + "worker".repeat(500_000) + "\"}");
    requireSmall(value, 422, "INVALID_CONFIG");
  }

  @Test
  void tool_argument_errors_have_the_same_format() {
    daemon.post("/api/agents", "{\"name\":\"tess\",\"provider\":{\"name\":\"external\"}}");
    String token = daemon.post("/api/agents/tess/tokens", "{}").text("token");
    try (TestClient tess = daemon.as(token)) {
      Answer answer =
          tess.post(
              "/mcp",
              """
              {"jsonrpc":"2.0","id":1,"method":"tools/call",\
              "params":{"name":"send_message","arguments":{%s}}}\
              """
                  .formatted(unknownKeys(50_000)));

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body().toString())
          .hasSizeLessThan(2 * LARGEST_ANSWER)
          .contains("INVALID_ARGUMENTS", "more that are not listed");
    }
  }

  @Test
  void an_error_about_an_unreadable_mcp_message_quotes_only_a_part() {
    daemon.post("/api/agents", "{\"name\":\"theo\",\"provider\":{\"name\":\"external\"}}");
    String token = daemon.post("/api/agents/theo/tokens", "{}").text("token");
    try (TestClient theo = daemon.as(token)) {
      String words = "x".repeat(1_000_000);
      for (String message :
          new String[] {
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\"}".formatted(words),
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"%s\"}}"
                .formatted(words),
          }) {
        assertThat(theo.post("/mcp", message).body().toString())
            .contains("error")
            .hasSizeLessThan(LARGEST_ANSWER);
      }
    }
  }

  @Test
  void a_snapshot_is_checked_up_to_twenty_mistakes() {
    daemon.post("/api/agents", "{\"name\":\"sam\"}");
    String passages =
        Collections.nCopies(1_000, "{\"content\":\"x\",\"createdAt\":\"yesterday\"}").stream()
            .collect(Collectors.joining(","));

    Answer answer =
        daemon.post("/api/agents/sam/restore", "{\"memory\":{\"passages\":[" + passages + "]}}");

    requireSmall(answer, 400, "INVALID_ARGUMENTS");
    assertThat(answer.body().path("details")).hasSize(20);
    assertThat(answer.text("message")).contains("further entries were not checked");
  }

  @Test
  void a_body_with_too_many_values_is_rejected() {
    requireSmall(
        daemon.post("/api/agents", "{\"name\":\"a\"," + unknownKeys(200_000) + "}"),
        413,
        "TOO_LARGE");
    requireSmall(daemon.post("/api/agents", "[" + "0,".repeat(1_000_000) + "0]"), 413, "TOO_LARGE");
  }

  @Test
  void exceeded_json_limits_have_clear_errors() {
    assertThat(problem("[".repeat(300) + "]".repeat(300))).contains("deeper than 200 levels");
    assertThat(problem("{\"" + "k".repeat(2_000) + "\":1}")).contains("1,000 characters");
    assertThat(problem("{\"name\":" + "9".repeat(2_000) + "}")).contains("1,000 digits");
  }

  private String problem(String body) {
    Answer answer = daemon.post("/api/agents", body);
    requireSmall(answer, 400, "MALFORMED_REQUEST");
    return answer.text("message");
  }

  @Test
  void a_form_has_a_limited_number_of_fields() {
    Answer answer =
        daemon
            .client()
            .send(
                "POST",
                "/agents/new",
                "a=1&".repeat(3_000),
                "Content-Type",
                "application/x-www-form-urlencoded",
                "Origin",
                daemon.url());
    requireSmall(answer, 413, "TOO_LARGE");
  }

  @ParameterizedTest
  @ValueSource(ints = {380_000, 2_000})
  void a_login_body_is_limited(int keys) {
    try (TestClient stranger = daemon.as("")) {
      requireSmall(stranger.post("/login", "{" + unknownKeys(keys) + "}"), 413, "TOO_LARGE");
    }
  }

  @Test
  void a_chunked_login_body_is_limited() {
    try (var client = new RawClient(daemon.url())) {
      client.send(
          "POST /login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "3000\r\n"
              + "x".repeat(0x3000));
      assertThat(client.until("}")).contains(" 413 ", "larger than 8 KiB");
    }
  }

  @Test
  void large_valid_input_is_accepted() {
    daemon.post("/api/agents", "{\"name\":\"lara\"}");
    assertThat(
            daemon
                .post("/api/agents/lara/messages", "{\"text\":\"" + "x".repeat(2_000_000) + "\"}")
                .status())
        .isEqualTo(201);
    String passages =
        IntStream.range(0, 500)
            .mapToObj(i ->
                "{\"content\":\"%d %s\",\"tags\":[\"a\",\"b\"]}".formatted(i, "words ".repeat(150)))
            .collect(Collectors.joining(","));
    assertThat(
            daemon
                .post("/api/agents/lara/restore", "{\"memory\":{\"passages\":[" + passages + "]}}")
                .status())
        .isEqualTo(200);
  }

  private static String unknownKeys(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"k" + i + "\":0")
        .collect(Collectors.joining(","));
  }

  private static void requireSmall(Answer answer, int status, String code) {
    Problems.require(answer, status, code);
    JsonNode body = answer.body();
    assertThat(body.toString()).hasSizeLessThan(LARGEST_ANSWER);
  }
}
