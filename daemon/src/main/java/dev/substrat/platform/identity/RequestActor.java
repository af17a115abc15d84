package dev.substrat.platform.identity;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Who acts as operator in the request that is being handled: the key of the principal and the
/// label of its token.
///
/// It is the context of the event log and of version histories: whatever a request changes is
/// recorded with it, however deep in the code. Nothing is allowed or refused because of it.
public record RequestActor(String key, String token) {
  private static final ScopedValue<RequestActor> CURRENT = ScopedValue.newInstance();

  public static @Nullable RequestActor current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /// The key of whoever acts; the operator where no person is known.
  public static String currentKey() {
    RequestActor actor = current();
    return actor == null ? Principal.OPERATOR_NAME : actor.key();
  }

  /// Does `work` in the name of `actor`, if there is one.
  public static <T> T call(@Nullable RequestActor actor, Supplier<T> work) {
    return actor == null
        ? work.get()
        : ScopedValue.where(CURRENT, actor).<T, RuntimeException>call(work::get);
  }
}
