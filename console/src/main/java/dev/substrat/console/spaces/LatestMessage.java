package dev.substrat.console.spaces;

import java.time.Instant;

/// Latest message of a space; `asks` if it is an open question.
public record LatestMessage(String by, String text, boolean asks, Instant at) {}
