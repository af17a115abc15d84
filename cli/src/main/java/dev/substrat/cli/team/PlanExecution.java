package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Executes the steps of a plan in order and stops at the first failure.
///
/// There is no rollback: executed steps match the file, so running the same command again continues
/// with the rest.
final class PlanExecution {
  private final DaemonClient daemon;
  private final Map<String, String> matched;
  private final Map<String, String> createdIds = new HashMap<>();
  private int done;

  /// `matched` has the ids of existing agents, keyed by the handles in the file.
  PlanExecution(DaemonClient daemon, Map<String, String> matched) {
    this.daemon = daemon;
    this.matched = matched;
  }

  /// Number of executed steps.
  int done() {
    return done;
  }

  /// Reports each step after its execution.
  void run(List<PlanStep> steps, Consumer<String> progress) {
    for (PlanStep step : steps) {
      try {
        String done = perform(step);
        progress.accept(step.pastVerb() + " " + step.subject(done));
      } catch (Fault fault) {
        throw stopped(step, fault);
      }
      done++;
    }
  }

  /// Executes a step and returns the handle, id or name of its object.
  private String perform(PlanStep step) {
    return switch (step) {
      case PlanStep.CreateAgentStep create -> create(create);
      case PlanStep.UpdateAgentStep update ->
          daemon
              .put(DaemonClient.path("/api/agents/", update.living().id()), update.agent().config())
              .path("handle")
              .asText();
      case PlanStep.TerminateAgentStep end -> terminate(end);
      case PlanStep.CreateSpaceStep create -> create(create.space());
      case PlanStep.UpdateSpaceStep update -> update(update);
      case PlanStep.WriteRequestsStep write -> {
        write.requests().forEach(this::send);
        yield write.name();
      }
    };
  }

  private String create(DeclaredSpace space) {
    ObjectNode body = space.config().deepCopy();
    space.members().forEach(member -> body.withArrayProperty("members").add(resolved(member)));
    return daemon.post("/api/spaces", body).path("id").asText();
  }

  private String update(PlanStep.UpdateSpaceStep step) {
    String target = DaemonClient.path("/api/spaces/", step.id());
    ObjectNode body = step.space().config().deepCopy().retain(step.changed());
    if (!body.isEmpty()) {
      daemon.put(target, body);
    }
    for (String newcomer : step.newcomers()) {
      daemon.post(target + "/members", JsonTree.object().put("member", resolved(newcomer)));
    }
    return step.handle();
  }

  private void send(PlanStep.PlannedRequest request) {
    String agent = request.agent();
    String target =
        agent == null
            ? request.path()
            : DaemonClient.path("/api/agents/", resolved(agent)) + request.path();
    JsonNode body = request.body() == null ? JsonTree.object() : resolved(request.body());
    switch (request.method()) {
      case "POST" -> daemon.post(target, body);
      case "PUT" -> daemon.put(target, body);
      case "DELETE" -> delete(target);
      default -> throw new IllegalArgumentException(request.method());
    }
  }

  private void delete(String target) {
    try {
      daemon.delete(target);
    } catch (Fault fault) {
      // Already deleted.
      if (fault.code() != ErrorCode.NOT_FOUND) {
        throw fault;
      }
    }
  }

  /// Replaces handles of the file with agent ids, in the agents of a shared block.
  private JsonNode resolved(JsonNode body) {
    JsonNode copy = body.deepCopy();
    Stream.concat(Stream.of(copy), copy.path("agents").valueStream())
        .filter(one -> one.path("agent").isTextual())
        .forEach(one -> ((ObjectNode) one).put("agent", resolved(one.path("agent").asText())));
    return copy;
  }

  /// The agent may have another handle on the daemon than in the file.
  private String resolved(String member) {
    String created = createdIds.get(member);
    return created == null ? matched.getOrDefault(member, member) : created;
  }

  /// Creates the agent with exactly the planned handle. If the handle was taken meanwhile, another
  /// command may be applying the same file, and continuing would create a mixed team.
  private String create(PlanStep.CreateAgentStep step) {
    ObjectNode body = step.agent().config().deepCopy().put("handle", step.handle());
    switch (step.place()) {
      case TreePosition.RootPosition _ -> {}
      case TreePosition.ExistingParent(var parent) -> body.put("parent", parent.id());
      case TreePosition.PlannedParent(var parent) ->
          body.put("parent", Objects.requireNonNull(createdIds.get(parent.handle())));
    }
    var agent = created(step, body);
    createdIds.put(step.agent().handle(), agent.path("id").asText());
    return agent.path("handle").asText();
  }

  private JsonNode created(PlanStep.CreateAgentStep step, ObjectNode body) {
    try {
      return daemon.post("/api/agents", body);
    } catch (Fault fault) {
      if (fault.code() != ErrorCode.NAME_TAKEN) {
        throw fault;
      }
      throw ErrorCode.CONFLICT.fault(
          "another agent has taken the handle %s in the meantime".formatted(step.handle()),
          "check the team: ./substrat agent tree",
          fault);
    }
  }

  private String terminate(PlanStep.TerminateAgentStep step) {
    try {
      daemon.delete(DaemonClient.path("/api/agents/", step.agent().id()));
    } catch (Fault fault) {
      // Already terminated.
      if (fault.code() != ErrorCode.AGENT_NOT_FOUND) {
        throw fault;
      }
    }
    return step.handle();
  }

  private static Fault stopped(PlanStep step, Fault fault) {
    List<Problem.ProblemDetail> details = fault.problem().details();
    return new Fault(
        fault.code(),
        "cannot %s: %s".formatted(step.description(), fault.message()),
        fault.hint() + "; then run the same command again to apply the rest",
        details == null ? List.of() : details);
  }
}
