package dev.substrat.console.runs;

import dev.substrat.console.TextPreview;

/// A text with a title. Long texts are cut; `missing` is the number of characters that are cut off.
public record TitledText(String title, String text, int missing) {
  private static final int MAX_LENGTH = 12_000;

  public static TitledText of(String title, String text) {
    var beginning = TextPreview.of(text, MAX_LENGTH);
    return new TitledText(title, beginning.text(), beginning.missing());
  }
}
