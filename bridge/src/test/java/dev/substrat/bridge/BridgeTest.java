package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.server.Daemon;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Bridges as clients start them, with a real daemon.
@Timeout(300)
final class BridgeTest {
  @TempDir private Path data;
  private Daemon daemon;
  private OperatorClient operator;

  @BeforeEach
  void start() {
    daemon =
        Daemon.start(
            new DaemonSettings("127.0.0.1", 0, data, null, 2, "error", Set.of()), Map.of());
    operator = new OperatorClient(data);
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  @Test
  @Requirement({"S1-2", "S1-4"})
  void an_agent_has_its_tools_over_stdio() throws Exception {
    operator.createsExternal("mira");
    operator.createsChild("ada", "mira");
    try (var mira = BridgeProcess.start(data, "--agent", "mira")) {
      assertThat(mira.pipe().greet().at("/result/serverInfo/name").asText()).isEqualTo("substrat");
      mira.pipe().request(1, "tools/list", "{}");
      assertThat(mira.pipe().answer(1).at("/result/tools").findValuesAsText("name"))
          .contains("send_message", "spawn_agent", "check_inbox");
      mira.pipe().call(2, "send_message", "{\"recipient\":\"ada\",\"text\":\"hello é世\"}");
      assertThat(result(mira, 2).path("message_id").asText()).isNotEmpty();
      mira.pipe().end();
      assertThat(mira.exitCode()).isZero();
      assertThat(mira.pipe().rest()).isEmpty();
    }
    try (var ada = BridgeProcess.start(data, "--agent", "ada")) {
      ada.pipe().call(1, "check_inbox", "{}");
      assertThat(result(ada, 1).at("/messages/0/text").asText()).isEqualTo("hello é世");
    }
  }

  /// SPEC scenario 5: one program, two configurations.
  @Test
  @Requirement({"S1-5", "S0-32"})
  void two_bridges_never_mix_identities() throws Exception {
    operator.createsExternal("mira");
    operator.createsChild("ada", "mira");
    operator.createsChild("ben", "mira");
    int each = 25;
    try (var ada = BridgeProcess.start(data, "--agent", "ada");
        var ben = BridgeProcess.start(data, "--agent", "ben");
        var mira = BridgeProcess.start(data, "--agent", "mira")) {
      for (int i = 0; i < each; i++) {
        ada.pipe().call(i, "send_message", message("ada " + i));
        ben.pipe().call(i, "send_message", message("ben " + i));
      }
      for (int i = 0; i < each; i++) {
        result(ada, i);
        result(ben, i);
      }
      var seen = new TreeSet<String>();
      for (int look = 0; seen.size() < 2 * each; look++) {
        mira.pipe().call(look, "check_inbox", "{}");
        for (JsonNode message : result(mira, look).path("messages")) {
          assertThat(message.path("text").asText()).startsWith(message.path("from").asText() + " ");
          assertThat(seen.add(message.path("text").asText())).isTrue();
        }
      }
    }
  }

  private static String message(String text) {
    return "{\"recipient\":\"mira\",\"text\":\"%s\",\"sync\":false}".formatted(text);
  }

  /// Claims of a client about its identity at run time have no effect.
  @Test
  @Requirement({"S1-5", "S0-32"})
  void the_identity_is_fixed_at_launch() throws Exception {
    operator.createsExternal("mira");
    operator.createsChild("ada", "mira");
    try (var ada = BridgeProcess.start(Map.of("SUBSTRAT_AGENT", "mira"), data, "--agent", "ada")) {
      ada.pipe()
          .say(
              McpPipe.INITIALIZE.replace(
                  "\"capabilities\"", "\"agent\":\"mira\",\"token\":\"x\",\"capabilities\""));
      ada.pipe().answer("i");
      ada.pipe()
          .request(
              1,
              "tools/call",
              "{\"name\":\"send_message\",\"agent\":\"mira\",\"_meta\":{\"agent\":\"mira\"},"
                  + "\"arguments\":{\"recipient\":\"mira\",\"text\":\"ada 1\",\"sync\":false}}");
      result(ada, 1);
      ada.pipe()
          .call(2, "send_message", "{\"recipient\":\"mira\",\"text\":\"x\",\"from\":\"mira\"}");
      assertThat(ada.pipe().answer(2).at("/result/isError").asBoolean()).isTrue();
    }
    try (var mira = BridgeProcess.start(data, "--agent", "mira")) {
      mira.pipe().call(1, "check_inbox", "{}");
      JsonNode messages = result(mira, 1).path("messages");
      assertThat(messages).hasSize(1);
      assertThat(messages.at("/0/from").asText()).isEqualTo("ada");
    }
  }

  @Test
  void a_token_is_created_once_and_private() throws Exception {
    operator.createsExternal("mira");
    Path file = data.resolve("agents/mira.token");
    try (var first = BridgeProcess.start(data, "--agent", "mira")) {
      first.pipe().greet();
    }
    String token = Files.readString(file);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (var second = BridgeProcess.start(data, "--agent", "mira")) {
      second.pipe().greet();
    }
    assertThat(Files.readString(file)).isEqualTo(token);

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    try (var third = BridgeProcess.start(data, "--agent", "mira")) {
      assertThat(third.exitCode()).isEqualTo(2);
      assertThat(third.stderr()).contains("error FORBIDDEN", "chmod 600");
      assertThat(third.pipe().rest()).isEmpty();
    }
  }

  @Test
  void a_rejected_client_gets_the_reason() throws Exception {
    operator.creates("{\"name\":\"sam\",\"provider\":{\"name\":\"scripted\",\"playbook\":[]}}");
    try (var sam = BridgeProcess.start(data, "--agent", "sam");
        var unknown = BridgeProcess.start(data, "--agent", "nobody")) {
      sam.pipe().request(1, "tools/list", "{}");
      assertThat(error(sam, 1)).contains("run by the daemon");
      unknown.pipe().request(1, "tools/list", "{}");
      assertThat(error(unknown, 1)).contains("nobody");
    }
  }

  @Test
  void a_revoked_token_stops_working_immediately() throws Exception {
    operator.createsExternal("mira");
    Path file = data.resolve("own.token");
    Files.writeString(file, operator.mintsToken("mira") + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    try (var mira = BridgeProcess.start(data, "--agent", "mira", "--token-file", file.toString())) {
      mira.pipe().greet();
      mira.pipe().call(1, "check_inbox", "{}");
      result(mira, 1);
      operator.send("DELETE", "/api/tokens/" + Files.readString(file).split("_", 3)[1], "");
      mira.pipe().call(2, "check_inbox", "{}");
      assertThat(error(mira, 2)).contains("revoked");
    }
  }

  /// A program that the daemon starts gets the token of its turn.
  @Test
  @Requirement("A11")
  void a_program_in_a_turn_acts_in_that_turn() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String bridge = Path.of("target/classes").toAbsolutePath().toString();
    String script =
        """
        read -r events
        { echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_message",\
        "arguments":{"recipient":"mira","text":"from my turn","sync":false}}}'; } \
        | %s -cp %s dev.substrat.bridge.BridgeMain --data %s --agent sam > %s/answer
        echo '{"type":"done","response":"over"}'
        """
            .formatted(java, bridge, data, data);
    operator.createsExternal("mira");
    var json = new ObjectMapper();
    var agent = json.createObjectNode().put("name", "sam").put("parent", "mira");
    var provider = agent.putObject("provider").put("name", "scripted");
    provider.putArray("command").add("/bin/bash").add("-c").add(script);
    // In the sandbox it would see neither the bridge nor the data directory.
    agent.putObject("workspace").put("sandbox", "off");
    operator.creates(agent.toString());
    try (var mira = BridgeProcess.start(data, "--agent", "mira")) {
      mira.pipe().call("go", "send_message", "{\"recipient\":\"sam\",\"text\":\"go\"}");
      result(mira, "go");
      JsonNode messages = json.createArrayNode();
      for (int look = 0; messages.isEmpty(); look++) {
        mira.pipe().call(look, "check_inbox", "{}");
        messages = result(mira, look).path("messages");
      }
      assertThat(messages.at("/0/text").asText()).as(answer()).contains("from my turn");
      assertThat(data.resolve("agents/sam.token")).doesNotExist();
    }
  }

  private String answer() throws Exception {
    Path file = data.resolve("answer");
    return Files.exists(file) ? Files.readString(file) : "no answer yet";
  }

  @Test
  void the_bridge_ends_on_sigterm_or_closed_pipe() throws Exception {
    operator.createsExternal("mira");
    try (var terminated = BridgeProcess.start(data, "--agent", "mira");
        var unheard = BridgeProcess.startForOneLine(data, "--agent", "mira")) {
      terminated.pipe().greet();
      terminated.terminate();
      assertThat(terminated.exitCode()).isEqualTo(143);
      unheard.pipe().greet();
      askUntilDisconnected(unheard);
      assertThat(unheard.exitCode()).isEqualTo(1);
    }
  }

  /// More than the pipe's buffer.
  private static void askUntilDisconnected(BridgeProcess bridge) {
    try {
      for (int i = 0; i < 200; i++) {
        bridge.pipe().request(i, "tools/list", "{}");
      }
    } catch (IOException _) {
      // Already closed.
    }
  }

  private static JsonNode result(BridgeProcess bridge, Object id) throws Exception {
    JsonNode answer = bridge.pipe().answer(id);
    assertThat(answer.at("/result/isError").asBoolean(true)).as(answer.toString()).isFalse();
    return answer.at("/result/structuredContent");
  }

  private static String error(BridgeProcess bridge, Object id) throws Exception {
    return bridge.pipe().answer(id).at("/error/message").asText();
  }
}
