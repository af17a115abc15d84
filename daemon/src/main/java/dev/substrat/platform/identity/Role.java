package dev.substrat.platform.identity;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Role of a person. Which scopes a role includes is declared in `platform.identity.Scope`.
public enum Role {
  /// Everything, also people, the tokens of others and the daemon itself.
  OWNER,
  /// Everything about agents, messages, spaces and runs.
  OPERATOR,
  /// Takes part in spaces and answers what is asked there.
  MEMBER,
  /// Reads agents, runs and its own spaces, and changes nothing.
  VIEWER;

  public static final List<String> WORDS = Stream.of(values()).map(Role::word).toList();

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Role parse(String word) {
    return Stream.of(values())
        .filter(role -> role.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            ErrorCode.INVALID_ARGUMENTS.fault(
                "unknown role \"%s\"".formatted(word),
                SpellingSuggestion.suggestion(word, WORDS)
                    + "use one of: "
                    + String.join(", ", WORDS)));
  }
}
