package dev.substrat.turn;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The record of one turn. `status` is `running`, `done` or `failed`.
public record Run(
    String id,
    String agentId,
    String agent,
    long turn,
    String status,
    @Nullable String stopReason,
    @Nullable String response,
    Instant startedAt,
    @Nullable Instant endedAt) {}
