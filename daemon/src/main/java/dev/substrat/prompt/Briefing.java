package dev.substrat.prompt;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/// What an agent would be told if its next turn began now; without `turn` nothing is due for it.
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Briefing(String agent, String system, int events, @Nullable String turn) {}
