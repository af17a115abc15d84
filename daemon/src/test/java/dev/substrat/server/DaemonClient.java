package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

/// HTTP client of a daemon with the operator's token.
final class DaemonClient implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String url;
  private final String token;

  DaemonClient(String url, String token) {
    this.url = url;
    this.token = token;
  }

  /// One answer: its status and its JSON.
  record Answer(int status, JsonNode body) {}

  Answer get(String path) throws IOException, InterruptedException {
    return answer(request(path).GET().build());
  }

  Answer post(String path, Object body, String... headers)
      throws IOException, InterruptedException {
    var request = request(path).header("Content-Type", "application/json");
    for (int i = 0; i + 1 < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return answer(request.POST(HttpRequest.BodyPublishers.ofByteArray(bytes(body))).build());
  }

  /// The status of the answer.
  int delete(String path) throws IOException, InterruptedException {
    return http.send(request(path).DELETE().build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /// An agent that follows `playbook`; its id.
  String createAgent(String name, Object playbook) throws IOException, InterruptedException {
    var provider = Map.of("name", "scripted", "playbook", playbook);
    Answer answer = post("/api/agents", Map.of("name", name, "provider", provider));
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(201);
    return answer.body().path("id").asText();
  }

  /// The raw stream of events after number `seq`; the caller closes it. A metric, summed over its
  /// labels; 0 if it was not counted yet.
  double metric(String name) throws IOException, InterruptedException {
    String metrics =
        http.send(request("/metrics").GET().build(), HttpResponse.BodyHandlers.ofString()).body();
    return metrics
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  InputStream events(long seq) throws IOException, InterruptedException {
    var response =
        http.send(
            request("/api/events?after=" + seq).GET().build(),
            HttpResponse.BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path))
        .header("Authorization", "Bearer " + token);
  }

  private Answer answer(HttpRequest request) throws IOException, InterruptedException {
    var response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    // Empty bodies are missing nodes.
    return new Answer(response.statusCode(), JSON.readTree(response.body()));
  }

  private static byte[] bytes(Object body) throws IOException {
    return JSON.writeValueAsBytes(body);
  }

  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }
}
