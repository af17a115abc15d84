package dev.substrat.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// HTTP client for tests with one token.
public final class TestClient implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final HttpClient http;
  private final String url;
  private final String token;

  public TestClient(String url, String token) {
    this(
        url,
        token,
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(LIMIT).build());
  }

  /// With a client of the caller, such as one that trusts a certificate; it is closed here.
  public TestClient(String url, String token, HttpClient http) {
    this.http = http;
    this.url = url;
    this.token = token;
  }

  /// A response; `body` is a missing node if there was none, and text if it was not JSON.
  public record Answer(int status, JsonNode body, HttpHeaders headers) {

    /// A text at the top of the body.
    public String text(String key) {
      return body.path(key).asText();
    }

    public String header(String name) {
      return headers.firstValue(name).orElse("");
    }
  }

  public String token() {
    return token;
  }

  public Answer get(String path, String... headers) {
    return send("GET", path, "", headers);
  }

  public Answer post(String path, String json, String... headers) {
    return send("POST", path, json, headers);
  }

  public Answer delete(String path) {
    return send("DELETE", path, "");
  }

  /// `headers` are names and values in turn.
  public Answer send(String method, String path, String body, String... headers) {
    return send(method, path, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  public Answer send(String method, String path, byte[] body, String... headers) {
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(LIMIT)
            .method(
                method,
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    try {
      var response = http.send(request.build(), BodyHandlers.ofByteArray());
      return new Answer(
          response.statusCode(), body(response.body(), response.headers()), response.headers());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode body(byte[] bytes, HttpHeaders headers) {
    if (bytes.length == 0) {
      return MissingNode.getInstance();
    }
    return headers.firstValue("Content-Type").orElse("").equals("application/json")
        ? Json.parse(bytes)
        : Json.tree(new String(bytes, StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
