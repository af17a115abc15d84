package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// An idempotency key belongs to one caller and one tool.
@OnOneDatabase
@Requirement("N1")
final class IdempotencyKeyTest {
  private final McpTeam team;

  IdempotencyKeyTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void the_same_key_of_another_tool_is_another_key() {
    assertThat(call("send_message", message("mira")).path("status").asText()).isEqualTo("sent");

    assertThat(call("broadcast", "{\"text\":\"hello\"}").path("recipient_count").asInt())
        .isEqualTo(1);
    assertThat(team.call("ben", "check_inbox", "{}").path("messages")).hasSize(1);
  }

  @Test
  void a_key_reused_for_another_recipient_is_rejected() {
    JsonNode first = call("send_message", message("mira"));
    assertThat(call("send_message", message("mira"))).isEqualTo(first);

    assertThat(call("send_message", message("ben")).path("code").asText()).isEqualTo("CONFLICT");
    assertThat(team.call("ben", "check_inbox", "{}").path("messages")).isEmpty();
  }

  private static String message(String recipient) {
    return "{\"recipient\":\"%s\",\"text\":\"hello\",\"sync\":false}".formatted(recipient);
  }

  private JsonNode call(String tool, String arguments) {
    return team.client("ada")
        .post(
            "/mcp",
            McpTeam.request(
                "tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments)),
            "Idempotency-Key",
            "k1")
        .body()
        .path("result")
        .path("structuredContent");
  }
}
