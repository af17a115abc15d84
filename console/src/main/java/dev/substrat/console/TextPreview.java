package dev.substrat.console;

/// Beginning of a text. `missing` is the number of characters that are cut off, as far as known.
public record TextPreview(String text, int missing) {
  public static TextPreview of(String text, int most) {
    if (text.length() <= most) {
      return new TextPreview(text, 0);
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return new TextPreview(text.substring(0, end), text.length() - end);
  }

  public boolean isCut() {
    return missing > 0;
  }

  /// With an ellipsis if the text is cut.
  public String marked() {
    return isCut() ? text + " …" : text;
  }
}
