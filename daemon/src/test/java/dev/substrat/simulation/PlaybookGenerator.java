package dev.substrat.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Generates the playbook of one agent at random, over all tools of the team.
///
/// Work arrives as `go 3`; an agent passes on `go 2` at most, so that the number of messages stays
/// limited without a guard. Cycles exist anyway: `ping` is passed on as `ping`, and an answer may
/// lead to the next question; each of them leads to one message at most.
///
/// A text that ends in `#…` names the event it was written for and the position in the playbook: it
/// must be unique.
final class PlaybookGenerator {
  private final Random random;
  private final Neighbours near;
  private int tags;

  /// Agents that an agent can write to.
  record Neighbours(String parent, List<String> children, List<String> siblings) {}

  PlaybookGenerator(Random random, Neighbours near) {
    this.random = random;
    this.near = near;
  }

  List<SimulationPlan.Rule> rules() {
    var rules = new ArrayList<SimulationPlan.Rule>();
    if (random.nextBoolean()) {
      rules.add(new SimulationPlan.Rule(Json.object().put("kind", "broadcast"), List.of(answer())));
    }
    for (int level = 3; level >= 1; level--) {
      rules.add(new SimulationPlan.Rule(Json.object().put("text", "^go " + level), work(level)));
    }
    rules.add(circle(Json.object().put("text", "^ping"), "ping"));
    rules.add(circle(Json.object().put("kind", "reply"), "and then?"));
    rules.add(circle(Json.object().put("kind", "notice"), "once more"));
    if (random.nextBoolean()) {
      rules.add(new SimulationPlan.Rule(Json.object().put("kind", "message"), List.of(say())));
    }
    return rules;
  }

  private List<ObjectNode> work(int level) {
    var steps = new ArrayList<ObjectNode>();
    int count = random.nextInt(5);
    for (int i = 0; i < count; i++) {
      steps.add(step(level));
    }
    if (random.nextInt(6) == 0) {
      steps.add(answer());
    }
    if (random.nextBoolean()) {
      steps.add(say());
    }
    return steps;
  }

  /// At most one message for one event.
  private SimulationPlan.Rule circle(ObjectNode when, String text) {
    var steps = new ArrayList<ObjectNode>();
    if (random.nextBoolean()) {
      ObjectNode letter = Json.object().put("recipient", anyAgent()).put("text", text);
      steps.add(call("send_message", random.nextBoolean() ? letter : letter.put("sync", false)));
    }
    if (random.nextBoolean()) {
      steps.add(say());
    }
    return new SimulationPlan.Rule(when, steps);
  }

  private ObjectNode step(int level) {
    return switch (random.nextInt(24)) {
      case 0, 1, 2, 3 -> call("send_message", letter(level));
      case 4 -> call("send_message", letter(level).put("sync", false));
      case 5 -> call("send_message", letter(level).put("sync", true));
      case 6 -> answer();
      case 7 -> call("broadcast", Json.object().put("text", text(Math.min(level, 2))));
      case 8 -> call("check_inbox", Json.object());
      case 9, 10 ->
          call(
              "spawn_agent",
              Json.object().put("name", "kid" + tags % 3).put("instructions", text(level)));
      case 11 -> call("complete", Json.object().put("text", text(1)));
      case 12 -> call("poke", Json.object().put("name", anyAgent()).put("text", text(level)));
      case 13 ->
          call(
                  "remind_me",
                  Json.object().put("text", text(level)).put("in_seconds", 1 + random.nextInt(100)))
              .put("save", "reminder");
      case 14 -> plan(level);
      case 15 ->
          call("cancel_reminder", Json.object().put("reminder_id", "{{reminder.reminder_id}}"));
      case 16 -> call(random.nextInt(3) > 0 ? "gate" : "ungate", child());
      case 17 -> call("permit_turn", child());
      case 18 -> call(random.nextInt(3) == 0 ? "terminate_agent" : "inspect_agent", child());
      case 19, 20 -> Json.object().put("sleep", (1 + random.nextInt(50)) + "s");
      case 21 -> trouble();
      case 22 ->
          call(
              random.nextInt(4) > 0 ? "subscribe" : "unsubscribe",
              Json.object().put("name", anyAgent()));
      default -> say();
    };
  }

  private ObjectNode plan(int level) {
    var arguments = Json.object();
    arguments
        .putArray("plans")
        .addObject()
        .put("name", "plan")
        .put("instruction", text(level))
        .put("runAfter", 1 + random.nextInt(100) + "s");
    return call("set_plans", arguments);
  }

  /// An answer, mostly with a reference to its question, with and without `sync`.
  private ObjectNode answer() {
    ObjectNode answer = Json.object().put("recipient", "{{event.from}}").put("text", text(1));
    if (random.nextInt(3) > 0) {
      answer.put("in_reply_to", "{{event.message_id}}");
    }
    if (random.nextBoolean()) {
      answer.put("sync", random.nextBoolean());
    }
    return call("send_message", answer);
  }

  private ObjectNode trouble() {
    return switch (random.nextInt(6)) {
      case 0 -> Json.object().put("crash", true);
      case 1 -> Json.object().put("hang", true);
      case 2, 3 -> Json.object().put("sleep", "40m");
      default -> Json.object().put("fail", "no coffee");
    };
  }

  private ObjectNode letter(int level) {
    return Json.object().put("recipient", anyAgent()).put("text", text(level));
  }

  private String text(int level) {
    tags++;
    String what = level == 1 ? "done" : "go " + (level - 1);
    return what + " #{{event.message_id}}{{event.reminder_id}}{{event.plan_id}}/" + tags;
  }

  private static ObjectNode call(String tool, ObjectNode arguments) {
    var step = Json.object().put("call", tool);
    step.set("with", arguments);
    return step;
  }

  private ObjectNode say() {
    return Json.object().put("say", "said " + random.nextInt(100));
  }

  private String anyAgent() {
    var all = new ArrayList<String>();
    all.add(near.parent());
    all.addAll(near.children());
    all.addAll(near.siblings());
    all.add(random.nextInt(6) == 0 ? "nobody" : "kid" + random.nextInt(3));
    return all.get(random.nextInt(all.size()));
  }

  private ObjectNode child() {
    boolean isSpawned = near.children().isEmpty() || random.nextInt(3) == 0;
    return Json.object()
        .put(
            "name",
            isSpawned
                ? "kid" + random.nextInt(3)
                : near.children().get(random.nextInt(near.children().size())));
  }
}
