package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.shell.Warnings;
import dev.substrat.cli.wire.Daemon;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Compares a declared team with the living one.
///
/// It does not compare configurations itself: the daemon rehearses every change and says what it
/// would come to. So defaults and whatever else the daemon fills in never look like a change, and
/// whatever it would refuse is known before anything is done.
final class Planner {
  private final Daemon daemon;
  private final TeamFile file;
  private final LivingTeam living;
  private final Matching matching;
  private final Refusals refusals;
  private final List<Step> changes = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private int unchanged;

  Planner(Daemon daemon, TeamFile file) {
    this.daemon = daemon;
    this.file = file;
    this.living = new LivingTeam(daemon.readAll("/api/agents", "agents").path("agents"));
    this.matching = new Matching(file, living);
    this.refusals = new Refusals(file.source());
  }

  Plan plan(boolean prunes) {
    for (Declared agent : file.inOrder()) {
      try {
        consider(agent);
      } catch (Fault fault) {
        if (fault.code().kind() != ErrorCode.Kind.CALLER) {
          throw fault;
        }
        refusals.add(agent, fault);
      }
    }
    Map<String, Living> matched = matching.byDeclaredHandle();
    var spaces = new SpacePlanner(daemon, living, matched, refusals);
    spaces.plan(file);
    refusals.throwIfAny();
    changes.addAll(spaces.changes());
    var ids = new HashMap<String, String>();
    matched.forEach((handle, agent) -> ids.put(handle, agent.id()));
    return new Plan(
        List.copyOf(changes),
        unchanged + spaces.unchanged(),
        undeclared(),
        prunes,
        Map.copyOf(ids));
  }

  private void consider(Declared agent) {
    Place place = matching.place(agent);
    Optional<Living> match = matching.match(agent, place);
    if (match.isEmpty()) {
      changes.add(new Step.Create(agent, place, rehearseCreate(agent, place)));
      return;
    }
    List<String> changed = rehearseUpdate(agent, match.get());
    if (changed.isEmpty()) {
      unchanged++;
      return;
    }
    requireNamed(match.get());
    changes.add(new Step.Update(agent, match.get(), changed));
  }

  /// The handle it will get. A parent that is not there yet cannot refuse it.
  private String rehearseCreate(Declared agent, Place place) {
    ObjectNode body = agent.config().deepCopy();
    if (place instanceof Place.Under(var parent)) {
      body.put("parent", parent.id());
    }
    return heard(agent, daemon.post("/api/agents?dryRun=true", body)).path("handle").asText();
  }

  private List<String> rehearseUpdate(Declared agent, Living match) {
    String target = Daemon.path("/api/agents/", match.id()) + "?dryRun=true";
    return heard(agent, daemon.put(target, agent.config()))
        .path("changed")
        .valueStream()
        .map(JsonNode::asText)
        .toList();
  }

  private JsonNode heard(Declared agent, JsonNode reply) {
    Warnings.of(reply).map(agent.pointer()::concat).forEach(warnings::add);
    return reply;
  }

  /// What the daemon takes and doubts all the same.
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  /// What an agent spawned is changed only if the file leaves no doubt that it means this one.
  private void requireNamed(Living match) {
    if (match.spawned() && !file.names(match.handle())) {
      throw new Fault(
          ErrorCode.INVALID_CONFIG,
          "was spawned by %s at run time and is different from this"
              .formatted(living.handleOfParent(match)),
          "write handle: %s to take it over, or give this one another name"
              .formatted(match.handle()));
    }
  }

  /// Those below declared agents that are not declared and lead nobody who is. Other trees are
  /// another file's business.
  private List<Step.Terminate> undeclared() {
    var kept = living.withAllAbove(matching.matched());
    var ends = new ArrayList<Step.Terminate>();
    var ended = new HashSet<Living>();
    for (Living declared : matching.matched()) {
      for (Living one : living.below(declared)) {
        if (!kept.contains(one) && !ended.contains(one)) {
          List<Living> below = living.below(one);
          ends.add(new Step.Terminate(one, living.handleOfParent(one), below));
          ended.add(one);
          ended.addAll(below);
        }
      }
    }
    return ends;
  }
}
