package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Commands for goals and plans.
final class PlanCommandsTest extends FakeDaemonCommands {
  private static final String PLANS =
      """
      {"plans":[{"id":"p1","name":"report","instruction":"Write it.","cron":"0 9 * * *",
       "timezone":"UTC","status":"active","nextRunAt":"2026-01-02T09:00:00Z","runs":0}]}
      """;

  @Test
  void plan_set_sends_exactly_what_was_typed() {
    daemon.answers("POST /api/agents/mira/plans", 200, PLANS);

    var set = run("plan", "set", "mira", "report", "Write it.", "--cron", "0 9 * * *");
    run("plan", "set", "mira", "--id", "p1", "--after", "2h");
    run("plan", "set", "mira", "--id", "p1", "--at", "2026-03-01T08:00", "--timezone", "UTC");

    assertThat(set.out()).contains("p1", "report", "active", "0 9 * * * UTC", "Write it.");
    assertThat(daemon.requests())
        .containsExactly(
            "POST /api/agents/mira/plans {\"plans\":[{\"name\":\"report\",\"instruction\":\"Write"
                + " it.\",\"cron\":\"0 9 * * *\"}]}",
            "POST /api/agents/mira/plans {\"plans\":[{\"id\":\"p1\",\"runAfter\":\"2h\"}]}",
            "POST /api/agents/mira/plans {\"plans\":[{\"id\":\"p1\","
                + "\"scheduledAt\":\"2026-03-01T08:00\",\"timezone\":\"UTC\"}]}");
    assertThat(run("plan", "set", "mira", "n", "t", "--after", "2h", "--cron", "x").code())
        .isEqualTo(2);
  }

  @Test
  void without_an_agent_all_upcoming_plans_are_listed() {
    daemon.answers(
        "GET /api/schedules",
        200,
        """
        {"schedules":[{"kind":"plan","id":"p1","agentId":"1","agent":"mira","name":"report",
         "text":"Write it.","dueAt":"2026-01-02T09:00:00Z"}],"next":"5.p1"}
        """);
    daemon.answers(
        "GET /api/schedules?after=5.p1",
        200,
        """
        {"schedules":[{"kind":"reminder","id":"r1","agentId":"2","agent":"ada","text":"tide",
         "dueAt":"2026-01-03T09:00:00Z"}]}
        """);

    assertThat(run("plan", "list").out().lines().skip(1))
        .satisfiesExactly(
            line -> assertThat(line).contains("mira", "plan", "p1", "report", "Write it."),
            line -> assertThat(line).contains("ada", "reminder", "r1", "tide"));
    assertThat(run("plan", "list", "--json").out()).contains("\"p1\"", "\"r1\"");
  }

  @Test
  void an_agents_plans_are_listed_and_deleted() {
    daemon.answers("GET /api/agents/mira/plans", 200, PLANS);
    daemon.answers("DELETE /api/agents/mira/plans/p1", 204, "");

    assertThat(run("plan", "list", "mira").out()).contains("report", "0 9 * * * UTC");
    assertThat(run("plan", "delete", "mira", "p1").out()).isEqualTo("deleted p1\n");
    assertThat(run("plan", "delete", "mira", "p1", "--json").out())
        .isEqualTo("{\"deleted\":[\"p1\"]}\n");
  }

  @Test
  void goals_are_set_listed_and_deleted() {
    String goals =
        """
        {"goals":[{"id":"g1","description":"Reach the sea","priority":"high","status":"active",
         "updatedAt":"2026-01-02T09:00:00Z"}]}
        """;
    daemon.answers("GET /api/agents/mira/goals", 200, goals);
    daemon.answers("POST /api/agents/mira/goals", 200, goals);
    daemon.answers("DELETE /api/agents/mira/goals/g1", 204, "");

    assertThat(run("goal", "set", "mira", "Reach the sea", "--priority", "high").out())
        .contains("g1", "high", "active", "Reach the sea");
    run("goal", "set", "mira", "--id", "g1", "--status", "completed");
    assertThat(run("goal", "list", "mira").out()).contains("g1", "Reach the sea");
    assertThat(run("goal", "delete", "mira", "g1").out()).isEqualTo("deleted g1\n");
    assertThat(daemon.requests())
        .contains(
            "POST /api/agents/mira/goals {\"goals\":[{\"description\":\"Reach the"
                + " sea\",\"priority\":\"high\"}]}",
            "POST /api/agents/mira/goals {\"goals\":[{\"id\":\"g1\",\"status\":\"completed\"}]}");
  }
}
