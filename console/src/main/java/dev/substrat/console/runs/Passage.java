package dev.substrat.console.runs;

import dev.substrat.console.Beginning;

/// A text of somebody else, under a title. What is longer than anybody reads here is cut; `missing`
/// is how many characters that is.
public record Passage(String title, String text, int missing) {
  private static final int LONGEST = 12_000;

  public static Passage of(String title, String text) {
    var beginning = Beginning.of(text, LONGEST);
    return new Passage(title, beginning.text(), beginning.missing());
  }
}
