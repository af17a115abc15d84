package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.platform.json.Json;
import dev.substrat.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// State that a client carries for the server is valid for the same principal, the same request and
/// a limited time.
final class SignedStateTest {
  private final SettableClock clock = new SettableClock(Instant.parse("2026-01-01T12:00:00Z"));
  private final SignedState seal = new SignedState(clock);
  private final ObjectNode state = Json.object().put("round", 2);
  private final String sealed = seal.close(state, "ada", request("{\"name\":\"a\",\"x\":1}"));

  @Test
  void sealed_state_opens_for_the_same_request_with_other_metadata() {
    var again =
        request(
            "{\"name\":\"a\",\"x\":1,\"inputResponses\":{\"q\":{}},\"requestState\":\"s\",\"_meta\":{}}");
    assertThat(seal.open(sealed, "ada", again)).isEqualTo(state);
    clock.pass(Duration.ofMinutes(14));
    assertThat(seal.open(sealed, "ada", again)).isEqualTo(state);
  }

  @Test
  void sealed_state_is_rejected_for_other_principals_and_requests() {
    var same = request("{\"name\":\"a\",\"x\":1}");
    assertIsRefused(seal, sealed, "ben", same);
    assertIsRefused(seal, sealed, "ada", request("{\"name\":\"a\",\"x\":2}"));
    assertIsRefused(seal, sealed, "ada", request("{\"name\":\"a\"}"));
    assertIsRefused(
        seal, sealed, "ada", new ClientMessage.ClientRequest(same.id(), "x", same.params()));
  }

  @Test
  void sealed_state_is_rejected_after_its_expiry_and_after_a_restart() {
    assertIsRefused(new SignedState(clock), sealed, "ada", request("{\"name\":\"a\",\"x\":1}"));
    clock.pass(Duration.ofMinutes(15));
    assertIsRefused(seal, sealed, "ada", request("{\"name\":\"a\",\"x\":1}"));
  }

  @Test
  void sealed_state_with_a_changed_character_is_rejected() {
    for (int i = 0; i < sealed.length(); i++) {
      // The last character of each half has unused bits.
      if (i != sealed.length() - 1 && i != sealed.indexOf('.') - 1) {
        char other = sealed.charAt(i) == 'A' ? 'B' : 'A';
        String changed = sealed.substring(0, i) + other + sealed.substring(i + 1);
        assertIsRefused(seal, changed, "ada", request("{\"name\":\"a\",\"x\":1}"));
      }
    }
  }

  private static void assertIsRefused(
      SignedState seal, String text, String principal, ClientMessage.ClientRequest request) {
    assertThatThrownBy(() -> seal.open(text, principal, request))
        .as(text)
        .isInstanceOf(ProtocolError.class)
        .hasMessageContaining("/params/requestState");
  }

  private static ClientMessage.ClientRequest request(String params) {
    return new ClientMessage.ClientRequest(
        new IntNode(1), "tools/call", (ObjectNode) Json.own(params));
  }
}
