package dev.substrat.console.agents;

import dev.substrat.console.Avatar;
import java.time.Instant;
import java.util.List;

/// Entry of an activity list: an event as one sentence, and the message text, if any.
public record ActivityEntry(
    long seq, Instant at, Avatar whose, List<SentencePart> sentence, String text, boolean isQuiet) {

  /// Part of the sentence; `path` links to the named agent, or is empty.
  public record SentencePart(String words, String path) {
    public static SentencePart plain(String words) {
      return new SentencePart(words, "");
    }
  }
}
