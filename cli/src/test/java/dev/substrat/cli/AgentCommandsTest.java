package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// Commands for agents.
final class AgentCommandsTest extends FakeDaemonCommands {
  @Test
  void the_tree_shows_who_reports_to_whom() {
    assertThat(run("agent", "tree").out())
        .isEqualTo(
            """
            mira  busy
            ├─ ada  idle
            └─ ben  idle
            """);
  }

  @Test
  void warnings_of_the_daemon_are_printed() throws IOException {
    String made =
        "{\"handle\":\"zoe\",\"id\":\"7\",\"changed\":[\"tools\"],\"warnings\":[\"/x: hm\"]}";
    Path file = Files.writeString(data.resolve("zoe.yaml"), "name: zoe");
    daemon.answers("POST /api/agents", 201, made);
    daemon.answers("PUT /api/agents/zoe?dryRun=true", 200, made);
    daemon.answers("PUT /api/agents/zoe", 200, made);

    assertThat(run("agent", "create", "zoe").err()).isEqualTo("warning: /x: hm\n");
    assertThat(run("agent", "update", "zoe", "--config", file.toString()).err())
        .isEqualTo("warning: /x: hm\n");
    assertThat(run("agent", "create", "zoe", "--json").err()).isEmpty();
  }

  @Test
  void lists_are_aligned_and_clean() {
    var out = run("agent", "list").out();

    assertThat(out).doesNotContain("\u001b").contains("Ben\\u{1B}[31m");
    assertThat(out.lines().map(line -> line.indexOf("scripted")).skip(1).distinct()).hasSize(1);
  }

  @Test
  void an_agent_with_a_failed_turn_shows_the_next_attempt() {
    daemon.answers(
        "GET /api/agents",
        200,
        "{\"agents\":[{\"handle\":\"ada\",\"state\":\"idle\",\"nextTryAt\":\"2020-01-02T12:00:00Z\"}]}");

    assertThat(run("agent", "list").out()).contains("idle, next attempt at 2020-01-0");
  }

  @Test
  void an_agent_shows_what_blocks_it() {
    assertThat(
            state(
                """
                {"state":"failing","reason":"no model","attempts":3,"failure":"no model",
                 "nextTryAt":"2020-01-02T12:00:00Z","held":2,
                 "waitingFor":[{"agent":"ben","since":"2020-01-02T12:00:00Z"}]}
                """))
        .containsPattern("state +failing: 3 attempts, next at 2020-01-0\\S \\S+ \\(no model\\)\n")
        .containsPattern("\n +waiting for a reply from ben since 2020-01-0\\S \\S+\n")
        .containsPattern("\n +held: 2 messages\n");
    assertThat(
            state(
                """
                {"state":"no_budget","reason":"BUDGET_EXHAUSTED: mira has used 2 of 2 turns (budgetTurns)"}
                """))
        .containsPattern("state +waiting for budget: mira has used 2 of 2 turns");
    assertThat(state("{\"state\":\"paused\"}")).containsPattern("state +paused\n");
    assertThat(state("{\"state\":\"queued\"}")).containsPattern("state +waiting for a slot\n");
    assertThat(state("{\"state\":\"idle\"}")).containsPattern("state +idle\n");
    daemon.answers(
        "GET /api/agents",
        200,
        "{\"agents\":[{\"handle\":\"ada\",\"state\":\"idle\",\"condition\":{\"state\":\"no_budget\"}}]}");
    assertThat(run("agent", "list").out()).containsPattern("ada +no budget\n");
  }

  private String state(String condition) {
    daemon.answers(
        "GET /api/agents/mira",
        200,
        "{\"handle\":\"mira\",\"state\":\"idle\",\"condition\":%s,\"pendingCount\":1}"
            .formatted(condition));
    return run("agent", "show", "mira").out();
  }

  @Test
  void held_messages_are_shown_with_reason_and_command_and_the_parent_by_handle() {
    daemon.answers(
        "GET /api/agents/ben",
        200,
        """
        {"handle":"ben","parentId":"01a1ecde-aaaa-7000-8000-000000000001","state":"idle",
         "condition":{"state":"held","held":1,"waitingFor":[]},"pendingCount":0}
        """);
    daemon.answers(
        "GET /api/agents/01a1ecde-aaaa-7000-8000-000000000001", 200, "{\"handle\":\"mira\"}");
    daemon.answers(
        "GET /api/messages?held=true&agent=ben&limit=1",
        200,
        "{\"messages\":[{\"message_id\":\"m1\",\"held\":\"loop guard: the same text\"}]}");

    assertThat(run("agent", "show", "ben").out())
        .containsPattern("parent +mira\n")
        .containsPattern("state +held: 1 message \\(loop guard: the same text\\)\n")
        .containsPattern(" +see: \\S+ message list --held --agent ben ");
  }

  @Test
  void a_prompt_says_why_no_turn_starts() {
    daemon.answers(
        "GET /api/agents/mira/briefing",
        200,
        """
        {"agent":"mira","system":"You lead.","events":0,"turn":null,"waits":"no model",
         "nextTryAt":"2020-01-02T12:00:00Z"}
        """);

    assertThat(run("agent", "prompt", "mira").out())
        .containsPattern("no turn starts now: no model; next attempt at 2020-01-0\\S \\S+\n");
  }

  @Test
  void an_agent_shows_what_failed_and_how_it_is_configured_but_no_key() {
    daemon.answers(
        "GET /api/agents/mira",
        200,
        """
        {"handle":"mira","state":"idle","stateReason":null,
         "lastSaid":{"text":"The report is done.","runId":"r1","at":"2020-01-02T11:00:00Z"},
         "provider":{"name":"openai","model":"small","apiKey":"sk-secret",
          "baseUrl":"https://me:sk-secret@models.example/v1?key=sk-secret"},
         "tools":[{"name":"look","execution":{"headers":{"X":"sk-secret"}}}],
         "mcpServers":[{"name":"charts","url":"https://c.example/?k=sk-secret"}]}
        """);
    daemon.answers(
        "GET /api/agents/mira/config",
        200,
        """
        {"workspace":{"path":"/srv/project","mode":"worktree",
          "views":[{"path":"/srv/models","as":"/models"},{"path":"/srv/out","mode":"rw"}]},
         "spaces":{"finalText":"post"},
         "limits":{"maxTurnSeconds":60,"maxDepth":null}}
        """);
    daemon.answers(
        "GET /api/runs?agent=mira&limit=1",
        200,
        """
        {"runs":[{"status":"failed","stopReason":"no such model","endedAt":"2020-01-02T12:00:00Z"}]}
        """);

    assertThat(run("agent", "show", "mira").out())
        .containsPattern("last turn +failed at 2020-01-0\\d \\S+: no such model\n")
        .containsPattern("last output +The report is done. \\(2020-01-0\\d \\S+\\)\n")
        .containsPattern("spaces +finalText post\n")
        .containsPattern("baseUrl +https://models.example/v1\n")
        .containsPattern("custom tools +look\n")
        .containsPattern("MCP servers +charts\n")
        .containsPattern("workspace +/srv/project \\(mode worktree\\)\n")
        .containsPattern("views +/srv/models at /models \\(ro\\)\n +/srv/out \\(rw\\)\n")
        .containsPattern("limits +maxTurnSeconds 60\n")
        .doesNotContain("sk-secret");
  }

  @Test
  void json_output_is_the_daemons_response() {
    assertThat(run("agent", "list", "--json").out()).startsWith("{\"agents\":[{\"id\":\"1\"");
  }

  @Test
  void an_empty_list_says_what_to_do() {
    daemon.answers("GET /api/agents", 200, "{\"agents\":[]}");
    assertThat(run("agent", "list").out()).startsWith("no agents yet; create an agent: ./substrat");
  }

  @Test
  void fast_commands_print_the_same_as_picocli() {
    // A repeated option is parsed by picocli.
    assertThat(run("agent", "tree", "--data=" + data)).isEqualTo(run("agent", "tree"));
  }

  @Test
  void a_budget_is_shown_and_raised() {
    String budgets =
        """
        {"budgets":[{"agent":"mira","kind":"turns","cap":20,"spent":20,"reserved":0,"left":0,
         "exhausted":true},{"agent":"ada","kind":"usd","cap":2.5,"spent":0.02,"reserved":0.1,
         "left":2.38,"exhausted":false}]}
        """;
    daemon.answers("GET /api/agents/ada/budget", 200, budgets);
    daemon.answers("POST /api/agents/ada/budget", 200, budgets);

    assertThat(run("agent", "budget", "ada").out())
        .contains("mira", "exhausted", "0.02", "2.38")
        .doesNotContain("no budget");
    run("agent", "budget", "ada", "--usd", "2.5", "--turns", "40");
    assertThat(daemon.requests().getLast())
        .isEqualTo("POST /api/agents/ada/budget {\"usd\":2.5,\"turns\":40}");
  }

  @Test
  void a_prompt_is_shown_with_control_characters_escaped() {
    daemon.answers(
        "GET /api/agents/mira/briefing",
        200,
        """
        {"agent":"mira","system":"You are mira.\\n\\n## Your team\\n","events":1,
         "turn":"message from operator\\n<data-1>\\ngo\\u001b[2J\\n</data-1>"}
        """);
    daemon.answers("GET /api/agents/ada/briefing", 200, "{\"system\":\"x\",\"turn\":null}");

    assertThat(run("agent", "prompt", "mira").out())
        .isEqualTo(
            """
            --- system prompt ---
            You are mira.

            ## Your team

            --- next turn ---
            message from operator
            <data-1>
            go\\u{1B}[2J
            </data-1>
            """);
    assertThat(run("agent", "prompt", "ada").out())
        .endsWith("\nx\n\nno event is due for this agent now\n");
    assertThat(run("agent", "prompt", "ada", "--json").out())
        .isEqualTo("{\"system\":\"x\",\"turn\":null}\n");
  }

  @Test
  void typed_names_cannot_escape_their_path_segment() {
    run("agent", "terminate", "../tokens/1?x");

    assertThat(daemon.requests().getLast()).startsWith("DELETE /api/agents/..%2Ftokens%2F1%3Fx");
  }

  @Test
  void an_agent_is_created_from_file_and_options() throws IOException {
    daemon.answers("POST /api/agents", 201, "{\"id\":\"7\",\"handle\":\"ada\"}");
    Path file =
        Files.writeString(data.resolve("ada.yaml"), "name: Ada\nprovider: {name: claude}\n");

    var ran = run("agent", "create", "--config", file.toString(), "--toolsets", "team,memory");

    assertThat(ran.code()).isZero();
    assertThat(daemon.requests())
        .containsExactly(
            "POST /api/agents {\"name\":\"Ada\",\"provider\":{\"name\":\"claude\"},"
                + "\"toolsets\":[\"team\",\"memory\"]}");
  }

  @Test
  void an_agent_is_updated_from_a_file() throws IOException {
    Path file = Files.writeString(data.resolve("fix.yaml"), "role: reviewer\n");
    daemon.answers("GET /api/agents/mira", 200, "{\"handle\":\"mira\",\"name\":\"Mira\"}");
    daemon.answers(
        "PUT /api/agents/mira?dryRun=true",
        200,
        "{\"dryRun\":true,\"handle\":\"mira\",\"changed\":[\"role\",\"limits\"]}");
    daemon.answers("PUT /api/agents/mira", 200, "{\"handle\":\"mira\"}");
    String config = file.toString();

    assertThat(run("agent", "update", "mira", "--config", config, "--dry-run").out())
        .isEqualTo("would update  mira\nchanged       role, limits\n");
    assertThat(daemon.requests()).noneMatch(asked -> asked.startsWith("PUT /api/agents/mira {"));
    assertThat(run("agent", "update", "mira", "--config", config).out())
        .isEqualTo("updated  mira\nchanged  role, limits\n");
    assertThat(daemon.requests().getLast())
        .isEqualTo("PUT /api/agents/mira {\"role\":\"reviewer\",\"name\":\"Mira\"}");
    assertThat(run("agent", "update", "mira", "--config", config, "--json").out())
        .isEqualTo("{\"handle\":\"mira\"}\n");
    assertThat(run("agent", "update", "mira").err()).contains("--config");
  }

  @Test
  void all_pages_of_agents_are_listed() {
    daemon.answers(
        "GET /api/agents",
        200,
        "{\"agents\":[{\"id\":\"1\",\"handle\":\"mira\",\"state\":\"idle\"}],\"next\":\"1\"}");
    daemon.answers(
        "GET /api/agents?after=1",
        200,
        "{\"agents\":[{\"id\":\"2\",\"handle\":\"ada\",\"parentId\":\"1\",\"state\":\"idle\"}]}");

    assertThat(run("agent", "list").out()).contains("mira", "ada");
    assertThat(run("agent", "tree").out()).contains("└─ ada");
  }

  @Test
  void an_agent_shows_the_calls_that_the_daemon_executes_for_it() {
    String executing =
        """
        {"handle":"mira","state":"idle","executing":[
          {"callId":"01a1ecde-aaaa-7000-8000-000000000001","tool":"getslow","since":"%s"},
          {"callId":"01a1ecde-bbbb-7000-8000-000000000002","tool":"draw","since":"%s"}]}
        """
            .formatted(Instant.now().minusSeconds(12), Instant.now().minusSeconds(90));
    daemon.answers("GET /api/agents/mira", 200, executing);
    daemon.answers("GET /api/agents/mira/activity", 200, executing);
    daemon.answers("GET /api/agents", 200, "{\"agents\":[" + executing + "]}");

    String[] lines = {
      "executing +getslow \\(call 01a1ecde-aaaa-7000-8000-000000000001, for 1\\d\\.\\ds\\)\n",
      "\n +draw \\(call 01a1ecde-bbbb-7000-8000-000000000002, for 1m \\d+s\\)\n"
    };
    assertThat(run("agent", "show", "mira").out())
        .containsPattern(lines[0])
        .containsPattern(lines[1]);
    assertThat(run("agent", "inspect", "mira").out())
        .containsPattern(lines[0])
        .containsPattern(lines[1]);
    assertThat(run("agent", "list").out()).contains("idle, executing 2 calls");
  }
}
