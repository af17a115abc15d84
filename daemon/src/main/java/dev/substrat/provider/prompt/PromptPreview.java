package dev.substrat.provider.prompt;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What an agent would be told if its next turn began now. Without `turn`, no turn would start;
/// `waits` says why if something keeps the agent from it, and `nextTryAt` when it is tried again.
@JsonInclude(JsonInclude.Include.ALWAYS)
public record PromptPreview(
    String agent,
    String system,
    int events,
    @Nullable String turn,
    @Nullable String waits,
    @Nullable Instant nextTryAt) {}
