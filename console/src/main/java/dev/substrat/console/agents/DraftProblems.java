package dev.substrat.console.agents;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What is wrong with a draft: at its fields, and what belongs to none of them.
public record DraftProblems(Map<String, String> at, List<String> elsewhere) {
  public static final DraftProblems NOTHING = new DraftProblems(Map.of(), List.of());

  public boolean isNothing() {
    return at.isEmpty() && elsewhere.isEmpty();
  }

  /// With what else is wrong; a field says one thing at a time.
  public DraftProblems and(DraftProblems more) {
    var both = new HashMap<>(more.at());
    both.putAll(at);
    return new DraftProblems(
        Map.copyOf(both),
        Stream.concat(elsewhere.stream(), more.elsewhere().stream()).distinct().toList());
  }

  public @Nullable String of(String field) {
    return at.get(field);
  }

  /// For `aria-invalid`, which is left out where nothing is wrong.
  public @Nullable String mark(String field) {
    return at.containsKey(field) ? "true" : null;
  }

  /// For `aria-describedby`.
  public @Nullable String note(String field) {
    return at.containsKey(field) ? field + "-wrong" : null;
  }

  /// The same for a field with help below it: what is wrong is read first.
  public String noteAndHelp(String field) {
    String help = field + "-help";
    return at.containsKey(field) ? note(field) + " " + help : help;
  }
}
