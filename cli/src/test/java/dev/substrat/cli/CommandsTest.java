package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandsTest {
  private static final String AGENTS =
      """
      {"agents":[
        {"id":"1","handle":"mira","name":"Mira","parentId":null,"state":"busy","pendingCount":2,
         "provider":{"name":"scripted"},"createdAt":"2026-01-01T12:00:00Z"},
        {"id":"2","handle":"ada","name":"Ada","parentId":"1","state":"idle","pendingCount":0,
         "provider":{"name":"scripted"},"createdAt":"2026-01-01T12:00:00Z"},
        {"id":"3","handle":"ben","name":"Ben\\u001b[31m","parentId":"1","state":"idle",
         "pendingCount":0,"provider":{"name":"scripted"},"createdAt":"2026-01-01T12:00:00Z"}]}
      """;

  @TempDir static Path data;
  private final PlayedDaemon daemon;

  CommandsTest() throws IOException {
    daemon = new PlayedDaemon(data);
  }

  @BeforeEach
  void play() {
    daemon.answers("GET /api/agents", 200, AGENTS);
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  private static Ran run(String... args) {
    var all = new ArrayList<>(List.of("--data", data.toString()));
    all.addAll(List.of(args));
    return Ran.of(all.toArray(String[]::new));
  }

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
  void lists_are_aligned_and_clean() {
    var out = run("agent", "list").out();

    assertThat(out).doesNotContain("\u001b").contains("Ben␛[31m");
    assertThat(out.lines().map(line -> line.indexOf("scripted")).skip(1).distinct()).hasSize(1);
  }

  @Test
  void json_is_what_the_daemon_said() {
    assertThat(run("agent", "list", "--json").out()).startsWith("{\"agents\":[{\"id\":\"1\"");
  }

  @Test
  void an_empty_list_says_what_to_do() {
    daemon.answers("GET /api/agents", 200, "{\"agents\":[]}");
    assertThat(run("agent", "list").out()).startsWith("no agents yet; create one: ./substrat");
  }

  @Test
  void the_short_way_and_the_long_way_print_the_same() {
    // An option given twice, in either form, is more than the short way understands.
    assertThat(run("agent", "tree", "--data=" + data)).isEqualTo(run("agent", "tree"));
  }

  @Test
  void a_new_token_is_all_that_is_printed() {
    daemon.answers("POST /api/agents/mira/tokens", 201, "{\"token\":\"t-1\",\"id\":\"9\"}");

    assertThat(run("token", "create", "--agent", "mira").out()).isEqualTo("t-1\n");
    assertThat(run("token", "create", "--agent", "mira", "--json").out())
        .isEqualTo("{\"token\":\"t-1\",\"id\":\"9\"}\n");
  }

  @Test
  void a_rotated_token_is_all_that_is_printed() {
    daemon.answers("POST /api/tokens/9/rotate", 201, "{\"token\":\"t-2\",\"id\":\"10\"}");

    assertThat(run("token", "rotate", "9", "--grace", "2m").out()).isEqualTo("t-2\n");
    assertThat(daemon.requests()).contains("POST /api/tokens/9/rotate {\"graceSeconds\":120}");
    run("token", "rotate", "9");
    assertThat(daemon.requests()).contains("POST /api/tokens/9/rotate {\"graceSeconds\":0}");
  }

  @Test
  void the_token_in_use_is_revoked_only_with_yes() throws IOException {
    String id = PlayedDaemon.TOKEN.split("_", 3)[1];
    daemon.answers("DELETE /api/tokens/" + id, 204, "");

    var refused = run("token", "revoke", id);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("CONFLICT", "./substrat token rotate " + id, "--yes");
    assertThat(daemon.requests()).isEmpty();

    assertThat(run("token", "revoke", id, "--yes").out()).isEqualTo("revoked " + id + "\n");
  }

  @Test
  void tokens_are_listed_page_after_page() {
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
  void a_message_tells_how_far_it_has_come() {
    daemon.answers(
        "GET /api/messages/m1",
        200,
        """
        {"message_id":"m1","from":"operator","to":"mira","text":"Ready?","status":"dead",
         "history":[{"status":"stored","at":"2020-01-01T12:00:00Z"},
                    {"status":"dead","at":"2020-01-01T12:00:01Z"}],"reason":"crashed"}
        """);

    assertThat(run("message", "show", "m1").out())
        .contains("status   dead", "reason   crashed", "text     Ready?")
        .containsPattern("history  2020-01-0\\d \\S+  stored\n         2020-01-0\\d \\S+  dead\n");
  }

  @Test
  void the_link_to_the_console_is_all_that_is_printed() {
    daemon.answers("POST /api/login-links", 201, "{\"url\":\"http://h/login?code=c\"}");

    assertThat(run("console").out()).isEqualTo("http://h/login?code=c\n");
  }

  @Test
  void the_inbox_marks_what_is_new_and_what_was_shown_is_read() {
    daemon.answers(
        "GET /api/inbox?limit=2",
        200,
        """
        {"messages":[{"message_id":"m1","from":"ada","text":"two","read":true},
         {"message_id":"m2","from":"ben","text":"three","read":false}],"unread":1}
        """);
    daemon.answers("POST /api/inbox/read", 200, "{\"read\":1}");

    assertThat(run("inbox", "--limit", "2"))
        .satisfies(ran -> {
          assertThat(ran.out())
              .containsPattern("(?m)^   .*two$")
              .containsPattern("(?m)^\\* .*three$");
          assertThat(ran.err()).contains("there may be older ones");
        });
    assertThat(daemon.requests().getLast()).contains("\"up_to\":\"m2\"");
  }

  @Test
  void what_was_not_shown_stays_unread() {
    daemon.answers(
        "GET /api/inbox?limit=1",
        200,
        """
        {"messages":[{"message_id":"m9","from":"ben","text":"newest","read":false}],"unread":3}
        """);

    // Reading up to the newest would take the older ones along; nothing else is answered here.
    assertThat(run("inbox", "--limit", "1"))
        .satisfies(ran -> {
          assertThat(ran.code()).isZero();
          assertThat(ran.err()).contains("2 more unread", "inbox --unread");
        });
  }

  @Test
  void a_glance_at_the_inbox_leaves_everything_unread() {
    daemon.answers(
        "GET /api/inbox?limit=20&unread=true",
        200,
        """
        {"messages":[{"message_id":"m2","from":"ben","text":"three","read":false}],"unread":3}
        """);

    // Anything but that one request would be answered with an error.
    assertThat(run("inbox", "--unread", "--peek"))
        .satisfies(ran -> {
          assertThat(ran.code()).isZero();
          assertThat(ran.err()).contains("2 more unread");
        });
  }

  @Test
  void a_failed_run_says_why_and_part_of_an_id_is_enough() {
    String ada = "01890000-aaaa-7000-8000-000000000001";
    String ben = "01890000-bbbb-7000-8000-000000000002";
    String failed =
        "{\"id\":\"%s\",\"agent\":\"ada\",\"status\":\"failed\",\"stopReason\":\"crashed\"}"
            .formatted(ada);
    String runs = "{\"runs\":[%s,{\"id\":\"%s\"}]}".formatted(failed, ben);
    daemon.answers("GET /api/runs?limit=20", 200, runs);
    daemon.answers("GET /api/runs?limit=200", 200, runs);
    daemon.answers("GET /api/runs/" + ada, 200, failed);
    daemon.answers("GET /api/runs/" + ada + "/events", 200, "{\"events\":[]}");
    daemon.answers("GET /api/runs/" + ada + "/messages", 200, "{\"messages\":[]}");

    assertThat(run("run", "list").out().lines().skip(1).findFirst().orElse("")).endsWith("crashed");
    assertThat(run("run", "show", "01890000-a").out()).contains(ada, "crashed");
    assertThat(run("run", "show", "01890000"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.err()).contains("2 runs begin with 01890000");
        });
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
  void a_run_shows_what_it_was_given_called_and_answered() {
    daemon.answers("GET /api/runs/r1", 200, "{\"id\":\"r1\",\"attempt\":2,\"retryOf\":\"r0\"}");
    daemon.answers(
        "GET /api/runs/r1/events",
        200,
        """
        {"events":[{"kind":"message","shownAt":"2020-01-01T12:00:00Z",
          "payload":{"from":"operator","text":"Ready?"}}]}
        """);
    daemon.answers(
        "GET /api/runs/r1/messages",
        200,
        """
        {"messages":[
          {"type":"tool_call_message","step":1,"toolName":"check_inbox","toolCallId":"c1",
           "toolInput":{"sender":"ben"},"replayed":true},
          {"type":"tool_return_message","step":1,"toolCallId":"c1","content":"{\\"messages\\":[]}"},
          {"type":"tool_call_message","step":2,"toolName":"fly","toolCallId":"c2","toolInput":{}}]}
        """);

    assertThat(run("run", "show", "r1").out())
        .contains("attempt   2", "retry of  r0")
        .containsPattern("message +operator +2020-01-0\\d \\S+ +Ready\\?")
        .containsPattern(
            "1 +check_inbox \\(replayed\\) +\\{\"sender\":\"ben\"} +\\{\"messages\":\\[]}")
        .containsPattern("2 +fly +\\{} +none");
  }

  @Test
  void a_replay_that_differs_says_where_and_ends_with_1() {
    daemon.answers(
        "POST /api/runs/r1/replay",
        200,
        """
        {"run":"r1","equal":false,"complete":true,"steps":2,"calls":1,"divergence":{"step":2,
          "recorded":{"call":"send_message","arguments":{"text":"one"}},
          "now":{"call":"send_message","arguments":{"text":"two","sync":true}},
          "differences":[{"pointer":"/text","recorded":"one","now":"two"},
                         {"pointer":"/sync","now":true}]}}
        """);

    assertThat(run("run", "replay", "r1", "--model", "bold"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(1);
          assertThat(ran.out())
              .startsWith("diverged in step 2\nrecorded  calls send_message {\"text\":\"one\"}\n")
              .containsPattern("/text +\"one\" +\"two\"\n/sync +nothing +true");
        });
    assertThat(daemon.requests()).contains("POST /api/runs/r1/replay {\"model\":\"bold\"}");
  }

  @Test
  void a_replay_that_is_the_same_says_how_far_the_record_goes() {
    daemon.answers(
        "POST /api/runs/r1/replay",
        200,
        """
        {"equal":true,"complete":false,"steps":1,"calls":1,"stopReason":"its daemon went away"}
        """);

    assertThat(run("run", "replay", "r1"))
        .satisfies(ran -> {
          assertThat(ran.code()).isZero();
          assertThat(ran.out())
              .contains("the same again: 1 step, 1 call", "ends early: its daemon went away");
        });
  }

  @Test
  void a_prompt_is_shown_as_it_is_but_harmless() {
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
            go␛[2J
            </data-1>
            """);
    assertThat(run("agent", "prompt", "ada").out()).endsWith("\nx\n\nnothing is due for it now\n");
    assertThat(run("agent", "prompt", "ada", "--json").out())
        .isEqualTo("{\"system\":\"x\",\"turn\":null}\n");
  }

  @Test
  void what_people_type_cannot_leave_its_place_in_the_path() {
    run("agent", "terminate", "../tokens/1?x");

    assertThat(daemon.requests().getLast()).startsWith("DELETE /api/agents/..%2Ftokens%2F1%3Fx");
  }

  @Test
  void an_agent_is_made_from_file_and_options() throws IOException {
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
}
