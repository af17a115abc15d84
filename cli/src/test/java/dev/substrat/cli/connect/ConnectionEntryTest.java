package dev.substrat.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.JsonTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Entries in each client's format, and recognition of our entries.
///
/// The formats are documented or were observed, except that of a program in Goose's file: it is
/// flat like the observed entry of a URL; one description nests it under `config`.
final class ConnectionEntryTest {
  private static final ConnectionEntry STDIO =
      new ConnectionEntry.StdioEntry("/s/substrat", List.of("mcp", "--agent", "a"));
  private static final ConnectionEntry HTTP =
      new ConnectionEntry.HttpEntry("http://h/mcp", "substrat_t1_x");
  private static final ConnectionEntry VARIABLE =
      new ConnectionEntry.HttpEntryWithVariable("http://h/mcp");

  private static String http(ClientKind client) {
    return JsonTree.text(HTTP.entry(client, "substrat"));
  }

  @Test
  void every_client_has_its_own_format_for_a_url() {
    String headers = "\"headers\":{\"Authorization\":\"Bearer substrat_t1_x\"}}";
    assertThat(http(ClientKind.CURSOR)).isEqualTo("{\"url\":\"http://h/mcp\"," + headers);
    assertThat(http(ClientKind.CLAUDE))
        .isEqualTo("{\"type\":\"http\",\"url\":\"http://h/mcp\"," + headers);
    assertThat(http(ClientKind.VSCODE)).isEqualTo(http(ClientKind.CLAUDE));
    assertThat(http(ClientKind.CODEX))
        .isEqualTo("{\"url\":\"http://h/mcp\"," + headers.replace("headers", "http_headers"));
    assertThat(http(ClientKind.GEMINI)).isEqualTo("{\"httpUrl\":\"http://h/mcp\"," + headers);
    assertThat(http(ClientKind.GOOSE))
        .contains("\"type\":\"streamable_http\",\"uri\":\"http://h/mcp\"," + headers);
    assertThat(http(ClientKind.OPENCODE))
        .contains("\"type\":\"remote\"", "\"oauth\":false", headers);
  }

  @ParameterizedTest
  @EnumSource
  void our_entries_are_recognized(ClientKind client) {
    assertThat(ClientConfigEntry.of(STDIO.entry(client, "x")).orElseThrow().holder())
        .isEqualTo("a");
    assertThat(ClientConfigEntry.of(HTTP.entry(client, "x")).orElseThrow().token())
        .hasValue("substrat_t1_x");
    assertThat(ClientConfigEntry.of(VARIABLE.entry(client, "x")).orElseThrow().holder())
        .isEqualTo("$SUBSTRAT_TOKEN");
  }

  @Test
  void other_entries_are_not_recognized() throws IOException {
    for (String foreign :
        List.of(
            "{\"command\":\"npx\",\"args\":[\"substrat\",\"mcp\"]}",
            "{\"command\":\"/opt/mysubstrat\",\"args\":[\"mcp\"]}",
            "{\"command\":\"/opt/substrat\",\"args\":[\"up\"]}",
            "{\"url\":\"http://h/mcp\",\"headers\":{\"Authorization\":\"Bearer other\"}}",
            "1")) {
      JsonNode entry = JsonTree.parse(foreign.getBytes(StandardCharsets.UTF_8));
      assertThat(ClientConfigEntry.of(entry)).as(foreign).isEmpty();
    }
  }

  @Test
  void changing_the_transport_removes_old_keys() {
    var before = HTTP.entry(ClientKind.CURSOR, "x").put("autoApprove", true);

    assertThat(
            JsonTree.text(ClientConfigEntry.refreshed(before, STDIO.entry(ClientKind.CURSOR, "x"))))
        .isEqualTo(
            "{\"autoApprove\":true,\"command\":\"/s/substrat\","
                + "\"args\":[\"mcp\",\"--agent\",\"a\"]}");
  }

  @Test
  void the_layout_of_version_2_is_kept() throws IOException {
    JsonNode file = JsonTree.parse("{\"mcp\":{\"servers\":{}}}".getBytes(StandardCharsets.UTF_8));

    assertThat(ClientKind.OPENCODE.container(file)).containsExactly("mcp", "servers");
    assertThat(ClientKind.OPENCODE.container(JsonTree.object())).containsExactly("mcp");
  }
}
