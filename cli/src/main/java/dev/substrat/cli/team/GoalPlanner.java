package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.team.PlanStep.PlannedRequest;
import dev.substrat.cli.team.PlanStep.WriteRequestsStep.WriteVerb;
import dev.substrat.cli.team.PlanStep.WriteRequestsStep.WrittenObjectKind;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiPredicate;

/// Compares the declared goals and plans of an agent with the existing ones. A goal is identified
/// by its description, a plan by its name.
record GoalPlanner(
    String agent, boolean overwrites, boolean prunes, List<PlanStep> changes, List<String> kept) {

  void planGoals(ObjectNode declared, List<JsonNode> living) {
    var left = new ArrayList<>(living);
    for (JsonNode goal : declared.path("goals")) {
      String name = goal.path("description").asText();
      Optional<JsonNode> old = take(left, goal, "description", GoalPlanner::isSameGoal);
      if (old.isEmpty()) {
        var snapshot = JsonTree.object();
        snapshot.withArrayProperty("goals").add(goal);
        PlannedRequest create = PlannedRequest.restore(agent, snapshot);
        add(WriteVerb.CREATE, WrittenObjectKind.GOAL, name, firstLine(name), List.of(create));
      } else if (!isSameGoal(goal, old.get())) {
        var body = JsonTree.object();
        ObjectNode draft = goal.deepCopy();
        body.withArrayProperty("goals").add(draft.set("id", old.get().path("id")));
        changeOf(
            WrittenObjectKind.GOAL,
            name,
            List.of(new PlannedRequest("POST", agent, "/goals", body)));
      }
    }
    pruneOf(WrittenObjectKind.GOAL, declared.has("goals"), left, "/goals/", "description");
  }

  private static boolean isSameGoal(JsonNode goal, JsonNode old) {
    return !SnapshotPlanner.differs(goal, old, "priority")
        && !SnapshotPlanner.differs(goal, old, "status");
  }

  void planPlans(ObjectNode declared, List<JsonNode> living) {
    var left = new ArrayList<>(living);
    for (JsonNode plan : declared.path("plans")) {
      String name = plan.path("name").asText();
      Optional<JsonNode> old = take(left, plan, "name", GoalPlanner::isSamePlan);
      var snapshot = JsonTree.object();
      snapshot.withArrayProperty("plans").add(plan);
      PlannedRequest create = PlannedRequest.restore(agent, snapshot);
      if (old.isEmpty()) {
        add(
            WriteVerb.CREATE,
            WrittenObjectKind.PLAN,
            name,
            firstLine(name) + shownTime(plan),
            List.of(create));
      } else if (!isSamePlan(plan, old.get())) {
        String path = SnapshotPlanner.path("/plans/", old.get(), "id");
        var delete = new PlannedRequest("DELETE", agent, path, null);
        changeOf(WrittenObjectKind.PLAN, name, List.of(create, delete));
      }
    }
    pruneOf(WrittenObjectKind.PLAN, declared.has("plans"), left, "/plans/", "name");
  }

  private static String shownTime(JsonNode plan) {
    for (String key : List.of("cron", "scheduledAt", "runAfter")) {
      if (plan.has(key)) {
        return " (%s)".formatted(plan.path(key).asText());
      }
    }
    return "";
  }

  /// A plan that is done, because it ran for the last time, still equals its declaration.
  private static boolean isSamePlan(JsonNode plan, JsonNode old) {
    boolean isSameTime =
        plan.has("runAfter")
            ? old.has("scheduledAt")
            : plan.has("scheduledAt")
                ? isSameTime(plan, old)
                : !SnapshotPlanner.differs(plan, old, "cron")
                    && !SnapshotPlanner.differs(plan, old, "timezone");
    boolean hasRun =
        plan.path("status").asText("active").equals("active")
            && old.path("status").asText().equals("done")
            && old.has("scheduledAt");
    return !SnapshotPlanner.differs(plan, old, "instruction")
        && isSameTime
        && (hasRun || !SnapshotPlanner.differs(plan, old, "status"));
  }

  private static boolean isSameTime(JsonNode plan, JsonNode old) {
    try {
      return old.has("scheduledAt")
          && time(plan.path("scheduledAt").asText().strip(), plan.path("timezone"))
              == OffsetDateTime.parse(old.path("scheduledAt").asText()).toInstant().toEpochMilli();
    } catch (DateTimeException _) {
      return false;
    }
  }

  /// A time with an offset ignores the time zone, as in the daemon.
  private static long time(String text, JsonNode zone) {
    try {
      return OffsetDateTime.parse(text).toInstant().toEpochMilli();
    } catch (DateTimeParseException _) {
      return LocalDateTime.parse(text).atZone(ZoneId.of(zone.asText())).toInstant().toEpochMilli();
    }
  }

  /// Removes the matching entry from the list and returns it. Names may occur twice, so an equal
  /// entry is preferred.
  private static Optional<JsonNode> take(
      List<JsonNode> left, JsonNode wanted, String key, BiPredicate<JsonNode, JsonNode> isSame) {
    List<JsonNode> namesakes =
        left.stream()
            .filter(one -> one.path(key).asText().equals(wanted.path(key).asText()))
            .toList();
    Optional<JsonNode> found =
        namesakes.stream()
            .filter(one -> isSame.test(wanted, one))
            .findFirst()
            .or(() -> namesakes.stream().findFirst());
    found.ifPresent(left::remove);
    return found;
  }

  private void changeOf(WrittenObjectKind kind, String name, List<PlannedRequest> requests) {
    if (overwrites) {
      add(WriteVerb.UPDATE, kind, name, firstLine(name), requests);
    } else {
      kept.add(kind.name().toLowerCase(Locale.ROOT) + " " + firstLine(name));
    }
  }

  private void pruneOf(
      WrittenObjectKind kind, boolean isDeclared, List<JsonNode> left, String path, String key) {
    if (prunes && isDeclared) {
      for (JsonNode one : left) {
        String name = one.path(key).asText();
        var request =
            new PlannedRequest("DELETE", agent, SnapshotPlanner.path(path, one, "id"), null);
        add(WriteVerb.DELETE, kind, name, firstLine(name), List.of(request));
      }
    }
  }

  private static String firstLine(String text) {
    String line = text.lines().findFirst().orElse("");
    return line.length() > 60 || !line.equals(text)
        ? line.substring(0, Math.min(60, line.length())) + "…"
        : line;
  }

  private void add(
      WriteVerb verb,
      WrittenObjectKind kind,
      String name,
      String detail,
      List<PlannedRequest> requests) {
    changes.add(new PlanStep.WriteRequestsStep(verb, kind, agent, name, detail, requests));
  }
}
