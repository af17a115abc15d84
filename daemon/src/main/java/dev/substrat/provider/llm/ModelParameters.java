package dev.substrat.provider.llm;

import dev.substrat.team.ProviderConfig;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Settings of an agent for its model, with defaults.
record ModelParameters(
    List<String> models, @Nullable Double temperature, int maxOutputTokens, long contextTokens) {
  static final int DEFAULT_CONTEXT = 100_000;
  private static final int DEFAULT_OUTPUT = 8_192;

  static ModelParameters of(ProviderConfig settings) {
    int context = settings.contextTokens() == null ? DEFAULT_CONTEXT : settings.contextTokens();
    int output = Math.min(DEFAULT_OUTPUT, Math.max(256, context / 4));
    return new ModelParameters(
        Stream.of(settings.model(), settings.fallbackModel())
            .filter(model -> model != null)
            .map(String::valueOf)
            .toList(),
        settings.temperature(),
        settings.maxOutputTokens() == null ? output : settings.maxOutputTokens(),
        context);
  }
}
