package dev.substrat.http;

import dev.substrat.id.Principal;
import java.util.Optional;

/// Knows who is behind a token. The server owns the question; `credential` answers it.
@FunctionalInterface
public interface Gate {
  Optional<Principal> admit(String token);
}
