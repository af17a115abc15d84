package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.server.Daemon;
import dev.substrat.testkit.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `mcp --zoo` as an IDE starts it, with a real daemon.
@Timeout(300)
final class ZooBridgeTest {
  @TempDir private Path data;
  private Daemon daemon;

  @BeforeEach
  void start() throws Exception {
    daemon =
        Daemon.start(
            new DaemonSettings("127.0.0.1", 0, data, null, 2, "error", Set.of()), Map.of());
    new OperatorClient(data).creates("{\"name\":\"Code Wizard\",\"systemPrompt\":\"Be concise.\"}");
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  @Test
  @Requirement({"S2-1", "S2-19"})
  void an_ide_loads_an_agent_over_stdio() throws Exception {
    try (var visitor = BridgeProcess.start(data, "--zoo")) {
      assertThat(visitor.pipe().greet().at("/result/instructions").asText())
          .contains("agent_zoo_list_agents");
      visitor.pipe().request(1, "tools/list", "{}");
      assertThat(visitor.pipe().answer(1).at("/result/tools"))
          .extracting(tool -> tool.path("name").asText())
          .containsExactly(
              "agent_zoo_create_brain_entry",
              "agent_zoo_delete_brain_entry",
              "agent_zoo_get_agent",
              "agent_zoo_inject",
              "agent_zoo_list_agents",
              "agent_zoo_query_brain",
              "agent_zoo_update_brain_entry");
      visitor.pipe().call(2, "agent_zoo_list_agents", "{}");
      String id = content(visitor, 2).at("/agents/0/id").asText();
      visitor.pipe().call(3, "agent_zoo_inject", "{\"agentId\":\"" + id + "\"}");
      assertThat(content(visitor, 3).path("prompt").asText())
          .startsWith("You are now Code Wizard. Use agentId=code-wizard")
          .endsWith("Be concise.");
      visitor.pipe().call(4, "check_inbox", "{}");
      assertThat(content(visitor, 4).path("code").asText()).isEqualTo("UNKNOWN_TOOL");
    }
  }

  @Test
  @Requirement({"S1-5", "N7"})
  void a_token_of_another_principal_is_refused() throws Exception {
    var operator = new OperatorClient(data);
    operator.createsExternal("mira");
    operator.createsExternal("ada");
    Path file = data.resolve("ada.token");
    Files.writeString(file, operator.mintsToken("ada"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    for (String[] whom : new String[][] {{"--agent", "mira"}, {"--zoo"}}) {
      var words = new ArrayList<>(List.of(whom));
      words.addAll(List.of("--token-file", file.toString()));
      try (var client = BridgeProcess.start(data, words.toArray(String[]::new))) {
        client
            .pipe()
            .request(1, "initialize", "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{}}");
        assertThat(client.pipe().answer(1).path("error").toString())
            .contains("FORBIDDEN", "the token belongs to agent/ada, not to");
      }
    }
    try (var client =
        BridgeProcess.start(data, "--agent", "ada", "--token-file", file.toString())) {
      assertThat(client.pipe().greet().has("result")).isTrue();
    }
  }

  @Test
  @Requirement({"S2-20", "S2-21", "S2-28", "S2-29", "S2-34", "N12"})
  void a_workspace_with_a_default_agent_sees_changes_over_stdio() throws Exception {
    new OperatorClient(data).creates("{\"name\":\"Doc Pro\",\"systemPrompt\":\"Explain.\"}");
    try (var visitor = BridgeProcess.start(data, "--zoo", "--default", "doc-pro")) {
      assertThat(visitor.pipe().greet().at("/result/instructions").asText())
          .contains("The default agent of this workspace is Doc Pro (agentId=doc-pro).");
      visitor.pipe().request(1, "prompts/get", "{\"name\":\"agent_zoo_use_default\"}");
      assertThat(visitor.pipe().answer(1).at("/result/messages/0/content/text").asText())
          .endsWith("Explain.");
      visitor.pipe().call(2, "agent_zoo_inject", "{\"agentId\":\"code-wizard\"}");
      assertThat(content(visitor, 2).path("prompt").asText()).endsWith("Be concise.");
      visitor
          .pipe()
          .call(3, "agent_zoo_inject", "{\"agentId\":\"doc-pro\",\"format\":\"structured\"}");
      assertThat(content(visitor, 3).path("systemPrompt").asText()).isEqualTo("Explain.");
      visitor.pipe().call(4, "agent_zoo_inject", "{\"agentId\":\"xyz\"}");
      assertThat(content(visitor, 4).toString())
          .isEqualTo(
              "{\"error\":true,\"code\":\"AGENT_NOT_FOUND\",\"message\":\"Agent with ID 'xyz' not"
                  + " found.\"}");

      new OperatorClient(data)
          .send("PUT", "/api/agents/doc-pro", "{\"name\":\"Doc Pro\",\"systemPrompt\":\"Hum.\"}");

      visitor.pipe().notification("notifications/prompts/list_changed");
      visitor.pipe().call(5, "agent_zoo_inject", "{\"agentId\":\"doc-pro\"}");
      assertThat(content(visitor, 5).path("prompt").asText()).endsWith("Hum.");
    }
    assertThat(data.resolve("zoo/doc-pro.token")).exists();
    assertThat(data.resolve("zoo.token")).doesNotExist();
  }

  @Test
  void a_zoo_token_is_created_once_and_private() throws Exception {
    Path file = data.resolve("zoo.token");
    String first = tokenAfterAVisit(file);

    assertThat(tokenAfterAVisit(file)).isEqualTo(first);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    JsonNode tokens = new OperatorClient(data).send("GET", "/api/tokens", "").path("tokens");
    assertThat(tokens.findValuesAsText("principal")).containsExactly("operator", "zoo");
  }

  private String tokenAfterAVisit(Path file) throws Exception {
    try (var visitor = BridgeProcess.start(data, "--zoo")) {
      visitor.pipe().greet();
    }
    return Files.readString(file);
  }

  private static JsonNode content(BridgeProcess bridge, Object id) throws Exception {
    return bridge.pipe().answer(id).at("/result/structuredContent");
  }
}
