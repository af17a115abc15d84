package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.mcp.wire.ProtocolRevision;
import dev.substrat.platform.json.Json;
import org.junit.jupiter.api.Test;

/// Sessions and subscriptions of one principal are limited, without effect on others.
final class SessionLimitsTest {
  private static final String URI = "substrat://inbox";
  private static final String OPERATOR = "operator";
  private static final String ANA = "person/ana";

  private final McpSessions sessions = new McpSessions();

  @Test
  void a_principal_with_too_many_sessions_loses_its_own_oldest_one() {
    String anas = begin();
    sessions.subscribe(ANA, anas, URI);
    String oldest = begin();
    sessions.subscribe(OPERATOR, oldest, URI);
    String second = begin();
    sessions.subscribe(OPERATOR, second, URI);
    for (int i = 0; i < McpSessions.MAX_PER_CALLER - 1; i++) {
      sessions.keep(OPERATOR, begin());
    }

    assertThat(sessions.find(OPERATOR, oldest).subscriptions()).isZero();
    assertThat(sessions.find(OPERATOR, second).subscriptions()).isEqualTo(1);
    assertThat(sessions.find(ANA, anas).subscriptions()).isEqualTo(1);
  }

  @Test
  void subscriptions_are_limited_over_all_sessions_of_a_principal() {
    for (int i = 0; i < McpSessions.MAX_SUBSCRIPTIONS / 500; i++) {
      String id = begin();
      for (int j = 0; j < 500; j++) {
        sessions.subscribe(OPERATOR, id, URI + "/" + j);
      }
    }

    assertThatThrownBy(() -> sessions.subscribe(OPERATOR, begin(), URI))
        .isInstanceOf(ProtocolError.class)
        .hasMessageContaining("2000 subscriptions");
    sessions.subscribe(ANA, begin(), URI);
  }

  private String begin() {
    return sessions.begin(ProtocolRevision.NEWEST_LEGACY, Json.object());
  }
}
