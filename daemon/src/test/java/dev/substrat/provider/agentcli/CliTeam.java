package dev.substrat.provider.agentcli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.server.Daemon;
import dev.substrat.server.TestClient;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// A daemon with HTTP whose agents use CLI programs written by the test.
final class CliTeam implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /// MCP client as shell functions, for programs that must list their tools.
  static final String MCP =
      """
      #!/bin/bash
      mcp() {
        local rest=${SUBSTRAT_MCP_URL#http://} body=$1
        local host=${rest%%/*}
        exec 3<>"/dev/tcp/${host%%:*}/${host##*:}"
        printf 'POST /mcp HTTP/1.1\\r\\nHost: %s\\r\\nAuthorization: Bearer %s\\r\\nContent-Type: application/json\\r\\nAccept: application/json, text/event-stream\\r\\nConnection: close\\r\\nContent-Length: %d\\r\\n\\r\\n%s' "$host" "$MCP_TOKEN" "${#body}" "$body" >&3
        cat <&3
        exec 3>&-
      }
      list_tools() { mcp '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' >/dev/null; }
      """;

  private static final String PREAMBLE = MCP + "prompt=$(cat)\n";

  private final Daemon daemon;
  private final Path directory;

  CliTeam(TestDatabase place, Path directory) {
    this.directory = directory;
    var settings =
        new DaemonSettings(
            "127.0.0.1", 0, place.directory(), place.url().orElse(null), 2, "error", Set.of());
    this.daemon = Daemon.start(settings, Map.of());
  }

  Engine engine() {
    return daemon.engine();
  }

  /// HTTP client with the operator's token.
  TestClient operator() throws IOException {
    String token = Files.readString(data().resolve("operator.token")).strip();
    return new TestClient(daemon.url(), token);
  }

  Path data() {
    return engine().dependencies().outside().hidden();
  }

  /// An agent whose provider is a bash script, with the CLI configuration `cli` (YAML).
  Agent agent(String name, String script, String cli) throws IOException {
    return agent(name, script, cli, "");
  }

  /// One with more to its configuration (YAML).
  Agent agent(String name, String script, String cli, String more) throws IOException {
    Path file = program(name, PREAMBLE + script);
    return create(
        """
        name: %s
        systemPrompt: You mind the harbour.
        provider:
          name: cli
          command: [%s]
          cli:
            env: { SUBSTRAT_MCP_URL: '{{mcp.url}}', MCP_TOKEN: '{{mcp.token}}' }
        %s
        %s
        """
            .formatted(name, Json.text(file.toString()), cli.indent(4), more));
  }

  /// An agent with a configured directory instead of a workspace.
  Agent agentIn(Path chosen, String name, String script, String more) throws IOException {
    Path file = program(name, PREAMBLE + script);
    return create(
        """
        name: %1$s
        provider:
          name: cli
          command: [%2$s, %3$s]
          directory: %3$s
          cli:
            env: { SUBSTRAT_MCP_URL: '{{mcp.url}}', MCP_TOKEN: '{{mcp.token}}' }
        %4$s
        """
            .formatted(name, Json.text(file.toString()), Json.text(chosen.toString()), more));
  }

  /// Writes a program beside those of other agents.
  Path program(String name, String text) throws IOException {
    Path file = directory.resolve(name + ".sh");
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  Agent agent(String name, String script) throws IOException {
    return agent(name, script, "");
  }

  Agent create(String yaml) {
    AgentConfig config = Json.as(Yaml.own(yaml), AgentConfig.class);
    return engine().agents().create(engine().providers().prepare(config));
  }

  Message ask(String agent, String text) {
    return engine()
        .messages()
        .fromOperator(agent, new Messages.PersonMessage(text, true, null), null);
  }

  String answer(Message question) {
    await(() -> engine().messages().findReply(question.id()).isPresent());
    return engine().messages().findReply(question.id()).orElseThrow().text();
  }

  /// The newest turn of an agent, once it is over.
  Run ended(AgentId agent) {
    await(() -> {
      List<Run> runs = engine().runs().newest(agent, 1);
      return !runs.isEmpty() && runs.getFirst().endedAt() != null;
    });
    return engine().runs().newest(agent, 1).getFirst();
  }

  void await(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      long seen = engine().events().signal().count();
      if (condition.getAsBoolean()) {
        return;
      }
      assertThat(System.nanoTime()).as("still waiting after " + LIMIT).isLessThan(end);
      try {
        engine().events().signal().awaitMoreThan(seen, Duration.ofMillis(200));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /// Running processes of an agent's provider, including left-over ones.
  List<Long> processes(Agent agent) {
    String mark = CliTurnSetup.MARK + "=" + data().resolve("minds").resolve(agent.id().value());
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(pid -> environment(pid).anyMatch(entry -> entry.startsWith(mark)))
        .toList();
  }

  private static Stream<String> environment(long pid) {
    try {
      byte[] all = Files.readAllBytes(Path.of("/proc", String.valueOf(pid), "environ"));
      return Stream.of(new String(all, StandardCharsets.UTF_8).split("\0"));
    } catch (IOException e) {
      return Stream.empty();
    }
  }

  @Override
  public void close() {
    daemon.close();
  }
}
