package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class DoctorTest extends FakeDaemonCommands {

  @Test
  void the_doctor_shows_the_state_of_semantic_search() {
    daemon.answers("GET /api/search", 200, "{\"meaning\":\"ready\",\"model\":\"small\"}");

    assertThat(run("doctor").out())
        .containsPattern("ok +search +full text and semantic, with small");
  }

  @Test
  void the_doctor_shows_why_semantic_search_does_not_work() {
    daemon.answers(
        "GET /api/search",
        200,
        "{\"meaning\":\"missing\",\"model\":\"small\",\"reason\":\"no glibc\"}");

    assertThat(run("doctor").out())
        .containsPattern("warn +search +full text only: small failed to load\\s+no glibc");
  }

  @Test
  void disabled_semantic_search_is_not_a_warning() {
    daemon.answers("GET /api/search", 200, "{\"meaning\":\"off\"}");

    assertThat(run("doctor").out()).containsPattern("ok +search +full text only");
  }

  @Test
  void the_doctor_says_why_a_daemon_is_not_ready() {
    daemon.answers(
        "GET /readyz",
        503,
        """
        {"status":"not ready","reasons":[
          {"code":"DATABASE_UNREACHABLE","message":"the database does not answer"}]}
        """);

    assertThat(run("doctor").out())
        .containsPattern("broken +daemon +not ready: the database does not answer");
  }

  @Test
  void the_doctor_accepts_a_daemon_that_is_ready_or_older_than_the_check() {
    daemon.answers("GET /api/status", 200, "{\"version\":\"1\",\"url\":\"http://x\"}");
    assertThat(run("doctor").out()).containsPattern("ok +daemon +version 1 at http:");

    daemon.answers("GET /readyz", 200, "{\"status\":\"ready\"}");
    assertThat(run("doctor").out()).containsPattern("ok +daemon +version 1 at http:");
  }

  private String sandboxed(String report) {
    daemon.answers("GET /api/sandbox", 200, report);
    return run("doctor").out();
  }

  @Test
  void the_doctor_shows_the_sandbox_checks() {
    assertThat(
            sandboxed(
                """
                {"level":"full","detail":"/usr/bin/bwrap","required":false,"daemonIsRoot":false,
                 "checks":[{"name":"kernel settings","ok":true},{"name":"user","ok":true}]}
                """))
        .containsPattern("ok +sandbox +full: all 2 checks inside the sandbox passed\n")
        .containsPattern("ok +daemon user +unprivileged");
  }

  @Test
  void the_doctor_names_the_checks_that_failed() {
    assertThat(
            sandboxed(
                """
                {"level":"reduced","detail":"/usr/bin/bwrap","required":false,"daemonIsRoot":false,
                 "checks":[{"name":"user","ok":true},
                  {"name":"system calls","ok":false,"problem":"there is no system call filter"}]}
                """))
        .containsPattern(
            "warn +sandbox +reduced: system calls: there is no system call filter\\s+see");
  }

  @Test
  void the_doctor_lists_unsandboxed_agents_and_why_no_sandbox_works() {
    String report =
        """
        {"level":"none","detail":"bubblewrap is not installed","required":%s,
         "daemonIsRoot":true,"checks":[]}
        """;
    assertThat(sandboxed(report.formatted(false)))
        .containsPattern(
            "warn +sandbox +none: bubblewrap is not installed; agent CLIs and MCP servers run with")
        .containsPattern("warn +daemon user +root: .*\\s+run the daemon as an unprivileged user");
    assertThat(sandboxed(report.formatted(true)))
        .containsPattern("none: bubblewrap is not installed; programs of agents cannot start");
  }

  @Test
  void the_doctor_names_the_steps_to_enable_a_sandbox() {
    String report =
        """
        {"level":"none","detail":"%s","required":false,"daemonIsRoot":false,"checks":[]}
        """;
    assertThat(sandboxed(report.formatted("bubblewrap is not installed")))
        .contains("install bubblewrap and util-linux; to reject programs without a sandbox")
        .doesNotContain("allow unprivileged user namespaces");
    assertThat(
            sandboxed(
                report.formatted(
                    "bubblewrap does not work: bwrap: No permissions to create new namespace")))
        .contains("none: bubblewrap does not work: bwrap: No permissions to create new namespace")
        .contains("allow unprivileged user namespaces: sysctl -w user.max_user_namespaces=10000");
  }

  @Test
  void the_doctor_warns_about_root_even_if_the_sandbox_is_full() {
    assertThat(
            sandboxed(
                """
                {"level":"full","detail":"/usr/bin/bwrap","required":false,"daemonIsRoot":true,
                 "uid":60999,"checks":[{"name":"user","ok":true}]}
                """))
        .containsPattern("ok +sandbox +full: all 1 checks .*; programs run as uid 60999")
        .containsPattern("warn +daemon user +root: a bug in the daemon can affect");
  }

  @Test
  void the_doctor_lists_names_that_look_alike() {
    daemon.answers(
        "GET /api/lookalikes",
        200,
        """
        {"groups":[[{"kind":"person","name":"ana","handle":"ana"},
          {"kind":"agent","name":"\u0430na","handle":"agent-2"}]]}
        """);
    assertThat(run("doctor").out())
        .contains(
            "names that look alike: person \"ana\" (ana) and agent \"\u0430na\" (agent-2, with U+0430)");
    daemon.answers("GET /api/lookalikes", 200, "{\"groups\":[]}");
    assertThat(run("doctor").out()).containsPattern("ok +names +no look-alikes");
  }

  @Test
  void the_doctor_lists_providers() {
    daemon.answers(
        "GET /api/providers",
        200,
        """
        {"providers":[
          {"name":"goose","state":"ready","version":"1.50.0","detail":"agents bring their own key"},
          {"name":"qwen","state":"missing","detail":"qwen is not on the daemon's PATH","hint":"see docs"}]}
        """);

    String out = run("doctor").out();

    assertThat(out).containsPattern("ok +goose +1.50.0");
    assertThat(out).containsPattern("optional +qwen +qwen is not on the daemon's PATH\\s+see docs");
  }

  @Test
  void a_round_trip_counts_if_the_daemon_has_seen_the_call() {
    playTrip("{\"status\":\"replied\",\"reply\":{\"text\":\"ok\"}}", "check_inbox");

    assertThat(run("doctor", "--round-trip", "goose").out())
        .containsPattern("ok +trip goose +called check_inbox over MCP");
    assertThat(daemon.requests()).anyMatch(asked -> asked.startsWith("DELETE /api/agents/7"));
  }

  @Test
  void a_round_trip_without_a_tool_call_fails() {
    playTrip("{\"status\":\"replied\",\"reply\":{\"text\":\"ok\"}}", "");

    var ran = run("doctor", "--round-trip", "goose");
    assertThat(ran.out()).containsPattern("broken +trip goose +answered without calling");
    assertThat(ran.code()).isNotZero();
  }

  @Test
  void a_round_trip_with_a_failed_turn_fails() {
    playTrip("{\"status\":\"dead\",\"reason\":\"TOOLS_MISSING: never asked\"}", "");

    var ran = run("doctor", "--round-trip", "goose");
    assertThat(ran.out()).containsPattern("broken +trip goose +no answer: TOOLS_MISSING");
    assertThat(ran.code()).isNotZero();
    assertThat(run("doctor", "--round-trip", "goose", "--json").code()).isNotZero();
  }

  @Test
  void a_round_trip_with_a_missing_file_fails() {
    var ran = run("doctor", "--round-trip", "no-such-file.yaml");

    assertThat(ran.out())
        .containsPattern("broken +trip no-such-file.yaml file not found: no-such-file.yaml");
    assertThat(ran.code()).isNotZero();
  }

  @Test
  void the_agent_of_a_round_trip_has_one_attempt_and_the_time_of_its_file() throws IOException {
    playTrip("{\"status\":\"stored\",\"delay\":{\"reason\":\"nobody is there\"}}", "");
    Path file =
        Files.writeString(
            data.resolve("mira.yaml"), "provider: {name: goose}\nlimits: {maxTurnSeconds: 45}");

    var ran = run("doctor", "--round-trip", file.toString());
    assertThat(ran.out()).containsPattern("broken +trip goose +no answer: nobody is there");
    assertThat(ran.err()).contains("round trip with goose … (at most 45 s)");
    assertThat(run("doctor", "--round-trip", "goose", "--timeout", "20s", "--json").err())
        .isEmpty();
    assertThat(daemon.requests())
        .anyMatch(asked -> asked.contains("{\"maxTurnSeconds\":45,\"budgetTurns\":1}"))
        .anyMatch(asked -> asked.contains("{\"maxTurnSeconds\":20,\"budgetTurns\":1}"));
  }

  @Test
  void a_round_trip_is_listed_last_and_ends_at_its_timeout() {
    playTrip("{\"status\":\"claimed\"}", "");
    daemon.answers(
        "GET /api/providers",
        200,
        "{\"providers\":[{\"name\":\"qwen\",\"state\":\"missing\",\"detail\":\"away\"}]}");

    assertThat(run("doctor", "--round-trip", "goose", "--timeout", "0s").out())
        .containsPattern("(?s)optional +qwen.*\n\nbroken +trip goose +no answer: no answer within");
  }

  @Test
  void a_round_trip_leaves_no_unread_messages() {
    playTrip("{\"status\":\"replied\",\"reply\":{\"text\":\"ok\"}}", "check_inbox");
    daemon.answers(
        "GET /api/inbox?unread=true&limit=200",
        200,
        """
        {"messages":[{"message_id":"m1","from":"ada","text":"hi"},
          {"message_id":"m2","from":"doctor-3","text":"ok"}]}
        """);

    run("doctor", "--round-trip", "goose");

    assertThat(daemon.requests().stream().filter(asked -> asked.contains("/api/inbox/read")))
        .containsExactly("POST /api/inbox/read {\"message\":\"m2\"}");
  }

  @Test
  void an_interrupted_round_trip_leaves_no_agent_behind() throws Exception {
    var asked = new CountDownLatch(1);
    playTrip("{\"status\":\"claimed\"}", "");
    daemon.answers(
        "GET /api/messages/m1",
        () -> {
          asked.countDown();
          return new FakeDaemon.Answer(200, "{\"status\":\"claimed\"}");
        });
    Process doctor =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                CliMain.class.getName(),
                "doctor",
                "--round-trip",
                "goose",
                "--data",
                data.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(asked.await(1, TimeUnit.MINUTES)).isTrue();
      doctor.destroy();
      assertThat(doctor.waitFor(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      doctor.destroyForcibly();
    }
    assertThat(daemon.requests()).contains("DELETE /api/agents/7");
  }

  @Test
  void a_missing_provider_is_an_error_only_if_agents_use_it_without_their_own_program() {
    daemon.answers(
        "GET /api/providers",
        200,
        """
        {"providers":[
          {"name":"qwen","state":"missing","detail":"qwen is not on the daemon's PATH","hint":"see docs",
           "agents":["ada","ben"],"agentsWithOwn":[],"withoutLogin":["ada"]},
          {"name":"codex","state":"missing","detail":"codex is not on the daemon's PATH","hint":"see docs",
           "agents":[],"agentsWithOwn":["kim"]},
          {"name":"claude","state":"needs_login","detail":"neither key nor login: eve","hint":"log in",
           "agents":["eve"],"agentsWithOwn":[],"withoutLogin":["eve"]},
          {"name":"openai","state":"needs_login","detail":"there is no key","hint":"set one",
           "agents":[],"agentsWithOwn":[],"withoutLogin":[]}]}
        """);

    String out = run("doctor").out();

    assertThat(out)
        .containsPattern(
            "warn +qwen +qwen is not on the daemon's PATH; agents that need this provider: ada, ben");
    assertThat(out)
        .containsPattern("ok +codex +not found on this machine; configured per agent: kim");
    assertThat(out).containsPattern("warn +claude +neither key nor login: eve");
    assertThat(out).containsPattern("optional +openai +there is no key");
  }

  private void playTrip(String state, String tool) {
    daemon
        .answers("POST /api/agents", 201, "{\"id\":\"7\",\"handle\":\"doctor-3\"}")
        .answers("POST /api/agents/7/messages", 201, "{\"message_id\":\"m1\"}")
        .answers("GET /api/messages/m1", 200, state)
        .answers("GET /api/runs?agent=7&limit=1", 200, "{\"runs\":[{\"id\":\"r1\"}]}")
        .answers(
            "GET /api/runs/r1/messages", 200, "{\"messages\":[{\"toolName\":\"" + tool + "\"}]}")
        .answers("DELETE /api/agents/7", 204, "");
  }
}
