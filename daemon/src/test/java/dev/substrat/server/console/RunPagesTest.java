package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Pages of runs: list, details, replay, fork, cancel.
@OnEveryDatabase
@Timeout(300)
final class RunPagesTest {
  private static final Pattern ROW = Pattern.compile("id=\"run-([0-9a-f-]+)\"");

  private final TestDatabase place;
  private final TestDaemon daemon;
  private final ConsoleClient visitor;

  RunPagesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    this.visitor = new ConsoleClient(daemon);
  }

  @AfterEach
  void close() throws IOException {
    visitor.close();
    daemon.close();
    place.close();
  }

  @Test
  void the_empty_list_of_runs_explains_itself() {
    assertThat(visitor.page("/runs")).contains("No runs yet").doesNotContain("No runs found");
    assertThat(visitor.page("/runs?status=failed")).contains("No runs found");
  }

  @Test
  @Requirement("N10")
  void a_run_page_shows_input_calls_and_output() {
    daemon.createAgent(
        "ada",
        """
        [{"do": [{"use": {"tokens": 1200, "usd": 0.02}},
          {"call": "send_message", "with": {"recipient": "nobody", "text": "</pre><script>x</script>"}},
          {"say": "<b>all lashed down</b>"}]}]
        """);
    String run = turn("ada", "<img src=x onerror=alert(1)> ready?");

    assertThat(visitor.page("/runs"))
        .contains("ada, turn 1", "message from operator", "1 call", "1.2k tokens", "$0.0200")
        .contains(">1 rejected<")
        .doesNotContain("badge bad");
    assertThat(visitor.page("/runs/" + run))
        .contains("&lt;img src=x onerror=alert(1)&gt; ready?", "&lt;b&gt;all lashed down&lt;/b&gt;")
        .contains("send_message", "RECIPIENT_UNREACHABLE", "&lt;/pre&gt;&lt;script&gt;")
        .contains("Step 1", "Timeline", "/runs/" + run + "/fork")
        .doesNotContain("<img", "<script>x", "<b>all");
  }

  @Test
  void a_reminder_is_shown_as_from_the_agent_itself() {
    daemon.post(
        "/api/agents",
        """
        {"name":"Harbor Desk","handle":"desk","provider":{"name":"scripted","playbook":[
          {"when":{"kind":"message"},"do":[{"call":"remind_me","with":{"text":"the tide","in_seconds":1}}]},
          {"do":[{"say":"noted"}]}]}}
        """);
    daemon.post("/api/agents/desk/messages", "{\"text\": \"go\", \"sync\": false}");

    Await.until(() -> visitor.page("/runs").contains("reminder from itself: the tide"));

    String runs = visitor.page("/runs");
    assertThat(runs).contains(">Harbor Desk (@desk), turn 2<").doesNotContain("yourself");
    Matcher newest = ROW.matcher(runs);
    assertThat(newest.find()).isTrue();
    assertThat(visitor.page("/runs/" + newest.group(1)))
        .contains("<h1 class=\"wrap\">Harbor Desk (@desk), turn 2</h1>")
        .contains("<title>Harbor Desk (@desk), turn 2 ", "pending")
        .doesNotContain("yourself");
  }

  @Test
  void a_successful_trial_call_is_not_an_error() {
    daemon.post(
        "/api/agents",
        """
        {"name":"ada","tools":[{"name":"ask","description":"Asks.","executionType":"space"}]}
        """);
    daemon.post("/api/tools/ask/call", "{\"agent\":\"ada\"}");

    assertThat(visitor.page("/runs"))
        .contains("a person tested a tool", "1 call")
        .doesNotContain("bad-ink", "rejected");
    String run = daemon.get("/api/runs?agent=ada").body().at("/runs/0/id").asText();
    assertThat(visitor.page("/runs/" + run))
        .contains("A person tested a tool")
        .doesNotContain("This turn was cancelled");
  }

  @Test
  void runs_are_filtered_and_paged() {
    var agent = daemon.createAgent("ada", "[]");
    daemon.createAgent("ben", "[{\"do\": [{\"fail\": \"the crane is broken\"}]}]");
    keep(agent.path("id").asText(), 120);

    String newest = visitor.page("/runs");
    assertThat(ROW.matcher(newest).results().count()).isEqualTo(50);
    // Paging keeps the filter.
    assertThat(
            newest.substring(newest.indexOf("id=\"runs\" data-live="), newest.indexOf("</main>")))
        .contains("rel=\"next\"");
    assertThat(next(visitor.page("/runs?agent=ada"))).contains("agent=ada");
    String older = visitor.page(next(newest));
    String oldest = visitor.page(next(older));
    assertThat(ROW.matcher(oldest).results().count()).isEqualTo(20);
    assertThat(oldest).contains("turn 1<", "Newest").doesNotContain("rel=\"next\"");

    daemon.post("/api/agents/ben/messages", "{\"text\": \"lift\", \"sync\": false}");
    Await.until(() -> visitor.page("/runs?agent=ben").contains("the crane is broken"));
    assertThat(visitor.page("/runs?status=failed")).contains("ben, turn").doesNotContain("ada, ");
    assertThat(visitor.page("/runs?before=%27%20or%201=1")).contains("ada, turn 120");
  }

  @Test
  @Requirement("N10")
  void a_turn_without_any_call_has_as_many_steps_as_its_replay() {
    daemon.createAgent("ada", "[]");
    String run = turn("ada", "look");

    assertThat(visitor.submit("/runs/" + run + "/replay", "model", "").body().asText())
        .contains("1 step, 0 calls compared", "<dt>Steps</dt><dd>1</dd>");
  }

  @Test
  @Requirement("N10")
  void a_run_is_replayed_and_forked_on_its_page() {
    daemon.createAgent(
        "ada", "[{\"do\": [{\"call\": \"check_inbox\", \"with\": {}}, {\"say\": \"quiet\"}]}]");
    String run = turn("ada", "look");

    Answer again = visitor.submit("/runs/" + run + "/replay", "model", "");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.body().asText())
        .contains(
            "The replay matches the record",
            "2 steps, 1 call compared",
            "<dt>Steps</dt><dd>2</dd>");

    Answer fork = visitor.submit("/runs/" + run + "/fork", "fromStep", "1", "name", "ada, bolder");
    assertThat(fork.status()).isEqualTo(303);
    assertThat(fork.header("Location")).isEqualTo("/team?who=ada-bolder&said=forked");
    assertThat(visitor.page(fork.header("Location"))).contains("ada, bolder", "Fork created");

    Answer never = visitor.submit("/runs/" + run + "/fork", "fromStep", "seven");
    assertThat(never.status()).isEqualTo(400);
    assertThat(never.body().asText()).contains("data-problem");
  }

  @Test
  void a_running_turn_is_cancelled_from_its_page() {
    daemon.createAgent("ada", "[{\"do\": [{\"hang\": true}]}]");
    daemon.post("/api/agents/ada/messages", "{\"text\": \"think\", \"sync\": false}");
    Await.until(() -> visitor.page("/runs").contains("busy\">running<"));
    String run = daemon.get("/api/runs").body().path("runs").path(0).path("id").asText();
    assertThat(visitor.page("/runs/" + run)).contains("Cancel turn", "<dd>running</dd>");

    Answer ended = visitor.submit("/runs/" + run + "/cancel");

    assertThat(ended.header("Location")).isEqualTo("/runs/" + run + "?said=cancelled");
    assertThat(visitor.page("/runs/" + run)).contains(">cancelled<").doesNotContain("Cancel turn");
  }

  @Test
  void an_unknown_run_is_an_error_page() {
    assertThat(visitor.look("/runs/nothing").status()).isEqualTo(404);
    assertThat(visitor.look("/runs/nothing").body().asText()).contains("Not found");
  }

  /// Sends a message and returns the id of its run.
  private String turn(String agent, String text) {
    daemon.post(
        "/api/agents/" + agent + "/messages",
        Json.object().put("text", text).put("sync", false).toString());
    Await.until(() -> !ended(agent).isEmpty());
    return ended(agent);
  }

  private String ended(String agent) {
    var run = daemon.get("/api/runs?agent=" + agent).body().path("runs").path(0);
    return run.hasNonNull("endedAt") ? run.path("id").asText() : "";
  }

  private static String next(String page) {
    var link = Pattern.compile("rel=\"next\" href=\"([^\"]+)\"").matcher(page);
    assertThat(link.find()).isTrue();
    return link.group(1).replace("&amp;", "&");
  }

  /// Inserts many runs directly.
  private void keep(String agent, int count) {
    daemon
        .engine()
        .dependencies()
        .database()
        .transact(tx -> {
          for (int i = 1; i <= count; i++) {
            tx.update(
                """
                insert into run (id, agent_id, turn_no, status, started_at, ended_at)
                values (?, ?, ?, 'done', ?, ?)
                """,
                RunId.random().value(),
                agent,
                i,
                1_000L * i,
                1_000L * i + 5);
          }
          return true;
        });
  }

  @Test
  @Requirement("C19")
  void the_list_marks_a_turn_that_finished_without_posting() {
    daemon.createAgent("ada", "[{\"do\":[{\"say\":\"I heard it\"}]}]");
    daemon.post("/api/spaces", "{\"name\":\"Plaza\",\"members\":[\"ada\"]}");
    turn("ada", "hello");
    assertThat(visitor.page("/runs")).doesNotContain("finished without posting");

    daemon.post("/api/spaces/plaza/messages", "{\"text\":\"good morning\"}");

    Await.until(() -> visitor.page("/runs").contains(">finished without posting<"));
    assertThat(visitor.page("/runs"))
        .contains("The final text was not posted in plaza")
        .containsOnlyOnce("finished without posting");
  }
}
