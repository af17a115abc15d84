package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/// Commands for tokens and the console link.
final class TokenCommandsTest extends FakeDaemonCommands {
  @Test
  void only_the_new_token_is_printed() {
    daemon.answers("POST /api/agents/mira/tokens", 201, "{\"token\":\"t-1\",\"id\":\"9\"}");

    assertThat(run("token", "create", "--agent", "mira").out()).isEqualTo("t-1\n");
    assertThat(run("token", "create", "--agent", "mira", "--json").out())
        .isEqualTo("{\"token\":\"t-1\",\"id\":\"9\"}\n");
  }

  @Test
  void a_token_is_for_an_agent_the_operator_or_a_zoo_client() {
    daemon.answers("POST /api/tokens", 201, "{\"token\":\"t-3\",\"id\":\"11\"}");

    assertThat(run("token", "create", "--zoo", "--label", "ide").out()).isEqualTo("t-3\n");
    run("token", "create", "--operator");
    assertThat(daemon.requests())
        .containsExactly(
            "POST /api/tokens {\"label\":\"ide\",\"zoo\":true}", "POST /api/tokens {}");
    assertThat(run("token", "create", "--zoo", "--operator").code()).isEqualTo(2);
    assertThat(run("token", "create").code()).isEqualTo(2);
  }

  @Test
  void creating_a_person_with_a_token_prints_a_note() {
    String answer = "{\"token\":\"t-4\",\"id\":\"12\",\"person\":\"ana\",\"created\":%s}";
    daemon.answers("POST /api/tokens", 201, answer.formatted("true"));

    var ran = run("token", "create", "--person", "ana");
    assertThat(ran.out()).isEqualTo("t-4\n");
    assertThat(ran.err()).isEqualTo("note: created person ana\n");
    assertThat(daemon.requests()).containsExactly("POST /api/tokens {\"person\":\"ana\"}");

    daemon.answers("POST /api/tokens", 201, answer.formatted("false"));
    assertThat(run("token", "create", "--person", "ana").err()).isEmpty();
  }

  @Test
  void only_the_rotated_token_is_printed() {
    daemon.answers("POST /api/tokens/9/rotate", 201, "{\"token\":\"t-2\",\"id\":\"10\"}");

    assertThat(run("token", "rotate", "9", "--grace", "2m").out()).isEqualTo("t-2\n");
    assertThat(daemon.requests()).contains("POST /api/tokens/9/rotate {\"graceSeconds\":120}");
    run("token", "rotate", "9");
    assertThat(daemon.requests()).contains("POST /api/tokens/9/rotate {\"graceSeconds\":0}");
  }

  @Test
  void the_token_in_use_is_revoked_only_with_yes() throws IOException {
    String id = FakeDaemon.TOKEN.split("_", 3)[1];
    daemon.answers("DELETE /api/tokens/" + id, 204, "");

    var refused = run("token", "revoke", id);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("CONFLICT", "./substrat token rotate " + id, "--yes");
    assertThat(daemon.requests()).isEmpty();

    assertThat(run("token", "revoke", id, "--yes").out()).isEqualTo("revoked " + id + "\n");
  }

  @Test
  void all_pages_of_tokens_are_listed() {
    daemon.answers(
        "GET /api/tokens",
        200,
        "{\"tokens\":[{\"id\":\"7\",\"principal\":\"2\",\"label\":\"\"}],\"next\":\"7\"}");
    daemon.answers(
        "GET /api/tokens?after=7",
        200,
        "{\"tokens\":[{\"id\":\"8\",\"principal\":\"operator\",\"label\":\"\"}]}");

    assertThat(run("token", "list").out().lines().skip(1))
        .containsExactly("7   ada", "8   operator");
    assertThat(run("token", "list", "--json").out()).contains("\"id\":\"7\"", "\"id\":\"8\"");
  }

  @Test
  void tokens_are_listed_with_the_names_of_their_agents() {
    daemon.answers(
        "GET /api/tokens",
        200,
        """
        {"tokens":[{"id":"7","principal":"2","label":""},{"id":"8","principal":"gone","label":""},
         {"id":"9","principal":"operator","label":""}]}
        """);

    assertThat(run("token", "list").out().lines().skip(1))
        .containsExactly("7   ada", "8   gone", "9   operator");
  }

  @Test
  void a_zoo_token_may_have_a_default_agent() {
    daemon
        .answers("POST /api/tokens", 201, "{\"token\":\"t-1\"}")
        .answers(
            "GET /api/tokens",
            200,
            "{\"tokens\":[{\"id\":\"7\",\"principal\":\"zoo\",\"defaultAgent\":\"2\",\"label\":\"\"}]}");

    assertThat(run("token", "create", "--zoo", "--default", "ada").out()).isEqualTo("t-1\n");
    assertThat(daemon.requests().getLast())
        .isEqualTo("POST /api/tokens {\"defaultAgent\":\"ada\",\"zoo\":true}");
    assertThat(run("token", "list").out()).contains("zoo, default ada");
    assertThat(run("token", "create", "--operator", "--default", "ada").err())
        .contains("INVALID_ARGUMENTS", "--default needs --zoo");
  }

  @Test
  void a_zoo_token_may_be_limited_to_some_agents() {
    daemon
        .answers("POST /api/tokens", 201, "{\"token\":\"t-1\"}")
        .answers(
            "GET /api/tokens",
            200,
            "{\"tokens\":[{\"id\":\"7\",\"principal\":\"zoo\",\"agents\":[\"2\",\"gone\"],\"label\":\"\"}]}");

    assertThat(run("token", "create", "--zoo", "--agents", "ada,ben").out()).isEqualTo("t-1\n");
    assertThat(daemon.requests().getLast())
        .isEqualTo("POST /api/tokens {\"agents\":[\"ada\",\"ben\"],\"zoo\":true}");
    assertThat(run("token", "list").out()).contains("zoo (ada, gone)");
    assertThat(run("token", "create", "--operator", "--agents", "ada").err())
        .contains("INVALID_ARGUMENTS", "--agents needs --zoo");
  }

  @Test
  void only_the_console_link_is_printed() {
    daemon.answers("POST /api/login-links", 201, "{\"url\":\"http://h/login?code=c\"}");

    assertThat(run("console").out()).isEqualTo("http://h/login?code=c\n");
  }
}
