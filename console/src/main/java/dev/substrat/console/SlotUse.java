package dev.substrat.console;

import java.util.List;
import java.util.stream.IntStream;

/// Use of the turn slots: how many exist, are busy, and are waited for.
public record SlotUse(int total, int busy, int waiting) {
  /// Maximum number of pips drawn; more could not be distinguished.
  private static final int PIPS = 24;

  /// One pip per slot, true if busy. Above the maximum, the pips show the proportion.
  public List<Boolean> pips() {
    int drawn = Math.min(total, PIPS);
    int taken = total <= PIPS ? busy : (int) Math.ceil((double) busy * PIPS / total);
    return IntStream.range(0, drawn).mapToObj(i -> i < taken).toList();
  }

  public String words() {
    return "%d of %d %s busy%s"
        .formatted(
            busy,
            total,
            total == 1 ? "slot" : "slots",
            waiting == 0 ? "" : ", " + waiting + " waiting");
  }
}
