package dev.substrat.tool.transcript;

/// What a model call used. Costs are millionths of a US dollar.
public record Usage(long inputTokens, long outputTokens, long costMicros) {
  public static final Usage NONE = new Usage(0, 0, 0);

  public boolean isNone() {
    return equals(NONE);
  }

  public long tokens() {
    return inputTokens + outputTokens;
  }
}
