package dev.substrat.access.person;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Reserved words, which prompts and pages use for people and for the daemon.
final class ReservedNames {
  static final List<String> ALL =
      List.of("operator", "person", "substrat", "system", "user", "yourself");

  /// Prompts put these words before names, as in `person ana`, so no name may start with them.
  private static final List<String> INTRODUCING = List.of("operator", "person");

  private ReservedNames() {}

  static boolean contain(String name) {
    return ALL.contains(name.strip().toLowerCase(Locale.ROOT));
  }

  /// The reserved word that this name looks like.
  static Optional<String> find(String name) {
    boolean isAscii = NameSkeleton.isAscii(name);
    String said = NameSkeleton.words(isAscii ? name : NameSkeleton.of(name));
    return ALL.stream()
        .filter(word -> {
          String shown = isAscii ? word : NameSkeleton.of(word);
          return said.equals(shown) || (INTRODUCING.contains(word) && said.startsWith(shown + " "));
        })
        .findFirst();
  }
}
