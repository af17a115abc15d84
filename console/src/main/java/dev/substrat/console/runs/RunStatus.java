package dev.substrat.console.runs;

import java.util.Locale;

/// How a run stands, and its colour.
public enum RunStatus {
  RUNNING("busy"),
  DONE("good"),
  FAILED("bad"),
  CANCELLED(""),
  /// What a mind elsewhere does, for as long as it is connected.
  OPEN("wait");

  private final String tone;

  RunStatus(String tone) {
    this.tone = tone;
  }

  public static RunStatus of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  public String tone() {
    return tone;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether it may still change.
  public boolean isUnderWay() {
    return this == RUNNING || this == OPEN;
  }
}
