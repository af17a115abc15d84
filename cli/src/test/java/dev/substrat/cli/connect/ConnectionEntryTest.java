package dev.substrat.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.wire.JsonTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Entries in each client's words, and how ours are known again.
///
/// The shapes are documented or were seen at work, except that of a program in Goose's file: it is
/// written as flat as an address is, which was seen; one description nests it under `config`.
final class ConnectionEntryTest {
  private static final ConnectionEntry STDIO =
      new ConnectionEntry.Stdio("/s/substrat", List.of("mcp", "--agent", "a"));
  private static final ConnectionEntry HTTP =
      new ConnectionEntry.Http("http://h/mcp", "substrat_t1_x");
  private static final ConnectionEntry VARIABLE =
      new ConnectionEntry.HttpByVariable("http://h/mcp");

  private static String http(ClientKind client) {
    return JsonTree.text(HTTP.entry(client, "substrat"));
  }

  @Test
  void every_client_has_its_own_words_for_an_address() {
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
  void what_we_made_is_known_again(ClientKind client) {
    assertThat(ClientEntry.of(STDIO.entry(client, "x")).orElseThrow().holder()).isEqualTo("a");
    assertThat(ClientEntry.of(HTTP.entry(client, "x")).orElseThrow().token())
        .hasValue("substrat_t1_x");
    assertThat(ClientEntry.of(VARIABLE.entry(client, "x")).orElseThrow().holder())
        .isEqualTo("$SUBSTRAT_TOKEN");
  }

  @Test
  void what_others_made_is_not() throws IOException {
    for (String foreign :
        List.of(
            "{\"command\":\"npx\",\"args\":[\"substrat\",\"mcp\"]}",
            "{\"command\":\"/opt/mysubstrat\",\"args\":[\"mcp\"]}",
            "{\"command\":\"/opt/substrat\",\"args\":[\"up\"]}",
            "{\"url\":\"http://h/mcp\",\"headers\":{\"Authorization\":\"Bearer other\"}}",
            "1")) {
      JsonNode entry = JsonTree.parse(foreign.getBytes(StandardCharsets.UTF_8));
      assertThat(ClientEntry.of(entry)).as(foreign).isEmpty();
    }
  }

  @Test
  void from_one_way_to_the_other_nothing_is_left_behind() {
    var before = HTTP.entry(ClientKind.CURSOR, "x").put("autoApprove", true);

    assertThat(JsonTree.text(ClientEntry.renewed(before, STDIO.entry(ClientKind.CURSOR, "x"))))
        .isEqualTo(
            "{\"autoApprove\":true,\"command\":\"/s/substrat\","
                + "\"args\":[\"mcp\",\"--agent\",\"a\"]}");
  }

  @Test
  void a_file_in_the_manner_of_version_2_is_kept_in_it() throws IOException {
    JsonNode file = JsonTree.parse("{\"mcp\":{\"servers\":{}}}".getBytes(StandardCharsets.UTF_8));

    assertThat(ClientKind.OPENCODE.container(file)).containsExactly("mcp", "servers");
    assertThat(ClientKind.OPENCODE.container(JsonTree.object())).containsExactly("mcp");
  }
}
