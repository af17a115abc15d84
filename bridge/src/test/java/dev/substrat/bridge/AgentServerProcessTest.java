package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.server.Daemon;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Agents that the daemon runs, each with its own MCP server process.
@Timeout(300)
final class AgentServerProcessTest {
  private final ObjectMapper json = new ObjectMapper();

  @Test
  @Requirement({"S0-3", "S1-2", "S1-3"})
  void each_agent_process_has_its_own_server(@TempDir Path data) throws Exception {
    var settings = new DaemonSettings("127.0.0.1", 0, data, null, 2, "error", Set.of());
    try (var _ = Daemon.start(settings, Map.of())) {
      var operator = new OperatorClient(data);
      operator.createsExternal("mira");
      for (String name : List.of("ada", "ben")) {
        create(operator, data, name);
        operator.send("POST", "/api/agents/" + name + "/messages", "{\"text\":\"go\"}");
      }

      assertThat(inbox(data)).containsExactlyInAnyOrder("ada", "ben");
      for (String name : List.of("ada", "ben")) {
        Path out = data.resolve(name + ".out");
        Await.until(() -> hears(out, "\"serverInfo\":{\"name\":\"substrat\""));
        // The message may arrive before the tool list: the two are independent.
        Await.until(() -> hears(out, "\"name\":\"spawn_agent\""));
      }
    }
  }

  private static boolean hears(Path out, String words) {
    try {
      return Files.readString(out).contains(words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void create(OperatorClient operator, Path data, String name) throws Exception {
    var agent = json.createObjectNode().put("name", name).put("parent", "mira");
    var provider = agent.putObject("provider").put("name", "scripted");
    provider.putArray("command").add("/bin/bash").add("-c").add(program(data, name));
    // In the sandbox it would see neither the bridge nor the data directory.
    agent.putObject("workspace").put("sandbox", "off");
    operator.creates(agent.toString());
  }

  /// A minimal MCP client in shell: initializes, lists tools and calls one.
  private static String program(Path data, String name) {
    return """
    read -r turn
    {
      echo '%s'
      echo '%s'
      echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
      echo '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"send_message",\
    "arguments":{"recipient":"mira","text":"from my own server","sync":false}}}'
    } | %s -cp %s dev.substrat.bridge.BridgeMain --data %s --agent %s > %s
    echo '{"type":"done","response":"over"}'
    """
        .formatted(
            McpPipe.INITIALIZE,
            McpPipe.INITIALIZED,
            Path.of(System.getProperty("java.home"), "bin", "java"),
            Path.of("target/classes").toAbsolutePath(),
            data,
            name,
            data.resolve(name + ".out"));
  }

  /// Senders of mira's messages, once there are two.
  private static List<String> inbox(Path data) throws Exception {
    var senders = new ArrayList<String>();
    try (var mira = BridgeProcess.start(data, "--agent", "mira")) {
      for (int look = 0; senders.size() < 2; look++) {
        mira.pipe().call(look, "check_inbox", "{}");
        JsonNode messages = mira.pipe().answer(look).at("/result/structuredContent/messages");
        messages.forEach(message -> senders.add(message.path("from").asText()));
      }
    }
    return senders;
  }
}
