package dev.substrat.bench.cluster;

import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/// A team of scripted agents on some daemons. Asked by a person, an agent asks the next one, and
/// answers when it has its reply: three turns per question.
final class ClusterTeam implements AutoCloseable {
  static final int AGENTS = 48;

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<URI> daemons;
  private final List<String> tokens;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();

  /// `folders` are the data folders of the daemons, in the same order.
  ClusterTeam(List<URI> daemons, List<Path> folders) throws IOException {
    this.daemons = List.copyOf(daemons);
    this.tokens = List.of(folders.stream().map(ClusterTeam::token).toArray(String[]::new));
  }

  private static String token(Path folder) {
    try {
      return Files.readString(folder.resolve("operator.token")).strip();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  void create() throws IOException, InterruptedException {
    post(0, "/api/agents", agent("lead", List.of()));
    for (int i = 0; i < AGENTS; i++) {
      var next =
          Map.of("recipient", name((i + 1) % AGENTS), "text", "are you there, {{event.text}}?");
      var playbook =
          List.of(
              rule("from", "operator", Map.of("call", "send_message", "with", next)),
              rule("kind", "reply", Map.of("say", "heard {{event.text}}")),
              rule("kind", "message", Map.of("say", "aye")));
      var member = new HashMap<>(agent(name(i), playbook));
      member.put("parent", "lead");
      post(0, "/api/agents", member);
    }
  }

  /// A person asks so many agents, through one daemon after the other. Returns at once; questions
  /// that are on their way count.
  void ask(long questions) {
    for (long i = underWay.get(); i < questions; i++) {
      underWay.incrementAndGet();
      threads.execute(this::ask);
    }
  }

  private void ask() {
    int number = asked.incrementAndGet();
    String agent = name(ThreadLocalRandom.current().nextInt(AGENTS));
    try {
      post(
          number % daemons.size(),
          "/api/agents/" + agent + "/messages",
          Map.of("text", "question " + number, "sync", true));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      underWay.decrementAndGet();
    }
  }

  private static String name(int agent) {
    return "a" + agent;
  }

  private static Object rule(String key, String value, Object step) {
    return Map.of("when", Map.of(key, value), "do", List.of(step));
  }

  private static Map<String, Object> agent(String name, List<?> playbook) {
    return Map.of("name", name, "provider", Map.of("name", "scripted", "playbook", playbook));
  }

  private void post(int daemon, String path, Object body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(daemons.get(daemon).resolve(path))
            .header("Authorization", "Bearer " + tokens.get(daemon))
            .POST(BodyPublishers.ofByteArray(Json.bytes(body)))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 201) {
      throw new IllegalStateException(path + " was answered " + answer.body());
    }
  }

  @Override
  public void close() {
    threads.close();
    http.close();
  }
}
