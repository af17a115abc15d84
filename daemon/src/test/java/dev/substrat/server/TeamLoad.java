package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Yaml;
import dev.substrat.server.AcknowledgedWork.MessageRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Load on the team of `kills/team.yaml`: people who send messages, cancel hanging turns, release
/// held messages, create tokens, and create and terminate agents, and an external agent. It
/// continues until the daemon dies, and again with the next one.
final class TeamLoad {
  private static final Object NO_LIMITS =
      Map.of("messagesPerMinute", 1_000_000, "callsPerMinute", 1_000_000, "maxChildren", 200);

  private static final Object ECHO =
      Map.of("name", "scripted", "playbook", List.of(Map.of("do", List.of(Map.of("say", "aye")))));

  private static final Set<String> BUSIEST = Set.of("mira", "ada", "ben");
  private static final int MOST_WAITING = 15;

  /// Interval of maintenance actions while there is no other work.
  private static final Duration BREATH = Duration.ofMillis(30);

  private final AcknowledgedWork ledger = new AcknowledgedWork();
  private final Random random;
  private @Nullable ExternalAgentClient eva;

  TeamLoad(Random random) {
    this.random = random;
  }

  AcknowledgedWork ledger() {
    return ledger;
  }

  ExternalAgentClient eva() {
    return Objects.requireNonNull(eva);
  }

  void createTeam(DaemonClient client) throws IOException, InterruptedException {
    for (JsonNode agent : team()) {
      var config = new TreeMap<String, Object>(Map.of("limits", NO_LIMITS));
      agent.properties().forEach(entry -> config.put(entry.getKey(), entry.getValue()));
      require(client.post("/api/agents", config));
    }
    var answer = require(client.post("/api/agents/eva/tokens", Map.of("label", "eva")));
    eva = new ExternalAgentClient(answer.path("token").asText());
  }

  private static JsonNode team() throws IOException {
    try (InputStream file = TeamLoad.class.getResourceAsStream("/kills/team.yaml")) {
      return Yaml.own(
          new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /// Everyone at once, so many times.
  void rage(RunningDaemon daemon, int waves) throws Exception {
    try (var client = daemon.client()) {
      for (int i = 0; i < waves; i++) {
        wave(daemon, client);
      }
    }
  }

  /// Everyone at once, wave after wave, until the daemon is dead or `enough` is over.
  void rageUntil(RunningDaemon daemon, Duration enough) throws Exception {
    long end = System.nanoTime() + enough.toNanos();
    try (var client = daemon.client()) {
      while (daemon.isAlive() && System.nanoTime() < end) {
        wave(daemon, client);
        daemon.isDeadWithin(BREATH);
      }
    }
  }

  private void wave(RunningDaemon daemon, DaemonClient client) throws Exception {
    if (isOverwhelmed(daemon, client)) {
      tend(daemon);
      return;
    }
    List<MessageRequest> messages = new ArrayList<>();
    messages.add(ledger.fresh("mira", "circle", true));
    messages.add(ledger.fresh("mira", "consult", true));
    messages.add(ledger.fresh("mira", "lead", true));
    messages.add(ledger.fresh("ada", "broadcast", true));
    messages.add(ledger.fresh("noor", "loop", false));
    messages.add(ledger.fresh("ben", "finish", true));
    messages.add(ledger.fresh("noor", "spawn", true));
    messages.add(ledger.fresh("lars", "remind", false));
    messages.add(ledger.fresh("lars", "schedule", false));
    messages.add(ledger.fresh("lars", "plan", true));
    messages.add(ledger.fresh("inga", "hang", true));
    messages.add(ledger.fresh("tor", "fail", true));
    messages.add(ledger.fresh("olaf", "never", true));
    Collections.shuffle(messages, random);
    var deeds = new ArrayList<LoadAction>();
    deeds.add(() -> ledger.sendUnanswered(client));
    messages.forEach(message -> deeds.add(() -> ledger.send(client, message)));
    deeds.add(() -> eva().look(daemon.url()));
    deeds.add(() -> mintToken(client));
    deeds.add(() -> receiveGuest(client));
    deeds.add(() -> receiveStranger(daemon, client));
    deeds.add(() -> releaseHeld(client));
    deeds.add(() -> endHanging(client));
    together(daemon, deeds);
  }

  /// A team that is always killed before it empties its inboxes would prove nothing.
  private static boolean isOverwhelmed(RunningDaemon daemon, DaemonClient client) throws Exception {
    var waiting = new AtomicInteger();
    together(
        daemon,
        List.of(() -> {
          for (JsonNode agent : client.get("/api/agents").body().path("agents")) {
            if (BUSIEST.contains(agent.path("handle").asText())) {
              waiting.addAndGet(agent.path("pendingCount").asInt());
            }
          }
        }));
    return waiting.get() > MOST_WAITING;
  }

  /// Actions of people and external agents without new messages.
  void tend(RunningDaemon daemon) throws Exception {
    try (var client = daemon.client()) {
      together(
          daemon,
          List.of(
              () -> ledger.sendUnanswered(client),
              () -> eva().look(daemon.url()),
              () -> endHanging(client)));
    }
  }

  private void mintToken(DaemonClient client) throws IOException, InterruptedException {
    var answer = require(client.post("/api/agents/eva/tokens", Map.of("label", "more")));
    ledger.promise(answer.path("token").asText());
  }

  /// Creates an agent, asks it a question, and terminates it.
  private void receiveGuest(DaemonClient client) throws IOException, InterruptedException {
    MessageRequest question = ledger.fresh("", "guest", true);
    var guest =
        require(client.post("/api/agents", Map.of("name", question.text(), "provider", ECHO)));
    String id = guest.path("id").asText();
    ledger.send(client, new MessageRequest(id, question.text(), true));
    assertThat(client.delete("/api/agents/" + id)).isEqualTo(204);
  }

  /// Creates an external agent, reads its inbox once, and terminates it.
  private void receiveStranger(RunningDaemon daemon, DaemonClient client) throws Exception {
    var config =
        Map.of(
            "name", ledger.fresh("", "stranger", false).text(),
            "provider", Map.of("name", "external"));
    String id = require(client.post("/api/agents", config)).path("id").asText();
    var token = require(client.post("/api/agents/" + id + "/tokens", Map.of()));
    new ExternalAgentClient(token.path("token").asText()).look(daemon.url());
    assertThat(client.delete("/api/agents/" + id)).isEqualTo(204);
  }

  private static void releaseHeld(DaemonClient client) throws IOException, InterruptedException {
    for (JsonNode held : client.get("/api/held?limit=1").body().path("messages")) {
      // 409 if the recipient has read it meanwhile.
      String id = held.path("message_id").asText();
      assertThat(client.post("/api/messages/" + id + "/release", Map.of()).status()).isIn(204, 409);
    }
  }

  private static void endHanging(DaemonClient client) throws IOException, InterruptedException {
    for (JsonNode run : client.get("/api/runs?agent=inga&limit=3").body().path("runs")) {
      if (run.path("status").asText().equals("running")) {
        String id = run.path("id").asText();
        assertThat(client.post("/api/runs/" + id + "/cancel", Map.of()).status()).isIn(204, 409);
      }
    }
  }

  private static JsonNode require(DaemonClient.Answer answer) {
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(201);
    return answer.body();
  }

  /// An action that only the daemon's death may interrupt.
  private interface LoadAction {
    void run() throws Exception;
  }

  private static void together(RunningDaemon daemon, List<LoadAction> deeds) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<?>>();
      for (LoadAction deed : deeds) {
        running.add(
            threads.submit(() -> {
              deed.run();
              return true;
            }));
      }
      for (Future<?> one : running) {
        await(daemon, one);
      }
    }
  }

  private static void await(RunningDaemon daemon, Future<?> deed) throws Exception {
    try {
      deed.get();
    } catch (ExecutionException e) {
      boolean isItsDeath = e.getCause() instanceof IOException;
      if (!isItsDeath || !daemon.isDeadWithin(Duration.ofSeconds(5))) {
        throw new AssertionError("a living daemon failed; its log:\n" + daemon.stderr(), e);
      }
    }
  }
}
