package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Commands for runs.
final class RunCommandsTest extends FakeDaemonCommands {
  @Test
  void a_failed_run_shows_its_reason_and_an_id_prefix_is_enough() {
    String ada = "01890000-aaaa-7000-8000-000000000001";
    String ben = "01890000-bbbb-7000-8000-000000000002";
    String failed =
        "{\"id\":\"%s\",\"agent\":\"ada\",\"status\":\"failed\",\"stopReason\":\"crashed\"}"
            .formatted(ada);
    String runs = "{\"runs\":[%s,{\"id\":\"%s\"}]}".formatted(failed, ben);
    daemon.answers("GET /api/runs?limit=20", 200, runs);
    daemon.answers("GET /api/runs?limit=200", 200, runs);
    daemon.answers("GET /api/runs/" + ada, 200, failed);
    daemon.answers("GET /api/runs/" + ada + "/steps", 200, "{\"steps\":[]}");
    daemon.answers("GET /api/runs/" + ada + "/events", 200, "{\"events\":[]}");
    daemon.answers("GET /api/runs/" + ada + "/messages?limit=200", 200, "{\"messages\":[]}");

    assertThat(run("run", "list").out().lines().skip(1).findFirst().orElse("")).endsWith("crashed");
    assertThat(run("run", "show", "01890000-a").out()).contains(ada, "crashed");
    assertThat(run("run", "show", "01890000"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.err()).contains("2 runs have an id that begins with 01890000");
        });
  }

  @Test
  void a_list_is_read_page_by_page_up_to_the_limit() {
    String page = "{\"runs\":[{\"id\":\"%s\",\"agent\":\"ada\"}%s],\"next\":\"%s\"}";
    String more = ",{\"id\":\"x\"}".repeat(199);
    daemon.answers("GET /api/runs?limit=200", 200, page.formatted("r9", more, "r8"));
    daemon.answers("GET /api/runs?limit=5&before=r8", 200, page.formatted("r7", "", "r6"));
    daemon.answers("GET /api/runs?limit=4&before=r6", 200, "{\"runs\":[{\"id\":\"r5\"}]}");
    daemon.answers("GET /api/runs?limit=1&before=r3", 200, page.formatted("r2", "", "r1"));

    assertThat(run("run", "list", "--limit", "205").out()).contains("r9", "r7", "r5");
    assertThat(run("run", "list", "--limit", "1", "--before", "r3"))
        .satisfies(ran -> {
          assertThat(ran.out()).contains("r2");
          assertThat(ran.err()).contains("older runs: add --before r1");
        });
  }

  @Test
  void the_list_counts_refused_and_failed_calls() {
    daemon.answers(
        "GET /api/runs?limit=20",
        200,
        """
        {"runs":[{"id":"r1","agent":"ada","status":"done","calls":4,"refusedCalls":1,
          "failedCalls":2,"response":"ready"},
         {"id":"r0","agent":"ada","status":"done","calls":3,"refusedCalls":0,"failedCalls":0}]}
        """);
    assertThat(run("run", "list").out())
        .containsPattern("CALLS +OUTCOME")
        .containsPattern("4, 1 rejected, 2 failed +ready")
        .containsPattern("r0 .* 3 *\n");
  }

  @Test
  void a_run_shows_input_calls_and_results() {
    daemon.answers("GET /api/runs/r1", 200, "{\"id\":\"r1\",\"attempt\":2,\"retryOf\":\"r0\"}");
    daemon.answers(
        "GET /api/runs/r1/steps",
        200,
        """
        {"steps":[
          {"step":1,"model":"big","inputTokens":100,"outputTokens":10,"costMicros":1500},
          {"step":2,"model":"small","inputTokens":200,"outputTokens":20,"costMicros":500}]}
        """);
    daemon.answers(
        "GET /api/runs/r1/events",
        200,
        """
        {"events":[{"kind":"message","shownAt":"2020-01-01T12:00:00Z",
          "payload":{"from":"operator","text":"Ready?"}}]}
        """);
    daemon.answers(
        "GET /api/runs/r1/messages?limit=200",
        200,
        """
        {"messages":[
          {"type":"tool_call_message","step":1,"toolName":"check_inbox","toolCallId":"c1",
           "toolInput":{"sender":"ben"},"replayed":true},
          {"type":"tool_return_message","step":1,"toolCallId":"c1","content":"{\\"messages\\":[]}"},
          {"type":"tool_call_message","step":2,"toolName":"fly","toolCallId":"c2","toolInput":{}}]}
        """);

    assertThat(run("run", "show", "r1").out())
        .contains("attempt   2", "retry of  r0", "model     big, small")
        .contains("usage     300 tokens in, 30 out, 0.002 USD, 2 steps")
        .containsPattern("message +operator +2020-01-0\\d \\S+ +Ready\\?")
        .containsPattern(
            "1 +check_inbox \\(replayed\\) +\\{\"sender\":\"ben\"} +\\{\"messages\":\\[]}")
        .containsPattern("2 +fly +\\{} +none");
    assertThat(run("run", "show", "r1", "--json").out())
        .contains("\"costMicros\"", "\"shownAt\"", "\"toolName\"");
  }

  @Test
  void all_pages_of_a_long_run_are_shown() {
    daemon.answers("GET /api/runs/r1", 200, "{\"id\":\"r1\"}");
    daemon.answers("GET /api/runs/r1/steps", 200, "{\"steps\":[]}");
    daemon.answers("GET /api/runs/r1/events", 200, "{\"events\":[]}");
    daemon.answers("GET /api/runs/r1/messages?limit=200", 200, calls(1, 200));
    daemon.answers("GET /api/runs/r1/messages?after=m200&limit=200", 200, calls(201, 201));

    assertThat(run("run", "show", "r1").out()).contains("tool1 ", "tool201 ");
    assertThat(run("run", "show", "r1", "--json").out()).contains("\"tool1\"", "\"tool201\"");
  }

  private static String calls(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(
            "{\"id\":\"m%1$d\",\"type\":\"tool_call_message\",\"toolName\":\"tool%1$d\"}"
                ::formatted)
        .collect(Collectors.joining(",", "{\"messages\":[", "]}"));
  }

  @Test
  void a_replay_that_differs_shows_where_and_exits_with_1() {
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
  void an_equal_replay_shows_the_length_of_the_record() {
    daemon.answers(
        "POST /api/runs/r1/replay",
        200,
        """
        {"equal":true,"complete":false,"steps":1,"calls":1,"stopReason":"the daemon stopped during the turn"}
        """);

    assertThat(run("run", "replay", "r1"))
        .satisfies(ran -> {
          assertThat(ran.code()).isZero();
          assertThat(ran.out())
              .contains(
                  "matches the record: 1 step, 1 call",
                  "incomplete: the daemon stopped during the turn");
        });
  }

  @Test
  void a_run_that_finished_without_posting_shows_its_space() {
    String kept =
        """
        {"id":"r1","agent":"ada","status":"done","calls":0,"spaceId":"plaza",
         "finishedWithoutPosting":true,"response":"I heard it."}
        """;
    String posted =
        """
        {"id":"r2","agent":"ada","status":"done","calls":1,"spaceId":"plaza",
         "finishedWithoutPosting":false,"response":"posted"}
        """;
    daemon.answers("GET /api/runs?limit=20", 200, "{\"runs\":[" + posted + "," + kept + "]}");
    for (String run : new String[] {kept, posted}) {
      String path = "GET /api/runs/" + (run.equals(kept) ? "r1" : "r2");
      daemon.answers(path, 200, run);
      daemon.answers(path + "/steps", 200, "{\"steps\":[]}");
      daemon.answers(path + "/events", 200, "{\"events\":[]}");
      daemon.answers(path + "/messages?limit=200", 200, "{\"messages\":[]}");
    }

    assertThat(run("run", "show", "r1").out())
        .containsPattern("space +plaza \\(finished without posting\\)\n");
    assertThat(run("run", "show", "r2").out()).containsPattern("space +plaza\n");
    assertThat(run("run", "list").out())
        .containsPattern("r1 .* \\(finished without posting\\) I heard it.\n")
        .containsPattern("r2 .* posted\n");
  }
}
