package dev.substrat.tool;

import org.jspecify.annotations.Nullable;

/// One call of a tool. The same idempotency key again must not do the work again: the bridge sends
/// one per request, and attempts at the same turn number their calls alike.
public record Call(Caller caller, String id, @Nullable String idempotencyKey) {}
