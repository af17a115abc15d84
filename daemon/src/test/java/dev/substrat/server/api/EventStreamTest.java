package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.server.ClientTimeouts;
import dev.substrat.http.server.RawClient;
import dev.substrat.platform.json.Json;
import dev.substrat.server.api.EventReader.Received;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.NewEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Event streams during concurrent writes, slow readers and reconnects.
@OnEveryDatabase
@Timeout(240)
final class EventStreamTest {
  private static final boolean FULL = Boolean.getBoolean("substrat.full");
  private static final int EVENTS = FULL ? 10_000 : 2_000;
  private static final int BREAKS = FULL ? 100 : 20;
  private static final int WRITERS = 8;
  private static final ClientTimeouts PATIENCE =
      new ClientTimeouts(
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(2),
          Duration.ofSeconds(1));

  /// Larger than events of the daemon, so that a few of them fill the socket buffers.
  private static final NewEvent LARGE =
      new NewEvent("large", null, null, null, null, Json.object().put("text", "x".repeat(100_000)));

  private final EventServer server;
  private final long before;

  EventStreamTest(TestDatabase place) {
    this.server = new EventServer(place, PATIENCE, Duration.ofMillis(200));
    this.before = server.last();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_reconnecting_reader_gets_each_event_once_and_in_order() throws Exception {
    var seen = new ArrayList<Received>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int writer = 0; writer < WRITERS; writer++) {
        int first = writer;
        threads.execute(() -> {
          for (int i = first; i < EVENTS; i += WRITERS) {
            server.write(NewEvent.of("counted").with("n", i));
          }
        });
      }
      while (seen.size() < EVENTS) {
        readSome(seen);
      }
    }
    assertThat(seen.stream().map(Received::seq))
        .containsExactlyElementsOf(
            LongStream.rangeClosed(before + 1, before + EVENTS).boxed().toList());
    var numbers = new HashSet<Integer>();
    seen.forEach(event -> numbers.add(event.data().path("n").asInt()));
    assertThat(numbers).hasSize(EVENTS);
  }

  /// Disconnects after a few events, possibly in the middle of one.
  private void readSome(List<Received> seen) {
    long last = seen.isEmpty() ? before : seen.getLast().seq();
    try (var reader =
        new EventReader(
            server.url() + "/api/events", "any", "Last-Event-ID", String.valueOf(last))) {
      assertThat(reader.event().event()).isEqualTo("connected");
      for (int i = 0; i < EVENTS / BREAKS && seen.size() < EVENTS; i++) {
        seen.add(reader.event());
      }
    }
  }

  @Test
  void last_event_id_overrides_the_query_parameter() throws Exception {
    write("one", "two", "three");
    server.awaitLast(before + 3);
    String address = server.url() + "/api/sse?after=" + (before + 2);
    try (var reader = new EventReader(address, "any")) {
      assertThat(reader.event().data().path("lastEvent").asLong()).isEqualTo(before + 3);
      assertThat(reader.event().event()).isEqualTo("three");
    }
    try (var reader =
        new EventReader(address, "any", "Last-Event-ID", String.valueOf(before + 1))) {
      assertThat(reader.event("two").seq()).isEqualTo(before + 2);
    }
  }

  @Test
  void without_a_resume_position_only_new_events_are_sent() throws Exception {
    write("old");
    server.awaitLast(before + 1);
    try (var reader = new EventReader(server.url() + "/api/events", "any")) {
      assertThat(reader.event().data().path("active").get(0).asText()).isEqualTo("ada");
      write("new");
      Received first = reader.event();
      assertThat(first.event()).isEqualTo("new");
      assertThat(first.data().path("seq").asLong()).isEqualTo(before + 2);
      assertThat(first.data().path("kind").asText()).isEqualTo("new");
    }
  }

  @Test
  void an_idle_stream_has_heartbeats() {
    try (var reader = new EventReader(server.url() + "/api/events", "any")) {
      assertThat(reader.event().event()).isEqualTo("connected");
      assertThat(reader.next().orElseThrow().event()).isEqualTo(":");
      assertThat(reader.next().orElseThrow().event()).isEqualTo(":");
    }
  }

  /// The signal wakes every stream; a client whose filter excludes everything still needs
  /// heartbeats.
  @Test
  void heartbeats_are_sent_despite_events_outside_the_filter() throws Exception {
    try (var reader = new EventReader(server.url() + "/api/events?run=none", "any");
        var _ = new Noise()) {
      assertThat(reader.event().event()).isEqualTo("connected");
      assertThat(reader.next().orElseThrow().event()).isEqualTo(":");
      assertThat(reader.next().orElseThrow().event()).isEqualTo(":");
    }
  }

  /// Writes events continuously, each as soon as a reader may have woken.
  private final class Noise implements AutoCloseable {
    private final Thread thread =
        Thread.startVirtualThread(() -> {
          while (!Thread.currentThread().isInterrupted()) {
            server.ring();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
          }
        });

    @Override
    public void close() {
      thread.interrupt();
    }
  }

  @Test
  void the_resume_position_includes_filtered_events() throws Exception {
    try (var reader = new EventReader(server.url() + "/api/events?run=mine", "any")) {
      server.write(NewEvent.of("wanted").during("mine"));
      reader.event("wanted");
      write("other", "other");
      server.awaitLast(before + 3);
      assertThat(reader.next().orElseThrow().event()).isEqualTo(":");
      assertThat(reader.next().orElseThrow().event()).isEqualTo(":");
      server.close();
      assertThat(reader.event("goodbye").data().path("resumeAfter").asLong()).isEqualTo(before + 3);
      assertThat(reader.next()).isEmpty();
    }
  }

  @Test
  void a_client_that_never_reads_does_not_affect_others() throws Exception {
    try (var stuck = stuck();
        var reader = new EventReader(server.url() + "/api/events?after=" + before, "any")) {
      Thread thread = server.streams().poll(120, TimeUnit.SECONDS);
      for (int i = 1; i <= 200; i++) {
        server.write(LARGE);
        Received event = reader.event("large");
        assertThat(event.seq()).isEqualTo(before + i);
      }
      assertThat(thread).isNotNull();
      assertThat(thread.join(Duration.ofMinutes(2))).as("the stuck stream is over").isTrue();
      assertThat(stuck.rest().length()).isLessThan(200 * 100_000);
    }
  }

  @Test
  void a_client_that_never_reads_does_not_delay_a_stop() throws Exception {
    try (var _ = stuck()) {
      Thread thread = server.streams().poll(120, TimeUnit.SECONDS);
      for (int i = 1; i <= 200; i++) {
        server.write(LARGE);
      }
      server.close();
      assertThat(thread).isNotNull();
      assertThat(thread.join(Duration.ofMinutes(2))).isTrue();
    }
  }

  /// Reads the first event, so that the stream is open, and then leaves everything in the socket.
  private RawClient stuck() {
    var client = new RawClient(server.url(), 4096);
    client.send(
        "GET /api/events?after="
            + before
            + " HTTP/1.1\r\nHost: localhost\r\n"
            + "Authorization: Bearer anything\r\n\r\n");
    client.until("connected");
    return client;
  }

  private void write(String... kinds) {
    for (String kind : kinds) {
      server.write(NewEvent.of(kind));
    }
  }
}
