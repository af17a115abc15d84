package dev.substrat.cli;

import dev.substrat.cli.terminal.CommandEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Runs `connect` in a temporary home directory with a fake daemon.
abstract class ConnectCommandRunner {
  static final String MIRA =
      "{\"id\":\"7\",\"handle\":\"mira\",\"provider\":{\"name\":\"external\"}}";

  @TempDir Path data;
  @TempDir Path home;
  @TempDir Path project;
  FakeDaemon daemon;

  @BeforeEach
  void play() throws IOException {
    daemon =
        new FakeDaemon(data)
            .answers("GET /api/agents/mira", 200, MIRA)
            .answers(
                "GET /api/agents/ada", 200, "{\"id\":\"8\",\"provider\":{\"name\":\"claude\"}}")
            .answers(
                "GET /api/agents/nobody",
                404,
                "{\"code\":\"AGENT_NOT_FOUND\",\"message\":\"no\",\"hint\":\"h\"}");
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  CommandEnvironment machine() {
    return new CommandEnvironment(
        Map.of("SUBSTRAT_COMMAND", "/opt/substrat/substrat", "PATH", home + "/bin"),
        home.toString(),
        project.toString(),
        CommandEnvironment.OperatingSystem.LINUX);
  }

  CliOutput connect(String... args) {
    var all = new ArrayList<>(List.of("connect", "--data", data.toString()));
    all.addAll(List.of(args));
    return CliOutput.of(machine(), all.toArray(String[]::new));
  }

  Path cursor() {
    return home.resolve(".cursor/mcp.json");
  }
}
