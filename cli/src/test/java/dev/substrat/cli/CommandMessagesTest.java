package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Messages of commands name commands and options, not HTTP paths or classes.
final class CommandMessagesTest {
  @TempDir static Path data;
  private final FakeDaemon daemon;

  CommandMessagesTest() throws IOException {
    daemon = new FakeDaemon(data);
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  private static CliOutput run(String... args) {
    var all = new ArrayList<>(List.of("--data", data.toString()));
    all.addAll(List.of(args));
    return CliOutput.of(all.toArray(String[]::new));
  }

  private static String problem(String code, String message, String hint) {
    return "{\"error\":true,\"code\":\"%s\",\"message\":\"%s\",\"hint\":\"%s\"}"
        .formatted(code, message, hint);
  }

  @Test
  void hints_name_commands_and_options_instead_of_paths_and_keys() {
    String id = "01890000-aaaa-7000-8000-000000000001";
    daemon.answers(
        "POST /api/runs/" + id + "/fork",
        400,
        problem(
            "INVALID_ARGUMENTS",
            "/fromStep must be 1 to 2, not 9",
            "GET /api/runs/{id}/steps lists the steps of the run"));
    assertThat(run("run", "fork", id, "--from-step", "9").err())
        .contains("--from-step must be 1 to 2", "./substrat run show RUN lists the steps")
        .doesNotContain("/api/");

    daemon.answers(
        "DELETE /api/tokens/xx",
        404,
        problem(
            "NOT_FOUND", "token xx not found", "list (GET /api/tokens, ./substrat token list)"));
    assertThat(run("token", "revoke", "xx").err())
        .contains("hint: list with ./substrat token list\n");

    daemon.answers(
        "GET /api/agents/mria",
        404,
        problem(
            "AGENT_NOT_FOUND",
            "agent mria not found",
            "list agents with: substrat agent list (GET /api/agents)"));
    assertThat(run("agent", "show", "mria").err())
        .contains("hint: list agents with: substrat agent list\n");

    daemon.answers("GET /api/status", 404, problem("NOT_FOUND", "no", "POST /api/new makes one"));
    assertThat(run("status").err())
        .contains("hint: list commands with: ./substrat --help")
        .doesNotContain("/api/");
  }

  @Test
  void invalid_values_are_reported_without_class_names() {
    assertThat(run("agent", "budget", "mira", "--usd", "abc").err())
        .contains("'abc' is not a number")
        .doesNotContain("java", "BigDecimal");
    assertThat(run("agent", "budget", "mira", "--turns", "abc").err())
        .contains("'abc' is not a whole number");
    assertThat(run("token", "create").err())
        .contains("one of these is missing")
        .doesNotContain("Error:");
  }

  @Test
  void pointers_are_replaced_by_option_names() {
    daemon.answers(
        "POST /api/agents/mira/goals",
        400,
        """
        {"code":"INVALID_ARGUMENTS","message":"/goals/0/priority must be one of high, low",
         "hint":"h","details":[{"pointer":"/goals/0/priority","message":"must be one of high, low"}]}
        """);
    assertThat(run("goal", "set", "mira", "x", "--priority", "hihg").err())
        .isEqualTo("error INVALID_ARGUMENTS: --priority must be one of high, low\nhint: h\n");

    daemon.answers(
        "POST /api/agents/mira/plans",
        400,
        problem(
            "INVALID_ARGUMENTS",
            "/plans/0 needs exactly one of cron, scheduledAt, runAfter",
            "for example \\\"cron\\\":\\\"0 9 * * *\\\""));
    assertThat(run("plan", "set", "mira", "r", "x").err())
        .contains("the plan needs exactly one of --cron, --at, --after")
        .contains("hint: for example --cron \"0 9 * * *\"\n");

    daemon.answers(
        "PUT /api/spaces/general",
        400,
        problem("INVALID_ARGUMENTS", "/wakePolicy cannot be \\\"x\\\"", "it is one of: all"));
    assertThat(run("space", "set", "general", "--wake", "x").err())
        .contains("--wake cannot be \"x\"");

    daemon.answers(
        "DELETE /api/agents/mira/goals/g",
        404,
        problem("NOT_FOUND", "no", "list (GET /api/agents/{id}/goals, ./substrat goal list)"));
    assertThat(run("goal", "delete", "mira", "g").err())
        .contains("hint: list with ./substrat goal list\n");
  }

  @Test
  void details_in_the_message_are_not_repeated() {
    daemon.answers(
        "POST /api/agents",
        400,
        """
        {"code":"INVALID_ARGUMENTS","message":"/limits/x is not a known key; /name is missing",
         "hint":"h","details":[{"pointer":"/limits/x","message":"is not a known key"},
           {"pointer":"/name","message":"is missing"},{"pointer":"/role","message":"is odd"}]}
        """);
    assertThat(run("agent", "create", "mira").err())
        .isEqualTo(
            """
            error INVALID_ARGUMENTS: /limits/x is not a known key; the name is missing
              /role  is odd
            hint: h
            """);
  }

  @Test
  void usage_errors_are_in_plain_words() {
    assertMisuse("TEXT is missing", "send", "mira");
    assertMisuse("message needs a subcommand: list, release, retry, show, withdraw", "message");
    assertMisuse("'AGENT', 'TEXT' are missing", "send");
    assertMisuse("--depth needs a value", "space", "create", "x", "--depth");
    assertMisuse("unexpected argument 'world'", "send", "mira", "hello", "world");
    assertMisuse("in quotes", "send", "mira", "hello", "world");
    assertMisuse("unexpected arguments: 'b', 'c'", "status", "b", "c");
    assertMisuse("unknown option '--waiting'", "send", "mira", "x", "--waiting");
    assertMisuse("--limit: 'many' is not a whole number", "inbox", "--limit", "many");
    assertMisuse("is given more than once", "inbox", "--limit", "1", "--limit", "2");
    assertMisuse("only one of these", "plan", "set", "a", "b", "c", "--at", "x", "--cron", "y");
    assertMisuse("CLIENT: unknown client 'emacs'", "connect", "emacs");
  }

  private static void assertMisuse(String said, String... args) {
    assertThat(run(args))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.err())
              .contains(said)
              .contains("hint: ")
              .doesNotContain("index", "Missing required", "Expected", "Unmatched", "Error:");
        });
  }

  @Test
  void a_negative_number_is_the_value_of_its_option() {
    daemon.answers("POST /api/spaces", 400, problem("INVALID_ARGUMENTS", "/maxChainDepth x", "y"));

    assertThat(run("space", "create", "x", "--depth", "-1").err()).contains("--depth x");
    assertThat(daemon.requests().getLast()).contains("\"maxChainDepth\":-1");
  }

  @Test
  void an_empty_token_file_is_named() throws IOException {
    Files.writeString(data.resolve("operator.token"), "\n");

    assertThat(run("status").err())
        .contains("UNAUTHORIZED", "operator.token is empty", "restart the daemon")
        .doesNotContain("Bearer");
  }

  @Test
  void a_team_file_is_applied_and_not_created() throws IOException {
    Path file = Files.writeString(data.resolve("team.yaml"), "agents: [{name: mira}]");

    assertThat(run("agent", "create", "--config", file.toString()).err())
        .contains("declares a whole team", "./substrat apply " + file);
  }

  @Test
  void an_agents_file_is_created_and_not_applied() throws IOException {
    Path file = Files.writeString(data.resolve("mira.yaml"), "{name: mira, role: worker}");

    assertThat(run("apply", file.toString()).err())
        .contains("declares an agent, not a team", "agent create --config " + file);
    daemon.answers("GET /api/agents/mira", 200, "{\"handle\":\"mira\",\"state\":\"idle\"}");
    assertThat(run("apply", file.toString()).err())
        .contains("mira exists", "agent update mira --config " + file)
        .doesNotContain("agent create");
  }

  @Test
  void a_handle_in_use_is_reported() {
    daemon.answers("POST /api/agents", 201, "{\"id\":\"7\",\"handle\":\"lead-2\"}");
    assertThat(run("agent", "create", "Lead").err())
        .isEqualTo("the handle lead is taken; the new agent has the handle lead-2\n");

    daemon.answers("POST /api/agents", 201, "{\"id\":\"7\",\"handle\":\"lead\"}");
    assertThat(run("agent", "create", "Lead").err()).isEmpty();
  }

  @Test
  void an_agent_with_an_exhausted_budget_is_not_shown_as_idle() {
    daemon.answers(
        "GET /api/agents",
        200,
        """
        {"agents":[{"id":"1","handle":"ada","state":"idle","parentId":null,
         "stateReason":"BUDGET_EXHAUSTED: ada has used 2 of 2 turns"},
         {"id":"2","handle":"ben","state":"idle","parentId":null,"stateReason":null}]}
        """);

    assertThat(run("agent", "list").out()).contains("idle, out of budget");
    assertThat(run("agent", "tree").out()).isEqualTo("ada  idle, out of budget\nben  idle\n");
  }

  @Test
  void terminated_agents_are_listed_with_all() {
    daemon.answers(
        "GET /api/agents?terminated=true",
        200,
        "{\"agents\":[{\"id\":\"1\",\"handle\":\"ada\",\"state\":\"terminated\"}]}");

    assertThat(run("agent", "list", "--all").out()).contains("ada", "terminated");
  }

  @Test
  void a_message_without_answer_shows_why_it_waits() {
    daemon.answers(
        "POST /api/agents/mira/messages",
        201,
        "{\"message_id\":\"m1\",\"waits\":\"BUDGET_EXHAUSTED: mira has used 2 of 2 turns\"}");

    assertThat(run("send", "mira", "hello", "--no-reply"))
        .satisfies(ran -> {
          assertThat(ran.out()).contains("not requested", "message show m1");
          assertThat(ran.err())
              .contains("the message waits for budget: BUDGET_EXHAUSTED", "agent budget mira");
        });
  }

  @Test
  void an_answer_that_was_printed_is_read() {
    daemon
        .answers("POST /api/agents/mira/messages", 201, "{\"message_id\":\"m1\"}")
        .answers(
            "GET /api/messages/m1",
            200,
            "{\"status\":\"replied\",\"reply\":{\"message_id\":\"m2\",\"text\":\"Aye\"}}")
        .answers("GET /api/events", 200, "event: connected\ndata: {\"lastEvent\":1}\n\n");

    assertThat(run("send", "mira", "ready?", "--wait")).isEqualTo(new CliOutput(0, "Aye\n", ""));
    assertThat(daemon.requests().getLast()).isEqualTo("POST /api/inbox/read {\"message\":\"m2\"}");
  }

  @Test
  void messages_are_not_cut_in_a_pipe() {
    String text = "word ".repeat(80).strip();
    daemon.answers(
        "GET /api/inbox?limit=20",
        200,
        "{\"messages\":[{\"message_id\":\"m1\",\"from\":\"ada\",\"text\":\"%s\",\"read\":true}]}"
            .formatted(text));

    assertThat(run("inbox", "--peek").out()).contains(text).doesNotContain("…");
    assertThat(run("inbox", "--limit", "0"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.err()).contains("--limit must be 1 to 200, not 0");
        });
  }

  @Test
  void a_token_for_an_agent_that_the_daemon_runs_comes_with_a_warning() {
    daemon.answers("POST /api/agents/mira/tokens", 201, "{\"token\":\"t-1\",\"id\":\"9\"}");
    daemon.answers("GET /api/agents/mira", 200, "{\"provider\":{\"name\":\"scripted\"}}");
    assertThat(run("token", "create", "--agent", "mira"))
        .satisfies(ran -> {
          assertThat(ran.out()).isEqualTo("t-1\n");
          assertThat(ran.err()).contains("can only read", "external");
        });

    daemon.answers("GET /api/agents/mira", 200, "{\"provider\":{\"name\":\"external\"}}");
    assertThat(run("token", "create", "--agent", "mira").err()).isEmpty();
  }

  @Test
  void a_unique_prefix_of_a_run_id_is_enough() {
    String id = "01890000-aaaa-7000-8000-000000000001";
    daemon.answers("GET /api/runs?limit=200", 200, "{\"runs\":[{\"id\":\"%s\"}]}".formatted(id));
    daemon.answers("POST /api/runs/" + id + "/cancel", 204, "");

    assertThat(run("run", "cancel", "0189").out()).isEqualTo("cancelled  " + id + "\n");
  }
}
