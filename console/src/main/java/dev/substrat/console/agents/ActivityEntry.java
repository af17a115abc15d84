package dev.substrat.console.agents;

import dev.substrat.console.Avatar;
import java.time.Instant;
import java.util.List;

/// Something that happened, in one sentence, and what was said, if anything.
public record ActivityEntry(
    long seq, Instant at, Avatar whose, List<Part> sentence, String said, boolean isQuiet) {

  /// A few words of the sentence; `path` leads to whom they name, or is empty.
  public record Part(String words, String path) {
    public static Part plain(String words) {
      return new Part(words, "");
    }
  }
}
