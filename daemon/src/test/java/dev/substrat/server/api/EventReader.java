package dev.substrat.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Client of server-sent events, like a browser's EventSource.
public final class EventReader implements AutoCloseable {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final BufferedReader lines;

  /// An event, or a comment under the name ":".
  public record Received(String id, String event, JsonNode data) {
    long seq() {
      return Long.parseLong(id);
    }
  }

  /// `headers` are names and values in turn.
  public EventReader(String url, String token, String... headers) {
    var request =
        HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Bearer " + token);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      var response = HTTP.send(request.build(), BodyHandlers.ofInputStream());
      if (response.statusCode() != 200) {
        throw new AssertionError(response);
      }
      if (!response.headers().firstValue("Content-Type").orElse("").equals("text/event-stream")) {
        throw new AssertionError(response.headers());
      }
      this.lines =
          new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The next event or comment; empty at the end of the stream.
  Optional<Received> next() {
    String id = "";
    String event = "";
    String data = "{}";
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.isEmpty()) {
          return Optional.of(new Received(id, event, Json.own(data)));
        } else if (line.startsWith(":")) {
          event = ":";
        } else if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("event: ")) {
          event = line.substring(7);
        } else if (line.startsWith("data: ")) {
          data = line.substring(6);
        } else {
          throw new AssertionError("not a server-sent event: " + line);
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The next event, without heartbeats.
  public Received event() {
    Received next = next().orElseThrow(() -> new AssertionError("the stream has ended"));
    return next.event().equals(":") ? event() : next;
  }

  /// Passes over events until one of that kind.
  public Received event(String kind) {
    Received next = event();
    return next.event().equals(kind) ? next : event(kind);
  }

  @Override
  public void close() {
    try {
      lines.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
