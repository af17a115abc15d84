package dev.substrat.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Generates a plan from a seed: a team, its playbooks, and actions from outside.
final class PlanGenerator {
  private static final List<String> NAMES =
      List.of(
          "ada", "ben", "cleo", "dora", "emil", "finn", "gus", "hana", "ines", "jon", "kim",
          "lars");

  /// Nearly every history is idle before this step, so that most actions happen in the middle.
  private static final int BUSY = 300;

  private final Random random;
  private final List<SimulationPlan.Member> team = new ArrayList<>();

  private PlanGenerator(long seed) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
  }

  static SimulationPlan of(long seed) {
    return SpaceGenerator.in(new PlanGenerator(seed).make(seed), seed);
  }

  private SimulationPlan make(long seed) {
    int size = 1 + random.nextInt(random.nextInt(3) == 0 ? NAMES.size() : 5);
    var parents = new ArrayList<@Nullable String>();
    for (int i = 0; i < size; i++) {
      parents.add(i == 0 || random.nextInt(12) == 0 ? null : parent(parents, i));
    }
    for (int i = 0; i < size; i++) {
      boolean isExternal = random.nextInt(8) == 0;
      var near = near(parents, i);
      var rules =
          isExternal ? List.<SimulationPlan.Rule>of() : new PlaybookGenerator(random, near).rules();
      team.add(
          new SimulationPlan.Member(NAMES.get(i), parents.get(i), isExternal, rules, limits()));
    }
    int daemons = random.nextInt(3) == 0 ? 2 : 1;
    return new SimulationPlan(
        1 + random.nextInt(3), daemons, List.copyOf(team), acts(daemons), seed);
  }

  /// An agent at most two levels below a root.
  private String parent(List<@Nullable String> parents, int count) {
    while (true) {
      int i = random.nextInt(count);
      @Nullable String above = parents.get(i);
      if (above == null || parents.get(NAMES.indexOf(above)) == null) {
        return NAMES.get(i);
      }
    }
  }

  private static PlaybookGenerator.Neighbours near(List<@Nullable String> parents, int self) {
    @Nullable String parent = parents.get(self);
    var children = new ArrayList<String>();
    var siblings = new ArrayList<String>();
    for (int i = 0; i < parents.size(); i++) {
      if (NAMES.get(self).equals(parents.get(i))) {
        children.add(NAMES.get(i));
      } else if (parent != null && i != self && parent.equals(parents.get(i))) {
        siblings.add(NAMES.get(i));
      }
    }
    return new PlaybookGenerator.Neighbours(
        parent == null ? "operator" : parent, children, siblings);
  }

  private @Nullable ObjectNode limits() {
    return switch (random.nextInt(10)) {
      case 0 -> Json.object().put("messagesPerMinute", 1 + random.nextInt(4));
      case 1 -> Json.object().put("maxCallsPerTurn", 1 + random.nextInt(3));
      case 2 -> Json.object().put("maxTurnSeconds", 30);
      case 4, 5 -> Json.object().put("maxTurnSeconds", 7_200);
      case 3 -> Json.object().put("maxChildren", 1);
      default -> null;
    };
  }

  private List<ExternalAction> acts(int daemons) {
    var acts = new ArrayList<ExternalAction>();
    int messages = 1 + random.nextInt(8);
    for (int i = 0; i < messages; i++) {
      String text = random.nextInt(4) == 0 ? "ping" : "go " + (1 + random.nextInt(3)) + " #o" + i;
      acts.add(
          new ExternalAction.Write(
              i == 0 ? 0 : at(), anybody(), text, random.nextBoolean(), "key " + i));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      acts.add(new ExternalAction.Crash(at(), random.nextInt(daemons), random.nextInt(4) == 0));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      acts.add(new ExternalAction.Jump(at(), length(), random.nextBoolean()));
    }
    for (int i = random.nextInt(6); i > 0; i--) {
      acts.add(rare(daemons));
    }
    if (random.nextInt(3) > 0) {
      // When the team is idle, a person releases held messages.
      acts.add(new ExternalAction.Release(ExternalAction.AT_REST));
    }
    externalCalls(acts);
    acts.sort(Comparator.comparingInt(ExternalAction::at));
    return acts;
  }

  private ExternalAction rare(int daemons) {
    return switch (random.nextInt(7)) {
      case 0 -> new ExternalAction.Terminate(at(), anybody());
      case 1 -> new ExternalAction.Release(at());
      case 2 -> new ExternalAction.Stop(at(), random.nextInt(daemons));
      case 3 ->
          new ExternalAction.Skew(
              at(), random.nextInt(daemons), Duration.ofMillis(random.nextInt(10_000) - 5_000));
      case 4 -> new ExternalAction.Answer(at());
      default -> new ExternalAction.Cancel(at(), anybody());
    };
  }

  /// External agents read their inbox, answer, and ask.
  private void externalCalls(List<ExternalAction> acts) {
    for (SimulationPlan.Member member : team) {
      for (int i = member.isExternal() ? random.nextInt(6) : 0; i > 0; i--) {
        String key = member.name() + " " + i;
        boolean again = random.nextInt(3) == 0;
        if (random.nextBoolean()) {
          acts.add(
              new ExternalAction.CallTool(
                  at(), member.name(), "check_inbox", Json.object(), key, again));
        } else {
          var letter =
              Json.object()
                  .put("recipient", random.nextInt(3) == 0 ? "operator" : anybody())
                  .put("text", "go 2 #" + key);
          if (random.nextBoolean()) {
            letter.put("sync", random.nextBoolean());
          }
          acts.add(
              new ExternalAction.CallTool(at(), member.name(), "send_message", letter, key, again));
        }
      }
    }
  }

  private Duration length() {
    return switch (random.nextInt(4)) {
      case 0 -> Duration.ofMillis(random.nextInt(3_000));
      case 1 -> Duration.ofSeconds(random.nextInt(60));
      case 2 -> Duration.ofSeconds(29 + random.nextInt(3));
      default -> Duration.ofMinutes(random.nextInt(60));
    };
  }

  private int at() {
    return random.nextInt(random.nextBoolean() ? BUSY / 4 : BUSY);
  }

  private String anybody() {
    return team.get(random.nextInt(team.size())).name();
  }
}
