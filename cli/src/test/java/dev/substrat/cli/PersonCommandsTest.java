package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Commands for people, their roles and their scoped tokens.
final class PersonCommandsTest extends FakeDaemonCommands {
  private static final String ANA =
      "{\"name\":\"ana\",\"displayName\":\"Ana B.\",\"role\":\"operator\","
          + "\"createdAt\":\"2026-01-01T12:00:00Z\"}";

  @Test
  void a_person_is_created_with_a_role_and_listed_with_it() {
    daemon.answers("POST /api/people", 201, ANA);
    daemon.answers("GET /api/people", 200, "{\"people\":[%s]}".formatted(ANA));

    assertThat(run("person", "create", "ana", "--role", "operator").out())
        .isEqualTo("ana: operator\n");
    assertThat(run("person", "list").out()).containsPattern("ana +operator +Ana B\\.");
    assertThat(daemon.requests())
        .containsExactly(
            "POST /api/people {\"role\":\"operator\",\"name\":\"ana\"}", "GET /api/people");
  }

  @Test
  void a_new_role_keeps_the_display_name() {
    daemon.answers("GET /api/people", 200, "{\"people\":[%s]}".formatted(ANA));
    daemon.answers("PUT /api/people/ana", 200, ANA);

    assertThat(run("person", "update", "ana", "--role", "viewer").code()).isZero();
    assertThat(daemon.requests())
        .contains("PUT /api/people/ana {\"role\":\"viewer\",\"displayName\":\"Ana B.\"}");
    assertThat(run("person", "update", "ana").err()).contains("nothing to change");
  }

  @Test
  void a_person_is_removed() {
    daemon.answers("DELETE /api/people/ana", 204, "");

    assertThat(run("person", "remove", "ana").out()).isEqualTo("removed ana\n");
  }

  @Test
  void scopes_and_expiry_of_a_token_are_sent_and_shown() {
    daemon.answers("POST /api/tokens", 201, "{\"token\":\"t-5\",\"id\":\"13\"}");

    run(
        "token",
        "create",
        "--operator",
        "--scope",
        "agents:read",
        "--scope",
        "messages:send agent=mira",
        "--expires",
        "30d");
    assertThat(daemon.requests())
        .containsExactly(
            "POST /api/tokens {\"scopes\":[\"agents:read\",\"messages:send agent=mira\"],"
                + "\"expiresInSeconds\":2592000}");
    assertThat(run("token", "create", "--agent", "mira", "--scope", "agents:read").err())
        .contains("--scope needs --operator or --person");
    daemon.answers(
        "GET /api/tokens",
        200,
        """
        {"tokens":[{"id":"13","principal":"operator","label":"ci","scopes":["agents:read"],
          "createdAt":"2026-01-01T12:00:00Z"}]}
        """);
    assertThat(run("token", "list").out()).containsPattern("operator +ci +agents:read");
  }
}
