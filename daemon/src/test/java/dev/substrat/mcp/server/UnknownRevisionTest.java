package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Protocol revisions that the server does not support: a stateless request is refused with the
/// supported revisions and has no effect, and `initialize` offers the newest revision with
/// sessions.
@Requirement("N3")
final class UnknownRevisionTest {
  private static final String SUPPORTED =
      "[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\",\"2025-03-26\"]";
  private static final String SEND =
      "{\"name\":\"send_message\",\"arguments\":{\"recipient\":\"ben\",\"text\":\"hi\"}%s}";

  private McpTeam team;

  @BeforeEach
  void open() {
    team = new McpTeam(TestDatabase.fresh(Dialect.SQLITE));
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1999-12-31", "2026-07-27", "2027-01-01", "2026-07-28x", "latest"})
  void a_stateless_request_of_an_unknown_revision_is_refused(String revision) {
    requireRefused(revision, send(revision, SEND.formatted(meta(revision))));
    requireRefused(revision, send(revision, SEND.formatted("")));
    requireNothingSent();
  }

  /// A client that names a revision with sessions in a stateless request mixes both eras.
  @ParameterizedTest
  @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25"})
  void a_stateless_request_of_a_revision_with_sessions_is_refused(String revision) {
    requireRefused(revision, send(revision, SEND.formatted(meta(revision))));
    requireNothingSent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1999-12-31", "2024-11-05", "2026-07-28", "2027-01-01", "latest", ""})
  void initialize_with_an_unknown_revision_offers_the_newest_one_with_sessions(String revision) {
    String hello = "{\"protocolVersion\":\"%s\",\"capabilities\":{}}".formatted(revision);

    TestClient.Answer answer =
        team.client("ada").post("/mcp", McpTeam.request("initialize", hello));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().at("/result/protocolVersion").asText()).isEqualTo("2025-11-25");
    assertThat(answer.header("Mcp-Session-Id")).isNotEmpty();
  }

  @Test
  void discovery_lists_the_supported_revisions() {
    String revision = "2026-07-28";
    JsonNode found =
        team.client("ada")
            .post(
                "/mcp",
                McpTeam.request("server/discover", "{" + meta(revision).substring(1) + "}"),
                "MCP-Protocol-Version",
                revision,
                "Mcp-Method",
                "server/discover")
            .body();
    assertThat(found.at("/result/supportedVersions")).hasToString(SUPPORTED);
  }

  private TestClient.Answer send(String revision, String parameters) {
    return team.client("ada")
        .post(
            "/mcp",
            McpTeam.request("tools/call", parameters),
            "MCP-Protocol-Version",
            revision,
            "Mcp-Method",
            "tools/call",
            "Mcp-Name",
            "send_message");
  }

  private static String meta(String revision) {
    return """
    ,"_meta":{"io.modelcontextprotocol/protocolVersion":"%s",
    "io.modelcontextprotocol/clientCapabilities":{}}\
    """
        .formatted(revision);
  }

  private static void requireRefused(String revision, TestClient.Answer answer) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(400);
    assertThat(answer.body().at("/error/code").asInt()).isEqualTo(-32022);
    assertThat(answer.body().at("/error/data/requested").asText()).isEqualTo(revision);
    assertThat(answer.body().at("/error/data/supported")).hasToString(SUPPORTED);
  }

  private void requireNothingSent() {
    assertThat(team.call("ben", "check_inbox", "{}").path("messages")).isEmpty();
  }
}
