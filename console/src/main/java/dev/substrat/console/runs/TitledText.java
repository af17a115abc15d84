package dev.substrat.console.runs;

import dev.substrat.console.TextPreview;

/// A text of somebody else, under a title. What is longer than anybody reads here is cut; `missing`
/// is how many characters that is.
public record TitledText(String title, String text, int missing) {
  private static final int LONGEST = 12_000;

  public static TitledText of(String title, String text) {
    var beginning = TextPreview.of(text, LONGEST);
    return new TitledText(title, beginning.text(), beginning.missing());
  }
}
