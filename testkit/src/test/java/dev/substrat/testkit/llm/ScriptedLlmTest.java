package dev.substrat.testkit.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A scripted model answers as clients of each dialect expect it.
final class ScriptedLlmTest {
  private static final String SAID = "a text that is longer than one piece";

  private final ScriptedLlm llm = ScriptedLlm.start();
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    client.close();
    llm.close();
  }

  private HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(llm.url() + path))
            .header("Authorization", "Bearer key-1")
            .POST(BodyPublishers.ofString(body.replace('\'', '"')))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static List<JsonNode> events(String stream) {
    return stream
        .lines()
        .filter(line -> line.startsWith("data: {"))
        .map(line ->
            DialectJson.parse(line.substring("data: ".length()).getBytes(StandardCharsets.UTF_8)))
        .toList();
  }

  /// Every text at one place of each event, joined.
  private static String joined(String stream, String pointer) {
    return events(stream).stream()
        .map(event -> event.at(pointer).asText(""))
        .reduce("", String::concat);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/chat/completions | {'model':'m','messages':[{'role':'user','content':'hi'}]STREAM}"
            + " | /choices/0/message/content | /choices/0/delta/content",
        "/v1/messages | {'model':'m','messages':[{'role':'user','content':'hi'}]STREAM}"
            + " | /content/0/text | /delta/text",
        "/v1/responses | {'model':'m','input':'hi'STREAM}" + " | /output/0/content/0/text | /delta",
        "/v1beta/models/m:generateContent | {'contents':[{'role':'user','parts':[{'text':'hi'}]}]}"
            + " | /candidates/0/content/parts/0/text | /candidates/0/content/parts/0/text",
      })
  @Requirement("N11")
  void each_dialect_answers_equally_with_and_without_streaming(
      String path, String body, String whole, String piece)
      throws IOException, InterruptedException {
    llm.next(ScriptedAnswer.text(SAID), ScriptedAnswer.text(SAID));

    String answer = post(path, body.replace("STREAM", "")).body();
    String stream =
        post(
                path.replace(":generate", ":streamGenerate") + "?alt=sse",
                body.replace("STREAM", ",'stream':true"))
            .body();

    assertThat(DialectJson.parse(answer.getBytes(StandardCharsets.UTF_8)).at(whole).asText())
        .isEqualTo(SAID);
    assertThat(joined(stream, piece)).isEqualTo(SAID);
    assertThat(llm.requests()).extracting(ModelPrompt::isStreamed).containsExactly(false, true);
    assertThat(llm.requests()).extracting(ModelPrompt::lastUserText).containsOnly("hi");
    assertThat(llm.requests()).extracting(ModelPrompt::key).containsOnly("key-1");
    assertThat(llm.requests()).extracting(ModelPrompt::model).containsOnly("m");
  }

  @Test
  @Requirement("N11")
  void a_tool_in_a_namespace_is_called_in_its_namespace() throws IOException, InterruptedException {
    String answer =
        post(
                "/v1/responses",
                """
                {"model": "m", "input": [
                  {"role": "user", "content": [{"text": "<environment_context>x</environment_context>"}]},
                  {"role": "user", "content": [{"text": "[tool] greet"}]}],
                 "tools": [
                  {"type": "function", "name": "send_message", "parameters": {}},
                  {"type": "namespace", "name": "mcp__substrat", "tools": [
                    {"type": "function", "name": "send_message",
                     "parameters": {"properties": {"recipient": {}, "text": {}}}}]}]}
                """)
            .body();

    JsonNode call = DialectJson.parse(answer.getBytes(StandardCharsets.UTF_8)).at("/output/0");
    assertThat(call.path("namespace").asText()).isEqualTo("mcp__substrat");
    assertThat(call.path("name").asText()).isEqualTo("send_message");
    assertThat(call.path("arguments").asText()).contains("recipient");
    assertThat(llm.requests().getFirst().userTurns()).isEqualTo(1);
  }

  @Test
  @Requirement("N11")
  void a_tool_result_is_answered_with_the_number_of_user_turns()
      throws IOException, InterruptedException {
    String answer =
        post(
                "/v1/chat/completions",
                """
                {"model": "m", "messages": [
                  {"role": "user", "content": "one"}, {"role": "assistant", "content": "1"},
                  {"role": "user", "content": "[tool]"},
                  {"role": "assistant", "content": "", "tool_calls": [
                    {"id": "c1", "function": {"name": "x", "arguments": "{}"}}]},
                  {"role": "tool", "tool_call_id": "c1", "content": "delivered"}]}
                """)
            .body();

    assertThat(answer).contains("FINAL userTurns=2 lastTool=delivered");
  }

  @Test
  @Requirement("N11")
  void scripted_failures_are_sent_as_http_errors() throws IOException, InterruptedException {
    String body = "{'model':'m','stream':true,'messages':[{'role':'user','content':'hi'}]}";
    llm.next(
        ScriptedAnswer.refused(429, "3"),
        new ScriptedAnswer.ContextTooLong(),
        ScriptedAnswer.text(SAID).cutAfter(2));

    HttpResponse<String> limited = post("/v1/chat/completions", body);
    assertThat(limited.statusCode()).isEqualTo(429);
    assertThat(limited.headers().firstValue("Retry-After")).contains("3");
    assertThat(post("/v1/messages", body).body()).contains("prompt is too long");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> post("/v1/chat/completions", body));
    assertThat(post("/v1/nowhere", body).statusCode()).isEqualTo(404);
  }
}
