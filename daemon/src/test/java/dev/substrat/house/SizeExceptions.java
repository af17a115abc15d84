package dev.substrat.house;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Files and methods that are longer than the guide, each with its reason: sizes are guidance, and
/// a hub that is one idea may be longer. They are listed in `size-exceptions.txt`.
final class SizeExceptions {
  static final String FILE = "daemon/src/test/resources/dev/substrat/house/size-exceptions.txt";

  private final Map<String, String> reasons = new TreeMap<>();
  private final Set<String> unused = new TreeSet<>();

  private SizeExceptions() {}

  /// Reads lines `PATH: REASON` or `PATH#METHOD: REASON`.
  static SizeExceptions parse(String list) {
    var exceptions = new SizeExceptions();
    for (String line : list.lines().filter(line -> !line.startsWith("#")).toList()) {
      String[] parts = line.split(":", 2);
      if (parts.length < 2 || parts[1].isBlank()) {
        throw new IllegalArgumentException("size exception without a reason: " + line);
      }
      exceptions.reasons.put(parts[0].strip(), parts[1].strip());
    }
    exceptions.unused.addAll(exceptions.reasons.keySet());
    return exceptions;
  }

  /// The problem of a file or method that is larger than the guide; empty if it is listed.
  Optional<String> problem(String place, String size) {
    for (String listed : reasons.keySet()) {
      if (place.equals(listed) || place.endsWith("/" + listed)) {
        unused.remove(listed);
        return Optional.empty();
      }
    }
    return Optional.of(
        "%s %s. Split it if it is more than one idea; otherwise list it with its reason in %s"
            .formatted(place, size, FILE));
  }

  /// Listed places that are no larger than the guide, or do not exist: remove them from the list.
  Set<String> unused() {
    return unused;
  }
}
