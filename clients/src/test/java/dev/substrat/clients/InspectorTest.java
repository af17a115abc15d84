package dev.substrat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.substrat.testkit.Requirement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The official MCP inspector as a client, on its command line.
@Requirement("N3")
@Timeout(300)
final class InspectorTest {
  private static Inspector inspector;

  @TempDir private Path data;
  private McpClientFixture harbor;

  @BeforeAll
  static void install() throws Exception {
    inspector = Inspector.install();
  }

  @BeforeEach
  void start() throws Exception {
    harbor = new McpClientFixture(data);
  }

  @AfterEach
  void stop() {
    harbor.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"legacy", "auto", "modern"})
  void the_inspector_works_over_http(String era) throws Exception {
    work(
        List.of(
            "--transport",
            "http",
            "--header",
            "Authorization: Bearer " + harbor.token("ada"),
            "--protocol-era",
            era,
            "--",
            harbor.url() + "/mcp"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"legacy", "auto", "modern"})
  void the_inspector_works_over_stdio(String era) throws Exception {
    var server = new ArrayList<>(List.of("--protocol-era", era, "--"));
    server.addAll(harbor.server("ada"));
    work(server);
  }

  private void work(List<String> server) throws Exception {
    assertThat(ask(server, "tools/list").path("tools").findValuesAsText("name"))
        .contains("send_message", "check_inbox");
    JsonNode sent =
        ask(
            server,
            "tools/call",
            "--tool-name",
            "send_message",
            "--tool-arg",
            "recipient=mira",
            "text=ahoy",
            "sync=false");
    assertThat(sent.at("/structuredContent/status").asText()).as("%s", sent).isEqualTo("sent");
  }

  private static JsonNode ask(List<String> server, String method, String... more) throws Exception {
    var arguments = new ArrayList<>(List.of("--cli", "--method", method));
    arguments.addAll(List.of(more));
    arguments.addAll(server);
    Inspector.Result result = inspector.run(arguments);
    assertThat(result.code()).as("%s: %s", arguments, result).isZero();
    return new ObjectMapper().readTree(result.output());
  }
}
