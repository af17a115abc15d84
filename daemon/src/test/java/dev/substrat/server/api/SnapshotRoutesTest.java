package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.server.Problems;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Snapshots of memory, goals and plans are restored completely or not at all, and read page by
/// page.
@OnEveryDatabase
final class SnapshotRoutesTest {
  private static final String ADA = "/api/agents/ada";

  private static final String SNAPSHOT =
      """
      {'memory':{
        'blocks':[{'label':'mood','content':'calm','limit':100}],
        'values':{'a/b':'1'},
        'brain':[{'title':'T','content':'old'}],
        'passages':[
          {'content':'Grüße','tags':['x'],'createdAt':'2026-01-02T03:04:05.678Z'},
          {'content':'Grüße','tags':['x']},
          {'content':'Grüße'}]},
       'goals':[{'description':'Sail','status':'completed'}],
       'plans':[{'name':'Old','instruction':'It was.','scheduledAt':'2020-01-01T00:00:00Z',
         'status':'done'}]}
      """;

  private final TestDatabase place;
  private final TestDaemon daemon;

  SnapshotRoutesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    daemon.createAgent("ada", "[]");
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  @Requirement("N7")
  void goals_and_plans_need_the_scope_for_agents() {
    String goals = "{'goals':[{'description':'Sail'}]}";
    String plans =
        "{'plans':[{'name':'P','instruction':'Go.','scheduledAt':'2030-01-01T00:00:00Z'}]}";
    String memory = "{'memory':{'values':{'a':'1'}}}";
    String token = "{'scopes':['memory:write agent=ada'%s]}";
    try (var client = daemon.as(post("/api/tokens", token.formatted("")).text("token"))) {
      for (String snapshot : List.of(goals, plans)) {
        for (String how : List.of("", "?dryRun=true")) {
          var refused = client.post(ADA + "/restore" + how, snapshot.replace('\'', '"'));
          Problems.require(refused, 403, "FORBIDDEN");
          assertThat(refused.text("message")).contains("agents:write");
        }
      }
      assertThat(client.post(ADA + "/restore", memory.replace('\'', '"')).status()).isEqualTo(200);
    }
    assertThat(daemon.get(ADA + "/goals").body().path("goals")).isEmpty();
    String both = token.formatted(",'agents:write agent=ada'");
    try (var client = daemon.as(post("/api/tokens", both).text("token"))) {
      assertThat(client.post(ADA + "/restore", goals.replace('\'', '"')).status()).isEqualTo(200);
    }
  }

  @Test
  void everything_is_written_and_again_changes_only_goals_and_plans() {
    assertThat(post(ADA + "/restore?dryRun=true", SNAPSHOT).status()).isEqualTo(200);
    assertThat(daemon.get(ADA + "/memory").body().path("blocks")).isEmpty();

    assertThat(post(ADA + "/restore", SNAPSHOT).status()).isEqualTo(200);
    assertThat(post(ADA + "/restore", SNAPSHOT.replace("old", "new")).status()).isEqualTo(200);

    JsonNode memory = daemon.get(ADA + "/memory").body();
    assertThat(memory.at("/blocks/0/limit").asInt()).isEqualTo(100);
    assertThat(memory.at("/blocks/0/author").asText()).isEqualTo("operator");
    assertThat(memory.at("/values/0/value").asText()).isEqualTo("1");
    JsonNode brain = daemon.get(ADA + "/brain?all=true").body().path("entries");
    assertThat(brain.findValuesAsText("content")).containsExactly("new");
    JsonNode passages = daemon.get(ADA + "/passages?all=true").body().path("passages");
    assertThat(passages).as("two with the tag, one without").hasSize(3);
    assertThat(passages.findValuesAsText("createdAt")).contains("2026-01-02T03:04:05.678Z");
    assertThat(daemon.get(ADA + "/goals").body().at("/goals/0/status").asText())
        .isEqualTo("completed");
    JsonNode plan = daemon.get(ADA + "/plans").body().at("/plans/0");
    assertThat(plan.path("status").asText()).isEqualTo("done");
    assertThat(plan.has("nextRunAt")).isFalse();
    assertThat(daemon.delete(ADA + "/values/a%2Fb").status()).isEqualTo(204);
    assertThat(daemon.get(ADA + "/memory").body().path("values")).isEmpty();
  }

  @Test
  void a_passage_is_added_as_often_as_the_snapshot_has_it_more_often_than_the_agent() {
    String one = "{'content':'tide','tags':['x','y']}";
    String snapshot = "{'memory':{'passages':[%s]}}";
    post(ADA + "/passages", one);
    post(ADA + "/passages", "{'content':'other'}");

    post(ADA + "/restore", snapshot.formatted(one));
    assertThat(passages()).containsExactlyInAnyOrder("tide", "other");
    post(ADA + "/restore", snapshot.formatted(one + "," + one + "," + one));
    post(ADA + "/restore", snapshot.formatted(one + "," + one));
    assertThat(passages()).containsExactlyInAnyOrder("tide", "tide", "tide", "other");
    post(ADA + "/restore", snapshot.formatted("{'content':'tide'}"));
    assertThat(passages()).as("other tags").hasSize(5);
    assertThat(post(ADA + "/restore", snapshot.formatted("{'tags':['x']}")).status())
        .as("without a content")
        .isEqualTo(400);
  }

  private List<String> passages() {
    return daemon
        .get(ADA + "/passages?all=true")
        .body()
        .path("passages")
        .findValuesAsText("content");
  }

  @Test
  void all_mistakes_of_a_snapshot_are_reported_and_nothing_is_written() {
    String wrong =
        """
        {'memory':{
          'blocks':[{'label':'mood','content':'calm'},{'label':'long','content':'calm','limit':2}],
          'passages':[{'content':' '},{'content':'x','createdAt':'monday'}]},
         'goals':[{'description':'Sail'},{'description':''}],
         'plans':[{'name':'Two','instruction':'x','cron':'0 9 * * *','runAfter':'1h'}]}
        """;
    for (String path : new String[] {ADA + "/restore", "/api/restore/check"}) {
      JsonNode problem = post(path, wrong).body();
      assertThat(problem.path("details").findValuesAsText("pointer"))
          .containsExactly(
              "/memory/blocks/1",
              "/memory/passages/0/content",
              "/memory/passages/1/createdAt",
              "/goals/1/description",
              "/plans/0");
    }
    assertThat(daemon.get(ADA + "/memory").body().path("blocks")).isEmpty();
    assertThat(daemon.get(ADA + "/goals").body().path("goals")).isEmpty();
    assertThat(daemon.get("/api/agents").body().path("agents")).as("none was made").hasSize(1);
  }

  @Test
  void an_active_plan_whose_time_has_passed_is_accepted_with_a_warning() {
    String late = SNAPSHOT.replace("'done'", "'active'");
    assertThat(post("/api/restore/check", late).body().at("/warnings/0").asText())
        .startsWith("/plans/0/scheduledAt: 2020-01-01T00:00:00Z has passed");
  }

  @Test
  void pages_of_passages_have_all_of_them_once() {
    for (int i = 0; i < 7; i++) {
      post(ADA + "/passages", "{'content':'note %d'}".formatted(i));
    }
    Set<String> seen = new HashSet<>();
    String after = "";
    int pages = 0;
    do {
      JsonNode page = daemon.get(ADA + "/passages?all=true&limit=3&after=" + after).body();
      page.path("passages").forEach(one -> assertThat(seen.add(one.path("id").asText())).isTrue());
      after = page.path("next").asText("");
      pages++;
    } while (!after.isEmpty());
    assertThat(seen).hasSize(7);
    assertThat(pages).isEqualTo(3);
  }

  @Test
  void shared_blocks_are_changed_and_people_renamed() {
    String id = post("/api/shared-blocks", "{'label':'plan','content':'eight'}").text("id");
    String path = "/api/shared-blocks/" + id;
    assertThat(put(path, "{'content':'nine','version':1}").body().path("version").asLong())
        .isEqualTo(2);
    assertThat(put(path, "{'content':'ten','version':1}").status()).isEqualTo(409);
    assertThat(post("/api/shared-blocks?dryRun=true", "{'label':' ','content':''}").status())
        .isEqualTo(400);

    assertThat(post("/api/people?dryRun=true", "{'name':'ana'}").status()).isEqualTo(200);
    assertThat(put("/api/people/ana", "{'displayName':'Ana'}").status()).isEqualTo(404);
    post("/api/people", "{'name':'ana'}");
    assertThat(put("/api/people/ana", "{'displayName':'Ana'}").text("displayName"))
        .isEqualTo("Ana");
  }

  private TestClient.Answer post(String path, String json) {
    return daemon.post(path, json.replace('\'', '"'));
  }

  private TestClient.Answer put(String path, String json) {
    return daemon.client().send("PUT", path, json.replace('\'', '"'));
  }
}
