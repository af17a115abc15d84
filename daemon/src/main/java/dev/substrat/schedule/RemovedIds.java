package dev.substrat.schedule;

import java.util.List;

/// Which were deleted, and which ids nothing of the agent's has.
public record RemovedIds(List<String> deleted, List<String> notFound) {}
