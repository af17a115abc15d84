package dev.substrat.console.agents;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Validation errors of a draft: per field, and those without a field.
public record DraftProblems(Map<String, String> at, List<String> withoutField) {
  public static final DraftProblems NOTHING = new DraftProblems(Map.of(), List.of());

  public boolean isNothing() {
    return at.isEmpty() && withoutField.isEmpty();
  }

  /// Merges errors; the first error of a field wins.
  public DraftProblems and(DraftProblems more) {
    var both = new HashMap<>(more.at());
    both.putAll(at);
    return new DraftProblems(
        Map.copyOf(both),
        Stream.concat(withoutField.stream(), more.withoutField().stream()).distinct().toList());
  }

  public @Nullable String of(String field) {
    return at.get(field);
  }

  /// Value of `aria-invalid`; null for a valid field.
  public @Nullable String mark(String field) {
    return at.containsKey(field) ? "true" : null;
  }

  /// Value of `aria-describedby`; null for a valid field.
  public @Nullable String note(String field) {
    return at.containsKey(field) ? field + "-wrong" : null;
  }

  /// The same for a field with a help text: the error comes first.
  public String noteAndHelp(String field) {
    String help = field + "-help";
    return at.containsKey(field) ? note(field) + " " + help : help;
  }
}
