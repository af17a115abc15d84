package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.protocol.Fault;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OriginCheckTest {
  private final OriginCheck origins = new OriginCheck(Set.of("team.example"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:7420",
        "127.0.0.1:",
        "127.0.0.1:1",
        "[::1]",
        "[::1]:7420",
        "substrat.localhost:7420",
        "team.example:443"
      })
  void an_allowed_host_is_accepted_with_any_port(String host) {
    origins.require(host, List.of(), false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "localhost:7420.evil.example",
        "localhost:evil.example",
        "127.0.0.1:80@evil.example",
        "[::1].evil.example",
        "[::1]evil.example:80",
        "[::1",
        "evil.localhost",
        "team.example.evil.example",
        ""
      })
  void a_host_that_begins_like_an_allowed_one_is_foreign(String host) {
    assertThatThrownBy(() -> origins.require(host, List.of(), false)).isInstanceOf(Fault.class);
    assertThat(OriginCheck.isThisMachine(host)).isFalse();
  }
}
