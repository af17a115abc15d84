package dev.substrat.turn;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The record of one turn. `status` is `running`, `done`, `failed` or `cancelled`, and `open` for
/// what a mind elsewhere does.
///
/// `depth` and `cause` are those of the deepest message it was given. `retryOf` is the run that was
/// given some of this before and did not finish it. A run that was cut short was ended from
/// outside, wherever its mind was.
public record Run(
    String id,
    String agentId,
    String agent,
    long turn,
    String status,
    @Nullable String stopReason,
    @Nullable String response,
    Instant startedAt,
    @Nullable Instant endedAt,
    int depth,
    @Nullable String cause,
    int attempt,
    @Nullable String retryOf,
    boolean cutShort) {}
