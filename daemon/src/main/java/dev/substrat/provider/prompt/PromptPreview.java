package dev.substrat.provider.prompt;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The prompt that an agent would get if its next turn began now. Without `turn`, no turn would
/// start; `waits` is the reason if the agent is blocked, and `nextTryAt` the time of the next
/// attempt.
@JsonInclude(JsonInclude.Include.ALWAYS)
public record PromptPreview(
    String agent,
    String system,
    int events,
    @Nullable String turn,
    @Nullable String waits,
    @Nullable Instant nextTryAt) {}
