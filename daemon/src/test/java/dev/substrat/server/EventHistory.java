package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/// Reads the event stream across all restarts and resumes after the last event.
///
/// Read by one thread, extended by another; both hold the monitor.
final class EventHistory {
  private final List<JsonNode> events = new ArrayList<>();

  /// Reads on from the last event seen until `enough`, within the limit.
  void readUntil(DaemonClient client, Duration limit, Predicate<List<JsonNode>> enough)
      throws IOException, InterruptedException {
    InputStream stream = client.events(last());
    Thread reader = Thread.ofVirtual().name("event-reader").start(() -> read(stream));
    try {
      awaitUntil(limit, enough);
    } finally {
      stream.close();
      reader.join();
    }
  }

  private void read(InputStream stream) {
    try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      boolean numbered = false;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("id: ")) {
          numbered = true;
        } else if (line.startsWith("data: ") && numbered) {
          add(DaemonClient.JSON.readTree(line.substring("data: ".length())));
          numbered = false;
        }
      }
    } catch (IOException e) {
      // The stream was closed by the test or by the end of the daemon. The check finds missing
      // events.
    }
  }

  private synchronized void add(JsonNode event) {
    events.add(event);
    notifyAll();
  }

  private synchronized void awaitUntil(Duration limit, Predicate<List<JsonNode>> enough)
      throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!enough.test(events)) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      assertThat(left).as("time left to see enough events; seen " + events.size()).isPositive();
      wait(left);
    }
  }

  private synchronized long last() {
    return events.isEmpty() ? 0 : events.getLast().path("seq").asLong();
  }

  synchronized List<JsonNode> all() {
    return List.copyOf(events);
  }

  /// The events of one kind.
  List<JsonNode> all(String kind) {
    return all().stream().filter(event -> event.path("kind").asText().equals(kind)).toList();
  }

  /// Exactly 1, 2, 3 and so on: no event is missing, repeated or out of order.
  void requireContiguous() {
    assertThat(all())
        .extracting(event -> event.path("seq").asLong())
        .containsExactlyElementsOf(LongStream.rangeClosed(1, last()).boxed().toList());
  }
}
