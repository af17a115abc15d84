package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.server.RawClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real daemon with a small heap survives hostile traffic, and its memory use returns to normal.
final class FuzzedDaemonTest {
  private static final boolean FULL = Boolean.getBoolean("substrat.full");
  private static final int REQUESTS = FULL ? 100_000 : 3_000;

  /// Fills the bounded caches, whose memory is not released.
  private static final int WARM_UP = FULL ? 20_000 : 4_000;

  private static final int CLIENTS = 8;
  private static final long SEED = Long.getLong("substrat.seed", 1);
  private static final int LARGEST_REFUSAL = 64 * 1024;
  private static final long MIB = 1024 * 1024;
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Pattern LINE =
      Pattern.compile("^ *\\d+: +\\d+ +(\\d+) +(\\S+)", Pattern.MULTILINE);

  private final Map<Integer, Integer> statuses = new TreeMap<>();

  @TempDir Path data;

  /// Like `./substrat up`, except for the heap size and the time until memory is returned.
  private RunningDaemon start() throws Exception {
    Path config = Files.writeString(data.resolve("fuzzed.yaml"), "semanticSearch: false\n");
    var options =
        List.of(
            "-XX:-UseSerialGC",
            "-XX:+UseG1GC",
            "-XX:G1PeriodicGCInterval=1000",
            "-Xmx256m",
            "-XX:+ExitOnOutOfMemoryError",
            "-cp",
            System.getProperty("java.class.path"));
    return RunningDaemon.launch(
        new RunningDaemon.Jvm(options, DaemonMain.class),
        data,
        "--port",
        "0",
        "--log",
        "warn",
        "--config",
        config.toString());
  }

  @Test
  @Timeout(3_600)
  void thousands_of_fuzzed_requests_cause_no_internal_error() throws Exception {
    try (var daemon = start();
        var operator = daemon.client()) {
      String operatorToken = Files.readString(data.resolve("operator.token")).strip();
      for (String agent : List.of("ada", "ben", "tess")) {
        operator.post("/api/agents", Map.of("name", agent, "provider", Map.of("name", "external")));
      }
      operator.post("/api/spaces", Map.of("id", "general", "name", "General"));
      String agentToken =
          operator.post("/api/agents/tess/tokens", Map.of()).body().path("token").asText();
      String zooToken =
          operator.post("/api/tokens", Map.of("zoo", true)).body().path("token").asText();
      var tokens = new ArrayList<>(List.of("", agentToken, zooToken, operatorToken + "x"));
      tokens.addAll(Collections.nCopies(8, operatorToken));
      var targets = FuzzedRequests.Target.of(operator.get("/api/openapi.json").body());
      assertThat(targets).hasSizeGreaterThan(80);

      long sockets = sockets(daemon);
      send(daemon, WARM_UP, seed -> new FuzzedRequests(SEED + 1_000 + seed, targets, tokens));
      awaitClosed(daemon, sockets);
      Histogram before = Histogram.of(daemon);
      long rssBefore = rss(daemon);
      long start = System.nanoTime();
      send(daemon, REQUESTS, seed -> new FuzzedRequests(SEED + seed, targets, tokens));
      long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
      awaitClosed(daemon, sockets);
      Histogram after = Histogram.of(daemon);

      System.out.printf(
          "fuzzed: %d requests in %d s, statuses %s, live heap %d KiB before, %d KiB after,"
              + " RSS %d MiB before, %d MiB after%n",
          REQUESTS,
          seconds,
          statuses,
          before.bytes() / 1024,
          after.bytes() / 1024,
          rssBefore / MIB,
          rss(daemon) / MIB);
      assertThat(daemon.isAlive()).as(daemon::stderr).isTrue();
      assertThat(operator.get("/healthz").status()).isEqualTo(200);
      assertThat(operator.get("/api/agents/tess").status()).isEqualTo(200);
      assertThat(daemon.stderr()).doesNotContain("OutOfMemory", " error ");
      assertThat(after.bytes())
          .as(() -> "live heap was %d; growth:%n%s".formatted(before.bytes(), after.growth(before)))
          .isLessThan(before.bytes() / 5 * 6);
      awaitRss(daemon, rssBefore);
      assertThat(statuses.keySet()).contains(200, 201, 202, 400, 401, 403, 404, 405, 422);
    }
  }

  /// Requests that caused a response of 19.7 MB and a heap of 4.8 GB before there were limits, with
  /// and without a token, and connections that never finish.
  @Test
  @Timeout(300)
  void memory_is_released_after_an_attack() throws Exception {
    try (var daemon = start();
        var operator = daemon.client()) {
      String token = Files.readString(data.resolve("operator.token")).strip();
      byte[] keys =
          IntStream.range(0, 380_000)
              .mapToObj(i -> "\"k" + i + "\":0")
              .collect(Collectors.joining(",", "{", "}"))
              .getBytes(StandardCharsets.UTF_8);
      byte[] values = ("[" + "0,".repeat(100_000) + "0]").getBytes(StandardCharsets.UTF_8);
      byte[] text = ("\"" + "\u00e9".repeat(2_000_000) + "\"").getBytes(StandardCharsets.UTF_8);
      attack(daemon, token, keys, values, text);
      assertThat(operator.get("/healthz").status()).isEqualTo(200);
      long sockets = sockets(daemon);
      Histogram before = Histogram.of(daemon);
      long rssBefore = rss(daemon);

      var unfinished = new ArrayList<RawClient>();
      for (int i = 0; i < 500; i++) {
        unfinished.add(new RawClient(daemon.url()));
        unfinished.getLast().send("POST /login HTTP/1.1\r\nHost: localhost\r\nX: ");
      }
      attack(daemon, token, keys, values, text);
      unfinished.forEach(RawClient::close);

      assertThat(operator.get("/healthz").status()).isEqualTo(200);
      assertThat(daemon.stderr()).doesNotContain("OutOfMemory", " error ");
      awaitClosed(daemon, sockets);
      Histogram after = Histogram.of(daemon);
      assertThat(after.bytes())
          .as(() -> "live heap was %d; growth:%n%s".formatted(before.bytes(), after.growth(before)))
          .isLessThan(before.bytes() / 5 * 6);
      awaitRss(daemon, rssBefore);
      System.out.printf(
          "attack: RSS %d MiB before, %d MiB after%n", rssBefore / MIB, rss(daemon) / MIB);
    }
  }

  private void attack(RunningDaemon daemon, String token, byte[] keys, byte[] values, byte[] text)
      throws Exception {
    try (var http = client();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Future<?>>();
      for (int i = 0; i < 24; i++) {
        all.add(
            threads.submit(() -> {
              for (int j = 0; j < 5; j++) {
                assertThat(post(http, daemon, "/login", "", keys)).isEqualTo(413);
                assertThat(post(http, daemon, "/api/agents", token, keys)).isEqualTo(413);
                assertThat(post(http, daemon, "/api/agents", token, values)).isEqualTo(400);
                assertThat(post(http, daemon, "/mcp", token, text)).isEqualTo(400);
                assertThat(post(http, daemon, "/mcp", "wrong", text)).isIn(401, 429);
              }
              return null;
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  private static HttpClient client() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  /// Requests end with their connections: an event stream detects a disconnected client with its
  /// next heartbeat.
  private static void awaitClosed(RunningDaemon daemon, long sockets) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (sockets(daemon) > sockets) {
      assertThat(System.nanoTime()).as("%d sockets", sockets(daemon)).isLessThan(end);
      assertThat(daemon.isDeadWithin(Duration.ofMillis(200))).isFalse();
    }
  }

  /// The daemon returns memory when it is idle; there is no signal for it. The heap keeps some room
  /// for the next requests.
  private static void awaitRss(RunningDaemon daemon, long before) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (rss(daemon) > before + 64 * MIB) {
      assertThat(System.nanoTime()).as("RSS %d of %d", rss(daemon), before).isLessThan(end);
      assertThat(daemon.isDeadWithin(Duration.ofMillis(200))).isFalse();
    }
  }

  private static long sockets(RunningDaemon daemon) throws IOException {
    try (var open = Files.list(Path.of("/proc", String.valueOf(daemon.pid()), "fd"))) {
      return open.filter(FuzzedDaemonTest::isSocket).count();
    }
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException e) {
      // Closed meanwhile.
      return false;
    }
  }

  private static int post(
      HttpClient http, RunningDaemon daemon, String path, String token, byte[] body)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(daemon.url() + path))
            .timeout(LIMIT)
            .POST(BodyPublishers.ofByteArray(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    var response = http.send(request.build(), BodyHandlers.ofByteArray());
    assertThat(response.body()).hasSizeLessThan(LARGEST_REFUSAL);
    return response.statusCode();
  }

  private interface Source {
    FuzzedRequests of(long seed);
  }

  private void send(RunningDaemon daemon, int count, Source source) throws Exception {
    String url = daemon.url();
    try (var http = client();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Future<?>>();
      for (int seed = 0; seed < CLIENTS; seed++) {
        FuzzedRequests requests = source.of(seed);
        all.add(
            threads.submit(() -> {
              for (int i = 0; i < count / CLIENTS; i++) {
                check(http, url, requests.next());
              }
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  private void check(HttpClient http, String url, FuzzedRequests.Request request) {
    String reply = request.isRaw() ? raw(url, request) : decent(http, url, request);
    int status = reply.isEmpty() ? 0 : Integer.parseInt(reply.substring(0, 3));
    assertThat(status).as("%s: %s", request, reply).isNotEqualTo(500);
    assertThat(reply).as("%s", request).doesNotContain("\"INTERNAL\"");
    if (status >= 400) {
      assertThat(reply).as("%s", request).hasSizeLessThan(LARGEST_REFUSAL);
    }
    synchronized (statuses) {
      statuses.merge(status, 1, Integer::sum);
    }
  }

  /// Status and body, as far as it matters.
  private static String decent(HttpClient http, String url, FuzzedRequests.Request request) {
    var built = HttpRequest.newBuilder(URI.create(url + request.path())).timeout(LIMIT);
    built.method(request.method(), BodyPublishers.ofByteArray(bytes(request.body())));
    for (int i = 0; i < request.headers().size(); i += 2) {
      String value = request.headers().get(i + 1);
      built.header(request.headers().get(i), value.equals("OWN") ? url : value);
    }
    try {
      HttpResponse<InputStream> response = http.send(built.build(), BodyHandlers.ofInputStream());
      try (var body = response.body()) {
        boolean isStream =
            response
                .headers()
                .firstValue("Content-Type")
                .filter(type -> type.startsWith("text/event-stream"))
                .isPresent();
        byte[] start = isStream ? new byte[0] : body.readNBytes(2 * LARGEST_REFUSAL);
        return response.statusCode() + new String(start, StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(request.toString(), e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The same for bytes that no decent client would send; empty if the daemon just hangs up.
  private static String raw(String url, FuzzedRequests.Request request) {
    try (var client = new RawClient(url)) {
      if (client.isSent(bytes(request.head())) && client.isSent(bytes(request.body()))) {
        client.finish();
      }
      String reply = client.beginning(2 * LARGEST_REFUSAL);
      return reply.startsWith("HTTP/1.1 ") ? reply.substring("HTTP/1.1 ".length()) : "";
    }
  }

  private static byte[] bytes(String characters) {
    return characters.getBytes(StandardCharsets.ISO_8859_1);
  }

  /// Bytes of the objects that are reachable after a collection of the whole heap, by class.
  private record Histogram(long bytes, Map<String, Long> classes) {
    static Histogram of(RunningDaemon daemon) throws Exception {
      String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
      Process process =
          new ProcessBuilder(jcmd, String.valueOf(daemon.pid()), "GC.class_histogram")
              .redirectErrorStream(true)
              .start();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Map<String, Long> classes =
          LINE.matcher(out)
              .results()
              .collect(
                  Collectors.toMap(
                      line -> line.group(2), line -> Long.parseLong(line.group(1)), Long::sum));
      assertThat(classes).as(out).isNotEmpty();
      return new Histogram(classes.values().stream().mapToLong(one -> one).sum(), classes);
    }

    /// Classes with more instances than before, largest increase first.
    String growth(Histogram before) {
      return classes.entrySet().stream()
          .map(one ->
              Map.entry(
                  one.getKey(), one.getValue() - before.classes().getOrDefault(one.getKey(), 0L)))
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .limit(20)
          .map(one -> "%d KiB %s".formatted(one.getValue() / 1024, one.getKey()))
          .collect(Collectors.joining("\n"));
    }
  }

  /// Memory of the process, as the kernel counts it.
  private static long rss(RunningDaemon daemon) throws IOException {
    return Files.readAllLines(Path.of("/proc", String.valueOf(daemon.pid()), "status")).stream()
        .filter(line -> line.startsWith("VmRSS"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst()
        .orElseThrow();
  }
}
