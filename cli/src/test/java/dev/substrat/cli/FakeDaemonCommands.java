package dev.substrat.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Runs commands against a fake daemon with the agents mira, ada and ben.
abstract class FakeDaemonCommands {
  private static final String AGENTS =
      """
      {"agents":[
        {"id":"1","handle":"mira","name":"Mira","parentId":null,"state":"busy","pendingCount":2,
         "provider":{"name":"scripted"},"createdAt":"2026-01-01T12:00:00Z"},
        {"id":"2","handle":"ada","name":"Ada","parentId":"1","state":"idle","pendingCount":0,
         "provider":{"name":"scripted"},"createdAt":"2026-01-01T12:00:00Z"},
        {"id":"3","handle":"ben","name":"Ben\\u001b[31m","parentId":"1","state":"idle",
         "pendingCount":0,"provider":{"name":"scripted"},"createdAt":"2026-01-01T12:00:00Z"}]}
      """;

  @TempDir Path data;
  FakeDaemon daemon;

  @BeforeEach
  void play() throws IOException {
    daemon = new FakeDaemon(data);
    daemon.answers("GET /api/agents", 200, AGENTS);
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  CliOutput run(String... args) {
    var all = new ArrayList<>(List.of("--data", data.toString()));
    all.addAll(List.of(args));
    return CliOutput.of(all.toArray(String[]::new));
  }
}
