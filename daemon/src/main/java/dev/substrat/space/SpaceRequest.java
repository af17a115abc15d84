package dev.substrat.space;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An unvalidated request to create or change a space; missing fields are left open.
///
/// All problems are reported together, each with its JSON pointer.
public record SpaceRequest(
    @Nullable String name,
    @Nullable String kind,
    @Nullable String topic,
    @Nullable String wakePolicy,
    @Nullable Integer maxChainDepth) {

  public void requireValid() {
    List<Fault> wrong = new ArrayList<>();
    List<Runnable> rules =
        List.of(
            () -> SpaceRules.requireName(name),
            () -> Stream.ofNullable(kind).forEach(Space.SpaceKind::parse),
            () -> SpaceRules.requireTopic(topic),
            () -> Stream.ofNullable(wakePolicy).forEach(Space.WakePolicy::parse),
            () -> SpaceRules.requireDepth(maxChainDepth));
    for (Runnable rule : rules) {
      try {
        rule.run();
      } catch (Fault fault) {
        wrong.add(fault);
      }
    }
    if (wrong.size() == 1) {
      throw wrong.getFirst();
    }
    if (!wrong.isEmpty()) {
      throw together(wrong);
    }
  }

  /// Details with their hints.
  private static List<Problem.ProblemDetail> advised(Fault fault) {
    List<Problem.ProblemDetail> said = fault.problem().details();
    List<Problem.ProblemDetail> details = said == null ? List.of() : said;
    return details.stream()
        .map(one -> new Problem.ProblemDetail(one.pointer(), one.message() + "; " + fault.hint()))
        .toList();
  }

  private static Fault together(List<Fault> wrong) {
    List<Problem.ProblemDetail> details =
        wrong.stream().flatMap(fault -> advised(fault).stream()).toList();
    return ErrorCode.INVALID_ARGUMENTS.fault(
        wrong.stream().map(Fault::message).collect(Collectors.joining("; ")),
        wrong.getFirst().hint(),
        details);
  }
}
