package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/// People who send messages to an agent across crashes and record every acknowledgement.
///
/// Each text is unique and is its own idempotency key: a text that was not acknowledged is sent
/// again until it is. The agent repeats every text it reads, so that its turns show what they
/// consumed.
final class MessageLoad {
  private static final int WRITERS = 16;

  /// A dead daemon's lease must run out before its agent works again.
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Object REPEAT =
      List.of(Map.of("do", List.of(Map.of("say", "{{event.text}}"))));

  private final Map<String, String> acknowledged = new ConcurrentHashMap<>();
  private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();
  private final AtomicInteger texts = new AtomicInteger();
  private final EventHistory history = new EventHistory();
  private String agent = "";
  private final HashSet<String> checked = new HashSet<>();

  interface Interruption {
    void strike() throws Exception;
  }

  /// Writes from many sides; after `more` acknowledgements the disaster strikes among them.
  void writeUntil(DaemonClient client, int more, Interruption disaster) throws Exception {
    if (agent.isEmpty()) {
      agent = client.createAgent("ada", REPEAT);
    }
    var left = new AtomicInteger(more);
    everyWriter(() -> {
      while (left.get() > 0) {
        if (write(client) && left.decrementAndGet() == 0) {
          disaster.strike();
        }
      }
      return true;
    });
  }

  /// Repeats a request without response, with the same key.
  void writeWhatIsUnanswered(DaemonClient client) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    everyWriter(() -> {
      while (!unanswered.isEmpty() && System.nanoTime() < end) {
        write(client);
      }
      return true;
    });
    assertThat(unanswered).isEmpty();
  }

  private static void everyWriter(Callable<Boolean> work)
      throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var writers = new ArrayList<Future<Boolean>>();
      for (int i = 0; i < WRITERS; i++) {
        writers.add(threads.submit(work));
      }
      for (var writer : writers) {
        writer.get();
      }
    }
  }

  private boolean write(DaemonClient client) throws InterruptedException {
    String old = unanswered.poll();
    String text = old == null ? "letter " + texts.incrementAndGet() + "." : old;
    try {
      var answer =
          client.post(
              "/api/agents/" + agent + "/messages",
              Map.of("text", text, "sync", false),
              "Idempotency-Key",
              text);
      if (answer.status() == 201) {
        acknowledged.put(text, answer.body().path("message_id").asText());
        return true;
      }
      assertThat(answer.status()).as("an outage is named: %s", answer.body()).isIn(503, 507);
    } catch (IOException e) {
      // The daemon is gone; it is unknown whether the message arrived.
    }
    unanswered.add(text);
    return false;
  }

  /// Every acknowledged message exists once and unchanged; the log has no gaps.
  void check(DaemonClient client) throws Exception {
    history.readUntil(
        client, PATIENCE, events -> sent(events).keySet().containsAll(acknowledged.keySet()));
    history.requireContiguous();
    var sent = sent(history.all());
    assertThat(sent.values()).allSatisfy(ids -> assertThat(ids).hasSize(1));
    acknowledged.forEach((text, id) -> assertThat(sent.get(text)).containsExactly(id));
    for (var message : acknowledged.entrySet()) {
      if (checked.add(message.getKey())) {
        var found = client.get("/api/messages/" + message.getValue());
        assertThat(found.status()).isEqualTo(200);
        assertThat(found.body().path("text").asText()).isEqualTo(message.getKey());
      }
    }
  }

  /// In the end each was consumed by exactly one turn that ended well.
  void checkAllWasRead(DaemonClient client) throws Exception {
    history.readUntil(
        client, PATIENCE, events -> repeated(events).keySet().containsAll(acknowledged.keySet()));
    history.requireContiguous();
    assertThat(repeated(history.all())).containsOnlyKeys(acknowledged.keySet());
    assertThat(repeated(history.all()).values()).containsOnly(1L);
    assertThat(client.get("/api/agents/" + agent).body().path("pendingCount").asInt()).isZero();
    for (String id : acknowledged.values()) {
      assertThat(client.get("/api/messages/" + id).body().path("status").asText())
          .isEqualTo("read");
    }
  }

  private static Map<String, List<String>> sent(List<JsonNode> events) {
    return events.stream()
        .filter(event -> event.path("kind").asText().equals("message_sent"))
        .collect(
            Collectors.groupingBy(
                event -> event.path("text").asText(),
                Collectors.mapping(
                    event -> event.path("message_id").asText(), Collectors.toList())));
  }

  /// Number of occurrences of each text in successful turns.
  private static Map<String, Long> repeated(List<JsonNode> events) {
    return events.stream()
        .filter(event -> event.path("kind").asText().equals("turn_ended"))
        .filter(event -> event.path("status").asText().equals("done"))
        .flatMap(event -> event.path("response").asText().lines())
        .collect(Collectors.groupingBy(text -> text, Collectors.counting()));
  }
}
