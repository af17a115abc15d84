package dev.substrat.access.person;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Words that are no names, because prompts and pages use them for people and for the daemon.
final class ReservedNames {
  static final List<String> ALL =
      List.of("operator", "person", "substrat", "system", "user", "yourself");

  /// Prompts introduce people with these, as in `person ana`: no name begins with one of them.
  private static final List<String> INTRODUCING = List.of("operator", "person");

  private ReservedNames() {}

  static boolean contain(String name) {
    return ALL.contains(name.strip().toLowerCase(Locale.ROOT));
  }

  /// The reserved word that a reader could take this name for.
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
