package dev.substrat.cli.team;

import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

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
    add(agent.pointer(), agent.name(), fault, agent.config()::has);
  }

  /// What the daemon said about one space.
  void add(DeclaredSpace space, Fault fault) {
    add(space.pointer(), space.id(), fault, _ -> false);
  }

  /// Its pointers start at the thing, ours at the file. Some messages have their place in front of
  /// them, others are about the thing as a whole.
  private void add(String pointer, String name, Fault fault, Predicate<String> isKey) {
    if (details.isEmpty()) {
      code = fault.code();
      hint = fault.hint();
    }
    List<Problem.Detail> said = fault.problem().details();
    if (said == null) {
      details.add(
          Problem.Detail.placed(fault.message())
              .filter(one -> isKey.test(one.pointer().split("/")[1]))
              .map(one -> new Problem.Detail(pointer + one.pointer(), one.message()))
              .orElseGet(() -> new Problem.Detail(pointer, name + ": " + fault.message())));
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
