package dev.substrat.team.toolconfig;

import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import java.util.ArrayList;
import java.util.List;

/// Collects the problems of a configuration, so that all of them are reported together.
///
/// A single problem is thrown as it is. Of several, the first is the message, and the details list
/// all of them with their pointers.
public final class ConfigProblems {
  private static final int MAX_COUNT = 20;

  private final List<Fault> faults = new ArrayList<>();
  private final List<Problem.ProblemDetail> details = new ArrayList<>();

  /// Runs a check and collects its fault. `place` is the JSON pointer, for faults without one.
  public void note(String place, Runnable check) {
    try {
      check.run();
    } catch (Fault fault) {
      faults.add(fault);
      List<Problem.ProblemDetail> several = fault.problem().details();
      if (several != null) {
        details.addAll(several);
      } else {
        Problem.ProblemDetail one =
            Problem.ProblemDetail.placed(fault.message())
                .orElseGet(() -> new Problem.ProblemDetail(place, fault.message()));
        details.add(new Problem.ProblemDetail(one.pointer(), one.message() + "; " + fault.hint()));
      }
    }
  }

  public void throwIfAny() {
    if (faults.isEmpty()) {
      return;
    }
    Fault first = faults.getFirst();
    if (faults.size() == 1) {
      throw first;
    }
    throw new Fault(
        first.code(),
        "%s (and %d more problems)".formatted(first.message(), details.size() - 1),
        first.hint(),
        details.stream().limit(MAX_COUNT).toList());
  }
}
