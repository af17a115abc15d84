package dev.substrat.mcp;

import dev.substrat.id.Principal;
import org.jspecify.annotations.Nullable;

/// Who decides what is behind the door.
public interface Host {
  Offer offer(Principal principal);

  Watch watch(Principal principal);

  /// A principal's request has come in, whatever it wants.
  default void heardFrom(Principal principal, @Nullable String idempotencyKey) {}

  /// What the model of a principal should know before it uses any of this.
  String instructions(Principal principal);
}
