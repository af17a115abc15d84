package dev.substrat.console;

import java.util.List;
import java.util.stream.IntStream;

/// How many agents may think at a time, how many do, and how many wait for it.
public record SlotUse(int total, int busy, int waiting) {
  /// More could not be told apart.
  private static final int PIPS = 24;

  /// One pip for each slot: true if somebody thinks there. Of very many, only the share is drawn.
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
            waiting == 0 ? "" : ", " + waiting + " in line");
  }
}
