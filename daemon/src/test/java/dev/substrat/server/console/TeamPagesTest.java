package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Team page: diagram, details, actions.
@OnEveryDatabase
@Timeout(300)
final class TeamPagesTest {
  private final TestDatabase place;
  private final TestDaemon daemon;
  private final ConsoleClient visitor;

  TeamPagesTest(TestDatabase kind) {
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
  void an_empty_team_page_explains_itself() {
    assertThat(visitor.page("/team")).contains("No agents yet", "0 of 4 slots busy");
  }

  @Test
  @Requirement("S0-30")
  void the_diagram_shows_hierarchy_state_and_pending_replies() {
    JsonNode mira = create("mira", null, "[{\"do\": [" + asking("ben") + "]}]");
    JsonNode ben = create("ben", "mira", "[{\"do\": [{\"hang\": true}]}]");
    create("loner", null, "[]");
    assertThat(visitor.page("/team"))
        .contains("id=\"r-" + id(ben) + "\"", "Agents without a team", "loner, idle")
        .doesNotContain("id=\"w-");

    daemon.post("/api/agents/mira/messages", "{\"text\": \"go\", \"sync\": true}");

    Await.until(() -> visitor.page("/team").contains("ben, busy"));
    Await.until(() -> visitor.page("/team").contains("mira, waiting"));
    assertThat(visitor.page("/team"))
        .contains("id=\"w-" + id(mira) + "-" + id(ben) + "\"", "mira waits for ben")
        .contains("1 of 4 slots busy");
    assertThat(visitor.page("/team?who=mira")).contains("Must reply to", "Waits for");
    assertThat(visitor.page("/team?who=ben")).contains("current turn", "Reports to");
  }

  @Test
  void agents_are_messaged_poked_paused_and_terminated_from_the_diagram() {
    create("ada", null, "[{\"do\": [{\"say\": \"aye\"}]}]");

    Answer sent = visitor.submit("/team/ada/message", "text", "ready?");
    assertThat(sent.header("Location")).isEqualTo("/team?who=ada&said=sent");
    Await.until(() -> daemon.get("/api/inbox").body().toString().contains("aye"));

    visitor.submit("/team/ada/gate");
    assertThat(visitor.page("/team?who=ada")).contains("Resume", "paused");
    assertThat(visitor.submit("/team/ada/poke").header("Location")).endsWith("said=poked_later");
    assertThat(visitor.page("/team?who=ada")).contains("1 waiting");
    assertThat(visitor.page("/team?who=ada&said=poked_later"))
        .contains("The agent is paused and wakes");
    visitor.submit("/team/ada/ungate");
    Await.until(() -> visitor.page("/team?who=ada").contains("<dd>empty</dd>"));

    assertThat(visitor.submit("/team/ada/terminate").header("Location"))
        .isEqualTo("/team?who=ada&said=terminated");
    assertThat(visitor.page("/team")).contains("No agents yet");
    assertThat(visitor.submit("/team/ada/poke").status()).isEqualTo(404);
  }

  @Test
  void the_termination_dialog_lists_all_agents_that_end() {
    create("mira", null, "[]");
    assertThat(visitor.page("/team?who=mira"))
        .contains("\"The agent will be terminated: no more turns");
    create("ada", "mira", "[]");
    create("ben", "ada", "[]");

    assertThat(visitor.page("/team?who=mira"))
        .contains("mira and 2 below it: ada, ben. All of them will be terminated: no more turns");
    for (int i = 1; i <= 5; i++) {
      create("hand " + i, "ben", "[]");
    }
    assertThat(visitor.page("/agents/mira"))
        .contains(
            "mira and 7 below it: ada, ben, hand 1, hand 2, hand 3 and 2 more. All of them will be terminated:");
  }

  @Test
  void many_children_are_folded_and_shown_on_request() {
    create("mira", null, "[]");
    for (int i = 1; i <= 15; i++) {
      create("hand " + i, "mira", "[]");
    }

    assertThat(visitor.page("/team"))
        .contains("13 of 16 agents shown", "and 3 more<", "\"/team?open=mira\"", "hand 12, idle")
        .doesNotContain("hand 13, idle");
    assertThat(visitor.page("/agents/mira")).contains("/agents/hand-12\"", "and 3 more</a>");
    assertThat(visitor.page("/team?who=hand-15"))
        .as("the chosen agent is in the diagram")
        .contains("14 of 16 agents shown", "and 2 more<", "hand 15, idle");
    assertThat(visitor.page("/team?open=mira"))
        .contains("hand 15, idle", "Show fewer", "/team?who=hand-14&amp;open=mira")
        .doesNotContain(" more<span");
    assertThat(visitor.page("/team?who=Hand+14"))
        .as("found by name")
        .contains("id=\"agent-detail-title\"", "hand 14, idle");
    assertThat(visitor.page("/team?who=zoe")).contains("No agent is named “<bdi>zoe</bdi>”");
  }

  @Test
  void a_page_is_bounded_and_links_to_the_rest_of_a_large_team_and_to_more_teams() {
    for (int team = 10; team < 40; team++) {
      insert("chief-" + team, null);
      for (int child = 100; child < (team == 10 ? 400 : 120); child++) {
        insert("child-%d-%d".formatted(team, child), "chief-" + team);
      }
    }

    String teams = visitor.page("/team");
    assertThat(teams.length()).isLessThan(150_000);
    assertThat(teams)
        .contains("40 of 910 agents shown", "chief-19, idle", "and 297 more<")
        .contains("\"/team?open=chief-10\"", "href=\"/team?after=chief-19\"")
        .doesNotContain("chief-20, idle");
    assertThat(visitor.page("/team?after=chief-19"))
        .contains("chief-20, idle", "href=\"/team?after=chief-29\"")
        .doesNotContain("chief-19, idle");
    assertThat(visitor.page("/team?after=chief-29"))
        .contains("chief-39, idle")
        .doesNotContain("More teams");

    String open = visitor.page("/team?open=chief-10");
    assertThat(open.length()).isLessThan(150_000);
    assertThat(open)
        .contains("child-10-139, idle", "and 260 more<")
        .contains("/team?open=chief-10&amp;after=child-10-139\"")
        .doesNotContain("child-10-140, idle", "chief-11, idle");
    assertThat(visitor.page("/team?open=chief-10&after=child-10-359"))
        .contains("chief-10, idle", "child-10-360, idle", "child-10-399, idle")
        .doesNotContain("child-10-359, idle", " more<span");
    assertThat(visitor.page("/team?who=child-39-119"))
        .as("the chosen agent is shown, whatever the page")
        .contains("child-39-119, idle", "chief-39, idle");
  }

  private void insert(String id, @Nullable String parent) {
    daemon
        .engine()
        .dependencies()
        .database()
        .run(tx ->
            tx.update(
                """
                insert into agent (id, handle, name, description, parent_id, role, config,
                  created_at, team_id)
                values (?, ?, ?, '', ?, 'agent', '{}', 0, ?)
                """,
                id,
                id,
                id,
                parent,
                parent == null ? id : parent));
  }

  @Test
  void an_empty_message_to_an_agent_is_rejected() {
    create("ada", null, "[]");

    Answer empty = visitor.submit("/team/ada/message", "text", " ");

    assertThat(empty.status()).isEqualTo(400);
    assertThat(empty.body().asText()).contains("data-problem");
  }

  @Test
  void names_in_the_diagram_are_escaped() {
    JsonNode top = create("</foreignObject><script>x</script>", null, "[]");
    create("\"><a onclick=y>", top.path("id").asText(), "[]");

    assertThat(visitor.page("/team?who=" + top.path("handle").asText()))
        .contains("&lt;script&gt;x")
        .doesNotContain("<script>x", "<a onclick");
  }

  private JsonNode create(String name, @Nullable String parent, String playbook) {
    var config = Json.object().put("name", name);
    if (parent != null) {
      config.put("parent", parent);
    }
    config.putObject("provider").put("name", "scripted").set("playbook", Json.own(playbook));
    Answer answer = daemon.post("/api/agents", config.toString());
    assertThat(answer.status()).isEqualTo(201);
    return answer.body();
  }

  private static String asking(String whom) {
    return "{\"call\": \"send_message\", \"with\": {\"recipient\": \"%s\", \"text\": \"well?\"}}"
        .formatted(whom);
  }

  private static String id(JsonNode agent) {
    return agent.path("id").asText();
  }
}
