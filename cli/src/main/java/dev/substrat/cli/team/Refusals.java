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

  /// What the daemon said about one agent.
  void add(Declared agent, Fault fault) {
    add(agent.pointer(), agent.name(), fault);
  }

  /// What the daemon said about one space.
  void add(DeclaredSpace space, Fault fault) {
    add(space.pointer(), space.id(), fault);
  }

  /// Its pointers start at the thing, ours at the file.
  private void add(String pointer, String name, Fault fault) {
    if (details.isEmpty()) {
      code = fault.code();
      hint = fault.hint();
    }
    List<Problem.Detail> said = fault.problem().details();
    if (said == null) {
      details.add(new Problem.Detail(pointer, name + ": " + fault.message()));
    } else {
      said.forEach(
          detail -> details.add(new Problem.Detail(pointer + detail.pointer(), detail.message())));
    }
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
