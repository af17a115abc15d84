package dev.substrat.space.wakeup;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Finds agents mentioned in a text as `@handle` or `@name`.
final class Mentions {
  private Mentions() {}

  static List<WakeupCandidate> in(String text, Collection<WakeupCandidate> agents) {
    Set<WakeupCandidate> named = new LinkedHashSet<>();
    for (int at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
      int start = at + 1;
      // If both "Lars" and "Lars the Tall" match, the longer name is meant.
      int longest = agents.stream().mapToInt(agent -> length(text, start, agent)).max().orElse(0);
      if (longest > 0) {
        agents.stream().filter(agent -> length(text, start, agent) == longest).forEach(named::add);
      }
    }
    return List.copyOf(named);
  }

  /// The length of the agent's name at `start`; 0 if it is another name.
  private static int length(String text, int start, WakeupCandidate agent) {
    return Stream.of(agent.handle(), agent.name())
        .filter(name -> text.regionMatches(true, start, name, 0, name.length()))
        .mapToInt(String::length)
        .filter(length -> isEnd(text, start + length))
        .max()
        .orElse(0);
  }

  private static boolean isEnd(String text, int end) {
    if (end >= text.length()) {
      return true;
    }
    char next = text.charAt(end);
    boolean goesOn = next == '-' && end + 1 < text.length() && isWord(text.charAt(end + 1));
    return !isWord(next) && !goesOn;
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }
}
