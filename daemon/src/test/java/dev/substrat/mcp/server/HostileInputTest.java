package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.server.RawClient;
import dev.substrat.server.TestClient;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Malicious input: the right answer to each, and never a broken daemon.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
final class HostileInputTest {
  private static final String META =
      """
      "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
      "io.modelcontextprotocol/clientCapabilities":{}}\
      """;

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private McpTeam team;
  private TestClient ada;

  @BeforeAll
  void start() {
    team = new McpTeam(place);
    ada = team.client("ada");
  }

  @AfterAll
  void close() throws IOException {
    team.close();
    place.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "-32700 | {",
        "-32700 | {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} {}",
        "-32700 | {\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}",
        "-32700 | {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"name\":\"b\"}}",
        "-32700 | {'jsonrpc':'2.0'}",
        "-32700 | {\"jsonrpc\":\"2.0\",\"id\":NaN,\"method\":\"ping\"}",
        "-32600 | {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\\u0000\"}}",
        "-32600 | {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\\ud800\"}}",
        "-32700 | {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"\\udc00\":1}}",
        "-32600 | 7",
        "-32600 | null",
        "-32600 | \"initialize\"",
        "-32600 | {}",
        "-32600 | {\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}",
        "-32600 | {\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
        "-32600 | {\"jsonrpc\":\"2.0\",\"id\":1}",
        "-32600 | {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}",
        "-32600 | {\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
        "-32600 | {\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
        "-32600 | {\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"ping\"}",
        "-32600 | {\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}",
        "-32600 | {\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
        "-32600 | {\"jsonrpc\":\"2.0\",\"id\":1e400,\"method\":\"ping\"}",
        "-32602 | {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}",
        "-32602 | {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":null}",
      })
  void an_invalid_message_is_rejected_with_its_code(int code, String body) {
    var answer = ada.post("/mcp", body);

    assertThat(answer.status()).as(body).isEqualTo(400);
    assertThat(answer.body().at("/jsonrpc").asText()).isEqualTo("2.0");
    assertThat(answer.body().at("/error/code").asInt()).as(body).isEqualTo(code);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\uFEFF", "\0", "\u00FF\u00FE"})
  void invalid_utf8_is_rejected(String bytes) {
    var answer = ada.send("POST", "/mcp", bytes.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body().at("/error/code").asInt()).isEqualTo(-32700);
  }

  /// The parser rejects the first; the others must pass all later checks.
  @ParameterizedTest
  @ValueSource(ints = {100_000, 990, 900, 480, 100})
  void nested_arguments_of_any_depth_are_rejected_with_an_error(int depth) {
    String deep = "[".repeat(depth) + "]".repeat(depth);
    String arguments = "{\"recipient\":\"ben\",\"text\":\"x\",\"deep\":" + deep + "}";
    String call = "\"name\":\"send_message\",\"arguments\":" + arguments;

    assertIsRefusal(ada.post("/mcp", McpTeam.request("tools/call", "{" + call + "}")));
    assertIsRefusal(
        ada.post(
            "/mcp",
            McpTeam.request("tools/call", "{" + call + "," + META + "}"),
            "MCP-Protocol-Version",
            "2026-07-28",
            "Mcp-Method",
            "tools/call",
            "Mcp-Name",
            "send_message"));
  }

  private static void assertIsRefusal(TestClient.Answer answer) {
    assertThat(answer.status()).as("%s", answer.body()).isIn(200, 400);
    boolean isRefusal =
        answer.body().has("error") || answer.body().at("/result/isError").asBoolean();
    assertThat(isRefusal).as("%s", answer.body()).isTrue();
  }

  @Test
  void ten_megabytes_are_rejected_with_and_without_content_length() {
    String arguments = "{\"recipient\":\"ben\",\"text\":\"" + "x".repeat(10_000_000) + "\"}";
    String body =
        McpTeam.request(
            "tools/call", "{\"name\":\"send_message\",\"arguments\":" + arguments + "}");
    assertThat(ada.post("/mcp", body).status()).isEqualTo(413);

    try (var raw = new RawClient(team.daemon.url())) {
      raw.send(
          "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
              + ada.token()
              + "\r\nTransfer-Encoding: chunked\r\n\r\n"
              + Integer.toHexString(body.length())
              + "\r\n");
      raw.isSent(body.getBytes(StandardCharsets.UTF_8));
      assertThat(raw.rest()).startsWith("HTTP/1.1 413 ").contains("\"jsonrpc\":\"2.0\"");
    }
    assertIsWell();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "9007199254740993",
        "123456789012345678901234567890123456789012345678901234567890",
        "\"\"",
        "\"1\"",
        "\"é世\uD83D\uDE00\\n\"",
      })
  void a_request_id_is_returned_unchanged(String id) {
    String body = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}".formatted(id);
    var answer = ada.post("/mcp", body);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().path("id").toString()).isEqualTo(id);
  }

  @Test
  void a_long_request_id_is_returned_and_an_oversized_number_is_rejected() {
    String id = "\"" + "x".repeat(1_000_000) + "\"";
    String body = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}";
    assertThat(ada.post("/mcp", body.formatted(id)).body().path("id").toString()).isEqualTo(id);
    assertThat(ada.post("/mcp", body.formatted("1".repeat(5_000))).status()).isEqualTo(400);
  }

  /// The server chooses the response type; only a stream needs a client that accepts it.
  @ParameterizedTest
  @CsvSource({
    "text/plain, application/json",
    "application/x-www-form-urlencoded, text/html",
    "nonsense, nonsense",
    "application/json; charset=utf-16, image/png;q=0.1",
  })
  void unusual_content_types_are_accepted(String type, String accepted) {
    var answer =
        ada.post("/mcp", McpTeam.request("ping", "{}"), "Content-Type", type, "Accept", accepted);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
  }

  @Test
  void a_subscription_without_event_stream_support_is_an_error() {
    var answer =
        ada.post(
            "/mcp",
            McpTeam.request("subscriptions/listen", "{\"notifications\":{}," + META + "}"),
            "MCP-Protocol-Version",
            "2026-07-28",
            "Mcp-Method",
            "subscriptions/listen",
            "Accept",
            "application/json");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().at("/error/message").asText()).contains("text/event-stream");
  }

  @ParameterizedTest
  @ValueSource(strings = {"_meta", "arguments", "name"})
  void invalid_parts_of_a_call_are_rejected_or_ignored(String part) {
    for (String value :
        new String[] {"null", "true", "1e400", "\"x\"", "[]", "[[]]", "{\"a\":[]}"}) {
      String others = part.equals("name") ? "" : ",\"name\":\"check_inbox\"";
      String body = McpTeam.request("tools/call", "{\"" + part + "\":" + value + others + "}");
      var answer = ada.post("/mcp", body, "Accept", "*/*");
      assertThat(answer.status()).as(body).isEqualTo(200);
      assertThat(answer.body().has("result") || answer.body().has("error")).as(body).isTrue();
    }
  }

  @Test
  void a_subscription_uri_has_a_maximum_length() {
    String session = ada.post("/mcp", McpTeam.request("initialize", "{}")).header("Mcp-Session-Id");
    String uri = "substrat://" + "x".repeat(100_000);
    JsonNode answer =
        ada.post(
                "/mcp",
                McpTeam.request("resources/subscribe", "{\"uri\":\"" + uri + "\"}"),
                "Mcp-Session-Id",
                session)
            .body();
    assertThat(answer.at("/error/code").asInt()).isEqualTo(-32602);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT", "PATCH", "OPTIONS", "HEAD"})
  void other_http_methods_are_not_allowed(String method) {
    assertThat(ada.send(method, "/mcp", "").status()).isEqualTo(405);
  }

  private void assertIsWell() {
    var names = McpTeam.tools(ada);
    assertThat(Arrays.asList("check_inbox", "send_message")).isSubsetOf(names);
  }
}
