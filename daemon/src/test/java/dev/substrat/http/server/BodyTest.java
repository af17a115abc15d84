package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Validation of request bodies and queries, and its error messages.
@OnOneDatabase
final class BodyTest {
  private static final String AGENTS = "/api/agents";

  private final TestDaemon daemon;

  BodyTest(TestDatabase place) {
    this.daemon = TestDaemon.on(place);
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"name": "ada",}            | line 1, column
          {"name": "ada"              | line 1, column
          {"name": ada}               | line 1, column
          {'name': 'ada'}             | line 1, column
          {"name": "ada"} {}          | trailing
          {"name": "ada"} tail        | Unrecognized token
          {"name": "a", "name": "b"}  | Duplicate
          """)
  void the_error_of_malformed_json_has_its_position(String body, String place) {
    Answer answer = daemon.post(AGENTS, body);

    Problems.require(answer, 400, "MALFORMED_REQUEST");
    assertThat(answer.text("message")).containsIgnoringCase(place);
  }

  @Test
  void the_position_of_malformed_json_includes_the_line() {
    Answer answer = daemon.post(AGENTS, "{\n  \"name\": \"ada\",\n  \"role\" \"worker\"\n}");

    Problems.require(answer, 400, "MALFORMED_REQUEST");
    assertThat(answer.text("message")).contains("line 3, column 10");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"name": "ada", "colour": "red"}                            | colour
          {"name": 7}                                                 | /name
          {"name": null}                                              | /name
          {"name": "ada", "toolsets": "team"}                         | /toolsets
          {"name": "ada", "toolsets": ["team", 3]}                    | /toolsets/1
          {"name": "ada", "provider": {"name": "scripted", "x": 1}}   | /provider
          {"name": "ada", "provider": []}                             | /provider
          {}                                                          | name
          []                                                          | the value
          "ada"                                                       | the value
          null                                                        | the value
          """)
  void a_schema_violation_names_its_pointer(String body, String place) {
    Answer answer = daemon.post(AGENTS, body);

    Problems.require(answer, 400, "INVALID_ARGUMENTS");
    assertThat(answer.text("message")).contains(place);
    assertThat(answer.body().path("details")).isNotEmpty();
    assertThat(answer.body().path("details")).allMatch(detail -> detail.has("pointer"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":"})
  void deeply_nested_json_is_rejected(String level) {
    Answer answer = daemon.post(AGENTS, level.repeat(100_000));

    Problems.require(answer, 400, "MALFORMED_REQUEST");
    assertThat(daemon.get(AGENTS).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\n"})
  void an_empty_body_is_refused(String body) {
    Problems.require(daemon.post(AGENTS, body), 400, "MALFORMED_REQUEST");
  }

  @Test
  void invalid_utf8_in_a_body_is_rejected() {
    var utf32 = new byte[] {0, 0, 0, '{', 0x7f, 0x7f, 0x7f, 0x7f, 0, 0, 0, '}'};
    Problems.require(daemon.client().send("POST", AGENTS, utf32), 400, "MALFORMED_REQUEST");
    var latin = "{\"name\": \"J\u00fcrgen\"}".getBytes(StandardCharsets.ISO_8859_1);
    Problems.require(daemon.client().send("POST", AGENTS, latin), 400, "MALFORMED_REQUEST");
  }

  /// PostgreSQL cannot store them, and both databases must reject the same input.
  @ParameterizedTest
  @ValueSource(strings = {"\\u0000", "a\\u0000b", "\\ud83d", "\\ude00\\ud83d"})
  void characters_that_databases_cannot_store_are_rejected(String text) {
    Answer answer = daemon.post(messagesOf("ada"), "{\"text\": \"" + text + "\"}");

    Problems.require(answer, 400, "INVALID_ARGUMENTS");
    assertThat(answer.text("message")).contains("/text");
    assertThat(daemon.post(AGENTS, "{\"name\": \"b\", \"" + text + "\": 1}").status())
        .isEqualTo(400);
  }

  @Test
  void every_other_character_is_stored_unchanged() {
    String text = "\u0001 \t\n \u00fc \u4e2d \ud83d\ude00 \u2028 \ufeff \uffff' \" \\ %00 ; --";
    Answer sent = daemon.post(messagesOf("ada"), Json.text(Map.of("text", text)));

    assertThat(sent.status()).isEqualTo(201);
    assertThat(daemon.get("/api/messages/" + sent.text("message_id")).text("text")).isEqualTo(text);
  }

  private String messagesOf(String name) {
    return "/api/agents/" + daemon.createAgent(name, "[]").path("id").asText() + "/messages";
  }

  @Test
  void a_nul_character_in_a_url_is_not_found_or_invalid() {
    Problems.require(daemon.get("/api/agents/%00"), 404, "NOT_FOUND");
    Problems.require(daemon.get("/api/inbox?after=%00"), 400, "INVALID_ARGUMENTS");
    Problems.require(daemon.get("/api/runs?agent=a%00"), 400, "INVALID_ARGUMENTS");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "1.5", "9999999999999999999", ""})
  void an_invalid_number_in_the_query_is_rejected(String number) {
    Problems.require(daemon.get("/api/inbox?limit=" + number), 400, "INVALID_ARGUMENTS");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1000000"})
  void a_limit_out_of_range_is_clamped(String number) {
    assertThat(daemon.get("/api/inbox?limit=" + number).status()).isEqualTo(200);
  }
}
