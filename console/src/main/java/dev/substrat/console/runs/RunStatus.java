package dev.substrat.console.runs;

import java.util.Locale;

/// Status of a run and its colour.
public enum RunStatus {
  RUNNING("busy"),
  DONE("good"),
  FAILED("bad"),
  CANCELLED(""),
  /// The run of an external agent while it is connected.
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

  /// Whether the run is not finished.
  public boolean isUnderWay() {
    return this == RUNNING || this == OPEN;
  }
}
