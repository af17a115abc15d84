package dev.substrat.platform.config;

import dev.substrat.protocol.ErrorCode;
import java.util.Arrays;
import java.util.Locale;

/// Policy for tools of a remote server that is seen for the first time.
public enum RemoteToolPolicy {
  /// Agents can use them immediately, unless a definition is suspicious.
  TRUST_FIRST,
  /// A person must approve each of them first.
  REVIEW;

  static RemoteToolPolicy parse(String word) {
    return Arrays.stream(values())
        .filter(one -> one.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            ErrorCode.INVALID_CONFIG.fault(
                "remoteTools must be trust-first or review, not \"%s\"".formatted(word),
                "omit the key for the default, which depends on who can reach the daemon"));
  }

  /// Name in the configuration.
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
