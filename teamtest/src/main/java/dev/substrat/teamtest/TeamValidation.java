package dev.substrat.teamtest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Handle;
import dev.substrat.protocol.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Validates a declared team and reports all mistakes together, before any agent is created.
final class TeamValidation {
  private final Consumer<ObjectNode> check;
  private final Map<String, String> places = new HashMap<>();
  private final List<Problem.ProblemDetail> mistakes = new ArrayList<>();

  /// `check` validates one agent without its children and throws a fault if it is invalid.
  TeamValidation(Consumer<ObjectNode> check) {
    this.check = check;
  }

  void read(JsonNode agents, String pointer) {
    readAll(agents, pointer);
    if (!mistakes.isEmpty()) {
      throw ErrorCode.INVALID_CONFIG.fault(
          mistakes.stream()
              .map(one -> one.pointer() + " " + one.message())
              .collect(Collectors.joining("; ")),
          "correct the team",
          mistakes);
    }
  }

  private void readAll(JsonNode agents, String pointer) {
    if (!agents.isArray()) {
      wrong(pointer, "must be a list of agents");
    }
    for (int i = 0; agents.isArray() && i < agents.size(); i++) {
      if (agents.get(i) instanceof ObjectNode agent) {
        readOne(agent, pointer + "/" + i);
      } else {
        wrong(pointer + "/" + i, "must be an agent");
      }
    }
  }

  private void readOne(ObjectNode agent, String pointer) {
    ObjectNode alone = agent.deepCopy();
    alone.remove("children");
    try {
      check.accept(alone);
    } catch (Fault fault) {
      List<Problem.ProblemDetail> said = fault.problem().details();
      if (said == null || said.isEmpty()) {
        Problem.ProblemDetail.placed(fault.message())
            .filter(one -> agent.has(one.pointer().split("/")[1]))
            .ifPresentOrElse(
                one -> wrong(pointer + one.pointer(), one.message()),
                () -> wrong(pointer, fault.message()));
      } else {
        said.forEach(detail -> wrong(pointer + detail.pointer(), detail.message()));
      }
    }
    String handle = agent.path("handle").asText(Handle.of(agent.path("name").asText("")));
    String other = agent.has("name") ? places.putIfAbsent(handle, pointer) : null;
    if (other != null) {
      wrong(pointer, "has the handle %s, which %s has, too".formatted(handle, other));
    }
    if (agent.has("children")) {
      readAll(agent.path("children"), pointer + "/children");
    }
  }

  private void wrong(String pointer, String message) {
    mistakes.add(new Problem.ProblemDetail(pointer, message));
  }
}
