package dev.substrat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.server.Daemon;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.llm.ScriptedLlm;
import dev.substrat.turn.engine.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Test fixture: a real daemon with one slot, whose agents use real agent CLIs and a scripted
/// model: mira and her children ben and bob.
final class AgentCliFixture implements AutoCloseable {
  /// The first turn of a CLI in a new home may take a while on a busy machine.
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final ScriptedLlm llm = ScriptedLlm.start();
  private final Path data;
  private final Daemon daemon;

  AgentCliFixture(Path directory) throws IOException {
    this.data = directory.resolve("data");
    var settings = new DaemonSettings("127.0.0.1", 0, data, null, 1, "error", Set.of());
    String script = bridge(Files.createDirectory(directory.resolve("bin")));
    this.daemon = Daemon.start(settings, Map.of("SUBSTRAT_COMMAND", script));
  }

  /// Stands in for the `./substrat` script as the launcher of the bridge, with all files in one
  /// directory, because a sandboxed CLI sees nothing else.
  private static String bridge(Path folder) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path classes = folder.resolve("classes");
    copy(McpClientFixture.bridge(), classes);
    Path script = folder.resolve("substrat");
    Files.writeString(
        script,
        """
        #!/bin/sh
        shift
        exec '%s' -XX:TieredStopAtLevel=1 -cp '%s' dev.substrat.bridge.BridgeMain "$@"
        """
            .formatted(java, classes));
    assertThat(script.toFile().setExecutable(true, false)).isTrue();
    return script.toString();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path one : all.toList()) {
        Files.copy(one, to.resolve(from.relativize(one).toString()));
      }
    }
  }

  ScriptedLlm llm() {
    return llm;
  }

  Engine engine() {
    return daemon.engine();
  }

  /// Creates an agent from YAML; `{{llm}}` is the address of the model.
  Agent agent(String yaml) {
    var config = Json.as(Yaml.own(yaml.replace("{{llm}}", llm.openAiUrl())), AgentConfig.class);
    return engine().agents().create(engine().providers().prepare(config));
  }

  /// Provider processes of an agent, including leftovers.
  List<Long> processes(Agent agent) {
    Path home = data.resolve("minds").resolve(agent.id().value());
    return ProviderProcesses.in(home);
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

  void await(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      long seen = engine().events().signal().count();
      if (condition.getAsBoolean()) {
        return;
      }
      assertThat(System.nanoTime())
          .as(() -> "still waiting after " + LIMIT + "; " + engine().runs().newest(null, 5))
          .isLessThan(end);
      try {
        engine().events().signal().awaitMoreThan(seen, Duration.ofMillis(200));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public void close() {
    daemon.close();
    llm.close();
  }
}
