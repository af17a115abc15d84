package dev.substrat.schedule;

import java.util.List;

/// Result of a deletion: ids that were deleted, and unknown ids.
public record DeletionResult(List<String> deleted, List<String> notFound) {}
