package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Sends the requests of a transcript and compares the responses.
final class TranscriptPlayer implements AutoCloseable {
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final TranscriptMatcher likeness = new TranscriptMatcher();
  private final Map<String, BufferedReader> streams = new HashMap<>();
  private final String url;
  private final UnaryOperator<String> tokens;

  TranscriptPlayer(String url, UnaryOperator<String> tokens) {
    this.url = url;
    this.tokens = tokens;
  }

  void play(Transcript transcript) throws Exception {
    for (Transcript.Step step : transcript.steps()) {
      String where = transcript.name() + ", line " + step.line();
      switch (step) {
        case Transcript.Let let -> likeness.keep(let.name(), likeness.fill(let.text()));
        case Transcript.SentRequest said -> say(said, where);
        case Transcript.ExpectedEvent heard ->
            check(heard.expected(), event(stream(heard.stream())).orElse("end"), where);
      }
    }
  }

  private BufferedReader stream(String name) {
    BufferedReader stream = streams.get(name);
    assertThat(stream).as("no stream is called " + name).isNotNull();
    return stream;
  }

  private void say(Transcript.SentRequest said, String where) throws Exception {
    HttpResponse<InputStream> response =
        http.send(request(said).build(), BodyHandlers.ofInputStream());
    var lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    boolean isStream =
        response.headers().firstValue("Content-Type").orElse("").equals("text/event-stream");
    for (String expected : said.expected()) {
      String[] header = expected.split(": ", 2);
      if (expected.matches("\\d{3}")) {
        assertThat(response.statusCode())
            .as(where)
            .withFailMessage(() -> where + ": " + response.statusCode() + " " + rest(lines))
            .isEqualTo(Integer.parseInt(expected));
      } else if (header[0].matches("[A-Za-z-]+")) {
        check(header[1], response.headers().firstValue(header[0]).orElse("nothing"), where);
      } else {
        check(expected, isStream ? event(lines).orElse("end") : rest(lines), where);
      }
    }
    if (said.stream().isEmpty()) {
      assertThat(isStream ? event(lines).orElse("") : rest(lines)).as(where).isEmpty();
      lines.close();
    } else {
      assertThat(isStream).as(where + " opens a stream").isTrue();
      streams.put(said.stream(), lines);
    }
  }

  private HttpRequest.Builder request(Transcript.SentRequest said) {
    var request = HttpRequest.newBuilder(URI.create(url + likeness.fill(said.path())));
    String token = tokens.apply(said.who());
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    var body = new StringBuilder();
    for (String line : said.sent()) {
      String[] header = line.split(": ", 2);
      if (body.isEmpty() && header[0].matches("[A-Za-z-]+")) {
        request.header(header[0], likeness.fill(header[1]));
      } else {
        body.append(likeness.fill(line));
      }
    }
    return request.method(
        said.method(),
        body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
  }

  private void check(String expected, String actual, String where) {
    String difference =
        actual.startsWith("{") || actual.startsWith("[") || !expected.startsWith("{")
            ? likeness.difference(expected, actual)
            : " is \"" + actual + "\", not " + expected;
    assertThat(difference).as("%s: %s", where, actual).isEmpty();
  }

  private static String rest(BufferedReader lines) {
    return String.join("\n", lines.lines().toList());
  }

  /// The next event's data; comments are passed over.
  private static Optional<String> event(BufferedReader lines) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("data: ")) {
        return Optional.of(line.substring(6));
      }
      boolean isKnown = List.of("event: message", "").contains(line) || line.startsWith(":");
      assertThat(isKnown).as("not a server-sent event: " + line).isTrue();
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
