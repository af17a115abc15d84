package dev.substrat.provider.llm;

import dev.substrat.team.ProviderConfig;
import dev.substrat.tool.transcript.ModelUsage;
import java.net.URI;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Prices of tokens, in millionths of a US dollar.
///
/// The agent's `price` has precedence. Without one this list is used, as published in September
/// 2025; prices change, so it is an estimate. An unknown model costs as much as the most expensive
/// one: a budget should be exhausted too early rather than too late. Models on this machine are
/// free.
final class ModelPrices {
  /// Dollars per million tokens, input and output; the longest prefix of the model's name counts.
  private static final Map<String, TokenPrice> SEPTEMBER_2025 =
      Map.ofEntries(
          Map.entry("gpt-5", new TokenPrice(1.25, 10)),
          Map.entry("gpt-5-mini", new TokenPrice(0.25, 2)),
          Map.entry("gpt-5-nano", new TokenPrice(0.05, 0.4)),
          Map.entry("gpt-4.1", new TokenPrice(2, 8)),
          Map.entry("gpt-4.1-mini", new TokenPrice(0.4, 1.6)),
          Map.entry("gpt-4.1-nano", new TokenPrice(0.1, 0.4)),
          Map.entry("gpt-4o", new TokenPrice(2.5, 10)),
          Map.entry("gpt-4o-mini", new TokenPrice(0.15, 0.6)),
          Map.entry("o3", new TokenPrice(2, 8)),
          Map.entry("o4-mini", new TokenPrice(1.1, 4.4)),
          Map.entry("claude-opus-4", new TokenPrice(15, 75)),
          Map.entry("claude-sonnet-4", new TokenPrice(3, 15)),
          Map.entry("claude-3-7-sonnet", new TokenPrice(3, 15)),
          Map.entry("claude-3-5-haiku", new TokenPrice(0.8, 4)),
          Map.entry("claude-haiku-4", new TokenPrice(1, 5)),
          Map.entry("gemini-2.5-pro", new TokenPrice(2.5, 15)),
          Map.entry("gemini-2.5-flash", new TokenPrice(0.3, 2.5)),
          Map.entry("gemini-2.5-flash-lite", new TokenPrice(0.1, 0.4)));

  private static final TokenPrice DEAREST = new TokenPrice(15, 75);
  private static final TokenPrice FREE = new TokenPrice(0, 0);
  private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "[::1]");

  private ModelPrices() {}

  /// Dollars per million tokens, which is the same as millionths of a dollar per token.
  record TokenPrice(double input, double output) {
    ModelUsage usage(long inputTokens, long outputTokens) {
      return new ModelUsage(inputTokens, outputTokens, micros(inputTokens, outputTokens));
    }

    /// Rounded up.
    long micros(long inputTokens, long outputTokens) {
      return (long) Math.ceil(inputTokens * input + outputTokens * output);
    }
  }

  static TokenPrice of(ProviderConfig settings, String base, String model) {
    ProviderConfig.TokenPrice own = settings.price();
    if (own != null) {
      return new TokenPrice(or0(own.input()), or0(own.output()));
    }
    if (isLocal(base)) {
      return FREE;
    }
    // Routers put the vendor before the model's name.
    String name = model.substring(model.lastIndexOf('/') + 1);
    return SEPTEMBER_2025.entrySet().stream()
        .filter(entry -> name.startsWith(entry.getKey()))
        .max(Comparator.comparingInt(entry -> entry.getKey().length()))
        .map(Map.Entry::getValue)
        .orElse(DEAREST);
  }

  private static boolean isLocal(String base) {
    String host = URI.create(base).getHost();
    return host != null && HERE.contains(host);
  }

  private static double or0(@Nullable Double value) {
    return value == null ? 0 : value;
  }
}
