package dev.substrat.console.spaces;

import java.time.Instant;

/// What was said last in a space; a question if somebody `asks`.
public record LatestMessage(String by, String text, boolean asks, Instant at) {}
