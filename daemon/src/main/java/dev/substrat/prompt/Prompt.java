package dev.substrat.prompt;

/// What a mind is given for one turn. `system` stays the same from turn to turn while nothing about
/// the agent, its tools or its team changes, so that a model can keep it; `turn` is what is new.
public record Prompt(String system, String turn) {}
