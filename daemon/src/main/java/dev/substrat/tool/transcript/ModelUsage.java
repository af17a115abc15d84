package dev.substrat.tool.transcript;

/// Usage of one model request. Costs are millionths of a US dollar.
public record ModelUsage(long inputTokens, long outputTokens, long costMicros) {
  public static final ModelUsage NONE = new ModelUsage(0, 0, 0);

  public boolean isNone() {
    return equals(NONE);
  }

  public long tokens() {
    return inputTokens + outputTokens;
  }
}
