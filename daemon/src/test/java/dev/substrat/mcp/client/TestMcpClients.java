package dev.substrat.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.address.AllowedHosts;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.telemetry.Telemetry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Creates MCP clients for servers on this machine.
public final class TestMcpClients implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofMinutes(2);
  static final McpClient.CallOptions PLAIN =
      new McpClient.CallOptions(RemoteProgress.IGNORED, PATIENCE, null);
  static final ToolDefinition WEATHER =
      ToolDefinition.of(FakeMcpServer.tool("weather", "Tells the weather."));

  private final Telemetry telemetry = Telemetry.withoutExport();
  private final GuardedHttpClient outgoing =
      new GuardedHttpClient(AllowedHosts.parse(List.of("127.0.0.1")), telemetry, "1.2");

  /// Without a sandbox, so that tests see the effects of programs.
  private final McpConnector connecting =
      new McpConnector(outgoing, "1.2", Sandbox.none("tests look at what programs do outside"));

  private final Semaphore changes = new Semaphore(0);

  public McpConnector connecting() {
    return connecting;
  }

  McpClient to(FakeMcpServer server) {
    return to(server.url());
  }

  McpClient to(String url) {
    return to(new ServerAddress.HttpAddress(url, Map.of("Authorization", "Bearer hush-hush")));
  }

  /// As a daemon does it: in a sandbox, if available.
  McpClient insideWalls(Sandbox policy, ServerAddress address) {
    return new McpConnector(outgoing, "1.2", policy).connect(address, changes::release, PATIENCE);
  }

  McpClient to(ServerAddress address) {
    return connecting.connect(address, changes::release, PATIENCE);
  }

  /// How a visit fails.
  RemoteFailure failure(ServerAddress address, Duration patience) {
    return failure(() -> connecting.connect(address, changes::release, patience).close());
  }

  static RemoteFailure failure(Runnable work) {
    var failure =
        Objects.requireNonNull(catchThrowableOfType(RemoteFailure.class, work::run), "no failure");
    assertThat(failure).hasMessageNotContaining("hush");
    return failure;
  }

  static ServerAddress.ProgramAddress program(String script) {
    return new ServerAddress.ProgramAddress(
        List.of("/bin/sh", "-c", script),
        Path.of("."),
        Map.of("GREETING", "ahoy"),
        ServerAddress.ProgramRights.READ_ONLY,
        List.of(),
        words -> words.replace("hush", "[redacted]"));
  }

  static ObjectNode call(McpClient client) {
    return client.callTool(WEATHER, Json.object(), PLAIN);
  }

  static String text(ObjectNode result) {
    return result.at("/content/0/text").asText();
  }

  /// Waits for a notification about changed tools, which `trigger` causes.
  void awaitChange(Runnable trigger) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    do {
      assertThat(System.nanoTime()).as("no change notification arrived").isLessThan(end);
      trigger.run();
    } while (!changes.tryAcquire(100, TimeUnit.MILLISECONDS));
  }

  @Override
  public void close() {
    outgoing.close();
    telemetry.close();
  }
}
