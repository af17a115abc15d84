package dev.substrat.http;

import dev.substrat.id.Principal;
import java.util.Optional;

/// Knows who is behind a token. The server owns the question; `credential` answers it.
@FunctionalInterface
public interface Gate {
  Optional<Principal> admit(String token);

  /// Who somebody without a token is: nobody, unless the door is open to all.
  default Optional<Principal> stranger() {
    return Optional.empty();
  }
}
