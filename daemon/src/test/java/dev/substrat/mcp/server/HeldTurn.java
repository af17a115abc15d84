package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.server.api.EventReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// A turn of noor whose script publishes its token and waits until it is released. The test uses
/// the token like a program of the agent.
public final class HeldTurn implements AutoCloseable {
  /// Both are pipes: opening one blocks until the other side is open.
  private static final String SCRIPT =
      """
      read -r turn
      echo "$SUBSTRAT_MCP_URL $SUBSTRAT_TOKEN $SUBSTRAT_AGENT" > door
      read -r word < go
      echo "{\\"type\\":\\"done\\",\\"response\\":\\"$word\\"}"
      """;

  private final TestDaemon daemon;
  private final Path directory;
  private final String message;
  private final TestClient client;
  private final String run;

  private HeldTurn(TestDaemon daemon, Path directory) throws Exception {
    this.daemon = daemon;
    this.directory = directory;
    this.message =
        daemon
            .post("/api/agents/noor/messages", "{\"text\":\"take your time\",\"sync\":true}")
            .text("message_id");
    String[] door = handedOut().strip().split(" ");
    assertThat(door[0]).isEqualTo(daemon.url() + "/mcp");
    assertThat(door[2]).isEqualTo(daemon.get("/api/agents/noor").text("id"));
    this.client = daemon.as(door[1]);
    this.run = daemon.get("/api/runs?agent=noor").body().path("runs").get(0).path("id").asText();
  }

  /// Creates noor under `parent`, with more of her configuration (JSON), and wakes her.
  public static HeldTurn begin(TestDaemon daemon, String parent, String more) throws Exception {
    Path directory = Files.createTempDirectory("substrat-held-");
    Files.writeString(directory.resolve("hold.sh"), SCRIPT);
    var make =
        new ProcessBuilder(
            "mkfifo", directory.resolve("door").toString(), directory.resolve("go").toString());
    assertThat(make.start().waitFor()).isZero();
    daemon.engine().dependencies().workspaces().sandbox().handOver(directory);
    var created =
        daemon.post(
            "/api/agents",
            """
            {"name":"noor","parent":"%s",%s
             "provider":{"name":"scripted","command":["sh","hold.sh"],"directory":%s}}\
            """
                .formatted(parent, more, Json.text(directory.toString())));
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
    return new HeldTurn(daemon, directory);
  }

  private String handedOut() throws Exception {
    return CompletableFuture.supplyAsync(() -> read(directory.resolve("door")))
        .get(120, TimeUnit.SECONDS);
  }

  private static String read(Path pipe) {
    try {
      return Files.readString(pipe);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Client with the turn's token.
  public TestClient client() {
    return client;
  }

  String run() {
    return run;
  }

  /// The message that the turn is about.
  String message() {
    return message;
  }

  TestClient.Answer call(String tool, String arguments) {
    return client.post(
        "/mcp",
        McpTeam.request(
            "tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments)));
  }

  int knock() {
    return client.post("/mcp", McpTeam.request("tools/list", "{}")).status();
  }

  /// Ends the script with `word` and waits until its turn has ended.
  void release(String word) throws IOException {
    Files.writeString(directory.resolve("go"), word + "\n");
    awaitEnd();
  }

  void awaitEnd() {
    try (var reader =
        new EventReader(daemon.url() + "/api/events?after=0&run=" + run, daemon.token())) {
      reader.event("turn_ended");
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
    for (String file : new String[] {"hold.sh", "door", "go"}) {
      Files.deleteIfExists(directory.resolve(file));
    }
    Files.deleteIfExists(directory);
  }
}
