package dev.substrat.console.spaces;

import java.time.Instant;

/// What was said last in a space; a question if somebody `asks`.
public record Latest(String by, String text, boolean asks, Instant at) {}
