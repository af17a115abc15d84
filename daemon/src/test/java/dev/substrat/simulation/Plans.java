package dev.substrat.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Makes a plan from a seed: a team, what it does, and what is done to it.
final class Plans {
  private static final List<String> NAMES =
      List.of(
          "ada", "ben", "cleo", "dora", "emil", "finn", "gus", "hana", "ines", "jon", "kim",
          "lars");

  /// Nearly every history is at rest before this step, so that most acts come in the middle.
  private static final int BUSY = 300;

  private final Random random;
  private final List<Plan.Member> team = new ArrayList<>();

  private Plans(long seed) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
  }

  static Plan of(long seed) {
    return Rooms.in(new Plans(seed).make(seed), seed);
  }

  private Plan make(long seed) {
    int size = 1 + random.nextInt(random.nextInt(3) == 0 ? NAMES.size() : 5);
    var parents = new ArrayList<@Nullable String>();
    for (int i = 0; i < size; i++) {
      parents.add(i == 0 || random.nextInt(12) == 0 ? null : parent(parents, i));
    }
    for (int i = 0; i < size; i++) {
      boolean isExternal = random.nextInt(8) == 0;
      var near = near(parents, i);
      var rules = isExternal ? List.<Plan.Rule>of() : new Playbooks(random, near).rules();
      team.add(new Plan.Member(NAMES.get(i), parents.get(i), isExternal, rules, limits()));
    }
    int daemons = random.nextInt(3) == 0 ? 2 : 1;
    return new Plan(1 + random.nextInt(3), daemons, List.copyOf(team), acts(daemons), seed);
  }

  /// Somebody who is at most two levels below a root.
  private String parent(List<@Nullable String> parents, int count) {
    while (true) {
      int i = random.nextInt(count);
      @Nullable String above = parents.get(i);
      if (above == null || parents.get(NAMES.indexOf(above)) == null) {
        return NAMES.get(i);
      }
    }
  }

  private static Playbooks.Near near(List<@Nullable String> parents, int self) {
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
    return new Playbooks.Near(parent == null ? "operator" : parent, children, siblings);
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

  private List<Act> acts(int daemons) {
    var acts = new ArrayList<Act>();
    int letters = 1 + random.nextInt(8);
    for (int i = 0; i < letters; i++) {
      String text = random.nextInt(4) == 0 ? "ping" : "go " + (1 + random.nextInt(3)) + " #o" + i;
      acts.add(new Act.Write(i == 0 ? 0 : at(), anybody(), text, random.nextBoolean(), "key " + i));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      acts.add(new Act.Crash(at(), random.nextInt(daemons), random.nextInt(4) == 0));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      acts.add(new Act.Jump(at(), length(), random.nextBoolean()));
    }
    for (int i = random.nextInt(6); i > 0; i--) {
      acts.add(rare(daemons));
    }
    if (random.nextInt(3) > 0) {
      // When everything has come to rest, a person looks at what is held.
      acts.add(new Act.Release(Act.AT_REST));
    }
    callsFromElsewhere(acts);
    acts.sort(Comparator.comparingInt(Act::at));
    return acts;
  }

  private Act rare(int daemons) {
    return switch (random.nextInt(7)) {
      case 0 -> new Act.Terminate(at(), anybody());
      case 1 -> new Act.Release(at());
      case 2 -> new Act.Stop(at(), random.nextInt(daemons));
      case 3 ->
          new Act.Skew(
              at(), random.nextInt(daemons), Duration.ofMillis(random.nextInt(10_000) - 5_000));
      case 4 -> new Act.Answer(at());
      default -> new Act.Cancel(at(), anybody());
    };
  }

  /// Agents whose mind is elsewhere look at their mail, answer, and ask.
  private void callsFromElsewhere(List<Act> acts) {
    for (Plan.Member member : team) {
      for (int i = member.isExternal() ? random.nextInt(6) : 0; i > 0; i--) {
        String key = member.name() + " " + i;
        boolean again = random.nextInt(3) == 0;
        if (random.nextBoolean()) {
          acts.add(new Act.CallTool(at(), member.name(), "check_inbox", Json.object(), key, again));
        } else {
          var letter =
              Json.object()
                  .put("recipient", random.nextInt(3) == 0 ? "operator" : anybody())
                  .put("text", "go 2 #" + key);
          if (random.nextBoolean()) {
            letter.put("sync", random.nextBoolean());
          }
          acts.add(new Act.CallTool(at(), member.name(), "send_message", letter, key, again));
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
