package dev.substrat.platform.config;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.Arrays;
import java.util.Locale;

/// Policy for tools of a remote server that is seen for the first time.
public enum RemoteToolPolicy {
  /// Agents have them at once, unless a definition is suspicious.
  TRUST_FIRST,
  /// Each waits until a person has approved it.
  REVIEW;

  static RemoteToolPolicy parse(String word) {
    return Arrays.stream(values())
        .filter(one -> one.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            new Fault(
                ErrorCode.INVALID_CONFIG,
                "remoteTools must be trust-first or review, not \"%s\"".formatted(word),
                "leave it out to let the daemon decide by who uses it"));
  }

  /// As it is written in the configuration.
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
