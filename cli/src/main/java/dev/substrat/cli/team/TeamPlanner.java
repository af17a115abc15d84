package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.team.PlanStep.WriteRequestsStep.WriteVerb;
import dev.substrat.cli.team.PlanStep.WriteRequestsStep.WrittenObjectKind;
import dev.substrat.cli.terminal.WarningPrinter;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Computes the plan: compares a declared team with the existing one.
///
/// Configurations are compared by the daemon with a dry run of every change. So default values
/// never appear as changes, and all errors are known before anything is changed.
final class TeamPlanner {
  private final DaemonClient daemon;
  private final TeamFile file;
  private final PlannerOptions options;
  private final LiveTeam living;
  private final AgentMatching matching;
  private final TeamFileProblems refusals;
  private final List<PlanStep> changes = new ArrayList<>();
  private final List<String> kept = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private int unchanged;

  /// `prunes` removes what the file does not declare; `overwrites` replaces memory, goals and plans
  /// that differ.
  record PlannerOptions(boolean prunes, boolean overwrites) {}

  TeamPlanner(DaemonClient daemon, TeamFile file, PlannerOptions options) {
    this.daemon = daemon;
    this.file = file;
    this.options = options;
    this.living = new LiveTeam(daemon.readAll("/api/agents", "agents").path("agents"));
    this.matching = new AgentMatching(file, living);
    this.refusals = file.problems();
  }

  ApplyPlan plan() {
    Set<String> people = planPeople();
    for (DeclaredAgent agent : file.inOrder()) {
      try {
        consider(agent);
      } catch (Fault fault) {
        if (fault.code().kind() != ErrorCode.ErrorKind.CALLER) {
          throw fault;
        }
        refusals.add(agent.pointer(), agent.name(), fault, agent.config());
        validate(agent);
      }
    }
    file.invalidAgents().forEach(this::validate);
    Map<String, LiveAgent> matched = matching.byDeclaredHandle();
    file.allAgents().forEach(agent -> planSnapshot(agent, matched));
    var blocks = new SharedBlockPlanner(daemon, file, living, matched, options.overwrites());
    blocks.plan();
    changes.addAll(blocks.changes());
    blocks.kept().forEach(kept::add);
    var spaces = new SpacePlanner(daemon, living, matched, refusals);
    spaces.plan(file, people);
    changes.addAll(spaces.changes());
    refusals.throwIfAny();
    unchanged += blocks.unchanged() + spaces.unchanged();
    var ids = new HashMap<String, String>();
    matched.forEach((handle, agent) -> ids.put(handle, agent.id()));
    return new ApplyPlan(
        List.copyOf(changes),
        unchanged,
        List.copyOf(kept),
        undeclared(),
        options.prunes(),
        Map.copyOf(ids));
  }

  /// Names of existing people.
  private Set<String> planPeople() {
    var there = new HashMap<String, JsonNode>();
    daemon
        .readAll("/api/people", "people")
        .path("people")
        .forEach(person -> there.put(person.path("name").asText(), person));
    for (TeamFile.DeclaredObject person : file.people()) {
      JsonNode old = there.get(person.name());
      JsonNode shown = person.body().path("displayName");
      if (old == null) {
        refusals.check(
            person.pointer(),
            "person " + person.name(),
            person.body(),
            body -> daemon.post("/api/people?dryRun=true", body));
        changes.add(write(WriteVerb.CREATE, person, "POST", "/api/people", person.body()));
      } else if (!shown.isMissingNode() && !shown.equals(old.path("displayName"))) {
        String path = DaemonClient.path("/api/people/", person.name());
        ObjectNode body = person.body().deepCopy();
        body.remove("name");
        changes.add(write(WriteVerb.UPDATE, person, "PUT", path, body));
      } else {
        unchanged++;
      }
    }
    return there.keySet();
  }

  private static PlanStep write(
      WriteVerb verb, TeamFile.DeclaredObject person, String method, String path, ObjectNode body) {
    String detail = person.body().path("displayName").asText("");
    var request = new PlanStep.PlannedRequest(method, null, path, body);
    return new PlanStep.WriteRequestsStep(
        verb, WrittenObjectKind.PERSON, null, person.name(), detail, List.of(request));
  }

  private void planSnapshot(DeclaredAgent agent, Map<String, LiveAgent> matched) {
    if (agent.snapshot().isEmpty()) {
      return;
    }
    int mistakes = refusals.size();
    LiveAgent one = matched.get(agent.handle());
    for (SnapshotChunk chunk : SnapshotChunk.of(agent.snapshot())) {
      refusals
          .check(
              place -> agent.pointer() + chunk.inWhole(place),
              agent.name(),
              chunk.body(),
              body -> daemon.post("/api/restore/check", body))
          .filter(_ -> one == null)
          .ifPresent(reply -> addWarnings(agent, reply));
    }
    if (refusals.size() > mistakes) {
      return;
    }
    var planner = new SnapshotPlanner(agent.handle(), options.overwrites(), options.prunes());
    planner.plan(
        agent.snapshot(),
        Optional.ofNullable(one).map(found -> LiveSnapshot.read(daemon, found.id())));
    changes.addAll(planner.changes());
    planner.kept().forEach(what -> kept.add(what + " of " + agent.handle()));
  }

  private void consider(DeclaredAgent agent) {
    TreePosition place = matching.position(agent);
    Optional<LiveAgent> match = matching.match(agent, place);
    if (match.isEmpty()) {
      // Without a parent in the request: it may not exist yet.
      ObjectNode body = agent.config().deepCopy();
      if (place instanceof TreePosition.ExistingParent(var parent)) {
        body.put("parent", parent.id());
      }
      check(agent, body, rest -> daemon.post("/api/agents?dryRun=true", rest))
          .ifPresent(reply ->
              changes.add(
                  new PlanStep.CreateAgentStep(agent, place, reply.path("handle").asText())));
      return;
    }
    String target = DaemonClient.path("/api/agents/", match.get().id()) + "?dryRun=true";
    Optional<JsonNode> reply = check(agent, agent.config(), rest -> daemon.put(target, rest));
    if (reply.isEmpty()) {
      return;
    }
    List<String> changed = reply.get().path("changed").valueStream().map(JsonNode::asText).toList();
    if (changed.isEmpty()) {
      unchanged++;
      return;
    }
    requireNamed(match.get());
    changes.add(new PlanStep.UpdateAgentStep(agent, match.get(), changed));
  }

  private Optional<JsonNode> check(
      DeclaredAgent agent, ObjectNode body, Function<ObjectNode, JsonNode> request) {
    Optional<JsonNode> reply = refusals.check(agent.pointer(), agent.name(), body, request);
    reply.ifPresent(answer -> addWarnings(agent, answer));
    return reply;
  }

  /// Validates only the configuration: errors in name and handle are already recorded.
  private void validate(DeclaredAgent agent) {
    ObjectNode config = agent.config().deepCopy().put("name", "nameless");
    config.remove("handle");
    check(agent, config, rest -> daemon.post("/api/agents?dryRun=true", rest));
  }

  private void addWarnings(DeclaredAgent agent, JsonNode reply) {
    WarningPrinter.of(reply).map(agent.pointer()::concat).forEach(warnings::add);
  }

  /// Warnings of the daemon.
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  /// A spawned agent is changed only if the file names its handle.
  private void requireNamed(LiveAgent match) {
    if (match.spawned() && !file.hasExplicitHandle(match.handle())) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "was spawned by %s at run time and differs from this declaration"
              .formatted(living.handleOfParent(match)),
          "add handle: %s to manage that agent in this file, or use another name"
              .formatted(match.handle()));
    }
  }

  /// Undeclared agents below declared ones, without declared descendants. Other trees are ignored:
  /// they may belong to another file.
  private List<PlanStep.TerminateAgentStep> undeclared() {
    var kept = living.withAncestors(matching.matched());
    var ends = new ArrayList<PlanStep.TerminateAgentStep>();
    var ended = new HashSet<LiveAgent>();
    for (LiveAgent declared : matching.matched()) {
      for (LiveAgent one : living.descendants(declared)) {
        if (!kept.contains(one) && !ended.contains(one)) {
          List<LiveAgent> below = living.descendants(one);
          ends.add(new PlanStep.TerminateAgentStep(one, living.handleOfParent(one), below));
          ended.add(one);
          ended.addAll(below);
        }
      }
    }
    return ends;
  }

  /// Matches declared agents to existing ones.
  ///
  /// An explicit handle decides. Otherwise it is the agent with the derived handle at the declared
  /// position, or the agent with that name there: handles of terminated agents are not reused, so
  /// the daemon may have added a number. Names are unique among siblings, so the match is stable.
  private static final class AgentMatching {
    private final TeamFile file;
    private final LiveTeam living;
    private final Map<String, LiveAgent> matched = new LinkedHashMap<>();

    AgentMatching(TeamFile file, LiveTeam living) {
      this.file = file;
      this.living = living;
    }

    /// Parents must be matched before their children.
    Optional<LiveAgent> match(DeclaredAgent agent, TreePosition place) {
      Optional<LiveAgent> found =
          agent.hasExplicitHandle() ? byGivenHandle(agent, place) : byName(agent, place);
      found.ifPresent(one -> matched.put(agent.handle(), one));
      return found;
    }

    /// All agents matched so far.
    List<LiveAgent> matched() {
      return List.copyOf(matched.values());
    }

    /// The same, keyed by the handles in the file.
    Map<String, LiveAgent> byDeclaredHandle() {
      return Map.copyOf(matched);
    }

    TreePosition position(DeclaredAgent agent) {
      String parent = agent.parent();
      if (parent == null) {
        return new TreePosition.RootPosition();
      }
      Optional<DeclaredAgent> inFile = file.parentOf(agent);
      if (inFile.isEmpty()) {
        return new TreePosition.ExistingParent(
            living.find(parent).orElseThrow(() -> unknownParent(parent)));
      }
      LiveAgent alive = matched.get(inFile.get().handle());
      return alive == null
          ? new TreePosition.PlannedParent(inFile.get())
          : new TreePosition.ExistingParent(alive);
    }

    private Optional<LiveAgent> byGivenHandle(DeclaredAgent agent, TreePosition place) {
      Optional<LiveAgent> found = living.find(agent.handle());
      found.filter(one -> !place.matches(one)).ifPresent(this::refuseToMove);
      // A new handle for a known name. Names of roots are not unique, so there it is a new agent.
      return found.isPresent() || place instanceof TreePosition.RootPosition
          ? found
          : namesakes(agent, place).stream().findFirst();
    }

    private Optional<LiveAgent> byName(DeclaredAgent agent, TreePosition place) {
      Optional<LiveAgent> suggested = living.find(agent.handle());
      if (suggested.filter(place::matches).isPresent()) {
        return suggested;
      }
      List<LiveAgent> namesakes = namesakes(agent, place);
      if (namesakes.size() > 1) {
        throw ErrorCode.INVALID_CONFIG.fault(
            "several agents are named %s: %s".formatted(agent.name(), handles(namesakes)),
            "set handle: to one of these, or to a new one");
      }
      if (namesakes.isEmpty()) {
        // An agent spawned under another parent only happens to have the handle.
        suggested.filter(one -> !one.spawned()).ifPresent(this::refuseToMove);
      }
      return namesakes.stream().findFirst();
    }

    /// Agents with that name at that position, unless the file declares them separately.
    private List<LiveAgent> namesakes(DeclaredAgent agent, TreePosition place) {
      return living.all().stream()
          .filter(place::matches)
          .filter(one -> one.name().equalsIgnoreCase(agent.name()))
          .filter(one -> !file.hasExplicitHandle(one.handle()) && !matched.containsValue(one))
          .toList();
    }

    private void refuseToMove(LiveAgent agent) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "already has the parent %s, and the parent of an agent cannot change"
              .formatted(living.handleOfParent(agent)),
          "terminate the agent first (./substrat agent terminate %s), or use another handle"
              .formatted(agent.handle()));
    }

    private Fault unknownParent(String parent) {
      String there = living.all().isEmpty() ? "" : "; the daemon has: " + handles(living.all());
      var known = new TreeSet<>(file.agents().keySet());
      living.all().forEach(agent -> known.add(agent.handle()));
      String message =
          "agent \"%s\" not found".formatted(parent)
              + SpellingSuggestion.suggestionSuffix(parent, known);
      return ErrorCode.INVALID_CONFIG.fault(
          message,
          "declare the agent in the file, or use an existing agent" + there,
          List.of(new Problem.ProblemDetail("/parent", message)));
    }

    private static String handles(List<LiveAgent> agents) {
      String some =
          agents.stream().limit(8).map(LiveAgent::handle).collect(Collectors.joining(", "));
      return agents.size() > 8 ? some + ", …" : some;
    }
  }
}
