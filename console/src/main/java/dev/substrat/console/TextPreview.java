package dev.substrat.console;

/// As much of a text as a page shows that has other things to show, too. `missing` is how many
/// characters it goes on for, as far as is known.
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

  /// With a sign that it goes on.
  public String marked() {
    return isCut() ? text + " …" : text;
  }
}
