package dev.substrat.cli.team;

import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Problem;
import java.util.ArrayList;
import java.util.List;

/// Everything in a team file that will not do, told at once: who has to correct a file wants to
/// open it once.
final class Refusals {
  private final String source;
  private final List<Problem.Detail> details = new ArrayList<>();
  private ErrorCode code = ErrorCode.INVALID_CONFIG;
  private String hint = "";

  Refusals(String source) {
    this.source = source;
  }

  void add(String pointer, String message, String advice) {
    if (details.isEmpty()) {
      hint = advice;
    }
    details.add(new Problem.Detail(pointer, message));
  }

  /// What the daemon said about one agent. Its pointers start at the agent, ours at the file.
  void add(Declared agent, Fault fault) {
    if (details.isEmpty()) {
      code = fault.code();
      hint = fault.hint();
    }
    List<Problem.Detail> said = fault.problem().details();
    if (said == null) {
      details.add(placed(agent, fault.message()));
    } else {
      said.forEach(detail ->
          details.add(new Problem.Detail(agent.pointer() + detail.pointer(), detail.message())));
    }
  }

  /// Some messages have their place in front of them, others are about the agent as a whole.
  private static Problem.Detail placed(Declared agent, String message) {
    return Problem.Detail.placed(message)
        .filter(one -> agent.config().has(one.pointer().split("/")[1]))
        .map(one -> new Problem.Detail(agent.pointer() + one.pointer(), one.message()))
        .orElseGet(() -> new Problem.Detail(agent.pointer(), agent.name() + ": " + message));
  }

  boolean isEmpty() {
    return details.isEmpty();
  }

  void throwIfAny() {
    if (details.size() == 1) {
      Problem.Detail only = details.getFirst();
      throw new Fault(
          code, "%s: %s %s".formatted(source, only.pointer(), only.message()), hint, details);
    }
    if (!details.isEmpty()) {
      throw new Fault(
          code,
          "%s has %d mistakes".formatted(source, details.size()),
          "correct them and apply it again; for the first: " + hint,
          details);
    }
  }
}
