package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Goals, plans and upcoming plans over HTTP.
@OnEveryDatabase
final class GoalRoutesTest {
  private final TestDatabase place;
  private final TestDaemon daemon;

  GoalRoutesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    var ada =
        daemon.post(
            "/api/agents",
            """
            {"name":"ada","toolsets":["team","goals"],"provider":{"name":"scripted","playbook":[
             {"when":{"kind":"plan"},"do":[{"say":"due: {{event.text}}"}]},
             {"do":[{"call":"remind_me","with":{"text":"tide","in_seconds":86400}}]}]}}
            """);
    assertThat(ada.status()).as(ada.body().toString()).isEqualTo(201);
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  @Requirement({"S3-26", "S3-27"})
  void goals_are_set_listed_and_deleted() {
    var set = daemon.post("/api/agents/ada/goals", "{\"goals\":[{\"description\":\"the sea\"}]}");
    assertThat(set.status()).isEqualTo(200);
    assertThat(daemon.get("/api/agents/ada/goals").body()).isEqualTo(set.body());
    String goal = "/api/agents/ada/goals/" + set.body().at("/goals/0/id").asText();
    assertThat(system()).contains("## Your goals", "- the sea (medium, id ");
    assertThat(system()).as("equal while nothing changes").isEqualTo(system());

    assertThat(daemon.delete(goal).status()).isEqualTo(204);
    assertThat(daemon.delete(goal).status()).isEqualTo(404);
    assertThat(system()).doesNotContain("## Your goals");
    var wrong = daemon.post("/api/agents/ada/goals", "{\"goals\":[{\"priority\":\"urgent\"}]}");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.text("message")).startsWith("/goals/0/priority");
  }

  @Test
  @Requirement({"S3-30", "S3-31", "S3-32"})
  void a_plan_that_a_person_sets_wakes_the_agent() {
    var set =
        daemon.post(
            "/api/agents/ada/plans",
            """
            {"plans":[{"name":"now","instruction":"look","runAfter":"1s"},
                      {"name":"later","instruction":"look again","cron":"0 9 1 1 *"}]}
            """);
    assertThat(set.status()).as(set.body().toString()).isEqualTo(200);
    String later = set.body().at("/plans/1/id").asText();
    assertThat(system()).contains("- later: next ", ", then `0 9 1 1 *` UTC (id " + later);

    try (var reader =
        new EventReader(daemon.url() + "/api/events?after=0&agent=ada", daemon.token())) {
      assertThat(reader.event("plan_due").data().path("name").asText()).isEqualTo("now");
      assertThat(reader.event("turn_ended").data().path("response").asText())
          .isEqualTo("due: look");
    }
    JsonNode plans = daemon.get("/api/agents/ada/plans").body().path("plans");
    assertThat(plans)
        .extracting(plan -> plan.path("status").asText())
        .containsExactly("active", "done");
    assertThat(daemon.delete("/api/agents/ada/plans/" + later).status()).isEqualTo(204);
    assertThat(daemon.delete("/api/agents/ada/plans/" + later).status()).isEqualTo(404);
    var both =
        "{\"plans\":[{\"name\":\"n\",\"instruction\":\"i\",\"runAfter\":\"1s\",\"cron\":\"* * * * *\"}]}";
    assertThat(daemon.post("/api/agents/ada/plans", both).text("message")).startsWith("/plans/0 ");
  }

  @Test
  void upcoming_plans_are_paged() {
    daemon.post(
        "/api/agents/ada/plans",
        """
        {"plans":[{"name":"b","instruction":"i","runAfter":"2 days"},
                  {"name":"a","instruction":"i","runAfter":"1h"}]}
        """);
    daemon.post("/api/agents/ada/messages", "{\"text\":\"go\"}");
    try (var reader =
        new EventReader(daemon.url() + "/api/events?after=0&agent=ada", daemon.token())) {
      reader.event("turn_ended");
    }
    var first = daemon.get("/api/schedules?limit=2").body();
    assertThat(first.path("schedules"))
        .extracting(one -> one.path("kind").asText() + " " + one.path("agent").asText())
        .containsExactly("plan ada", "reminder ada");
    assertThat(first.at("/schedules/1/text").asText()).isEqualTo("tide");

    var rest = daemon.get("/api/schedules?limit=2&after=" + first.path("next").asText()).body();
    assertThat(rest.path("schedules"))
        .extracting(one -> one.path("name").asText())
        .containsExactly("b");
    assertThat(rest.has("next")).isFalse();
    assertThat(daemon.get("/api/schedules?after=x").status()).isEqualTo(400);

    daemon.delete("/api/agents/ada");
    assertThat(daemon.get("/api/schedules").body().path("schedules")).isEmpty();
  }

  private String system() {
    return daemon.get("/api/agents/ada/briefing").text("system");
  }
}
