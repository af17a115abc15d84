package dev.substrat.console.spaces;

import java.time.Instant;

/// What was said last in a space.
public record Latest(String by, String text, Instant at) {}
