package dev.substrat.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.space.Space.WakePolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// Adds a space to some teams: its members, their answers, and changes of members.
///
/// It has its own seed, so histories without a space are unchanged.
final class SpaceGenerator {
  private final Random random;
  private int tags;

  private SpaceGenerator(long seed) {
    this.random = new Random(seed * 0xD1B54A32D192ED03L);
  }

  /// The same plan, with a space if the seed says so.
  static SimulationPlan in(SimulationPlan plan, long seed) {
    var rooms = new SpaceGenerator(seed);
    return rooms.random.nextInt(3) == 0 ? rooms.furnish(plan) : plan;
  }

  private SimulationPlan furnish(SimulationPlan plan) {
    var policies =
        List.of(WakePolicy.SEQUENTIAL, WakePolicy.SEQUENTIAL, WakePolicy.ALL, WakePolicy.MENTION);
    List<String> names = plan.team().stream().map(SimulationPlan.Member::name).toList();
    var acts = new ArrayList<>(plan.acts());
    acts.add(
        new ExternalAction.Found(
            0,
            policies.get(random.nextInt(policies.size())),
            names.stream().filter(_ -> random.nextInt(5) > 0).toList()));
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      acts.add(new ExternalAction.Say(at(), "who @" + anyOf(names) + " #s" + i, "say " + i));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      acts.add(new ExternalAction.Move(at(), anyOf(names), random.nextBoolean()));
    }
    acts.sort(Comparator.comparingInt(ExternalAction::at));
    return plan.with(plan.team().stream().map(this::furnish).toList(), acts);
  }

  private SimulationPlan.Member furnish(SimulationPlan.Member member) {
    if (member.isExternal()) {
      return member;
    }
    var rule =
        new SimulationPlan.Rule(Json.object().put("kind", "space_message"), answers(member.name()));
    return member.with(Stream.concat(Stream.of(rule), member.rules().stream()).toList());
  }

  private List<ObjectNode> answers(String self) {
    var steps = new ArrayList<ObjectNode>();
    for (int i = random.nextInt(3); i > 0; i--) {
      steps.add(
          switch (random.nextInt(9)) {
            case 0, 1, 2, 3 -> word("{{event.space}}");
            case 4 -> word("dm-" + self + "-{{event.from}}");
            case 5 -> Json.object().put("sleep", (1 + random.nextInt(200)) + "s");
            case 6 -> Json.object().put("fail", "no coffee");
            case 7 -> Json.object().put("crash", true);
            default -> Json.object().put("say", "heard");
          });
    }
    return steps;
  }

  private ObjectNode word(String space) {
    tags++;
    var step = Json.object().put("call", "send_message");
    step.putObject("with")
        .put("channelId", space)
        .put("text", "@{{event.from}} #{{event.message_id}}/w" + tags);
    return step;
  }

  private int at() {
    return random.nextInt(200);
  }

  private String anyOf(List<String> names) {
    return names.get(random.nextInt(names.size()));
  }
}
