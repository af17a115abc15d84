package dev.substrat.platform.identity;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Context of the current request: the key of the acting principal and the label of its token.
///
/// The event log and version histories record it with every change of the request, however deep in
/// the code. It does not affect authorization.
public record RequestActor(String key, String token) {
  private static final ScopedValue<RequestActor> CURRENT = ScopedValue.newInstance();

  public static @Nullable RequestActor current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /// Key of the acting principal; the operator if no person is known.
  public static String currentKey() {
    RequestActor actor = current();
    return actor == null ? Principal.OPERATOR_NAME : actor.key();
  }

  /// Runs `work` with `actor` as the context, if there is one.
  public static <T> T call(@Nullable RequestActor actor, Supplier<T> work) {
    return actor == null
        ? work.get()
        : ScopedValue.where(CURRENT, actor).<T, RuntimeException>call(work::get);
  }
}
