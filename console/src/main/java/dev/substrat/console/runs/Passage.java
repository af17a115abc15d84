package dev.substrat.console.runs;

/// A text of somebody else, under a title. What is longer than anybody reads here is cut; `missing`
/// is how many characters that is.
public record Passage(String title, String text, int missing) {
  private static final int LONGEST = 12_000;

  public static Passage of(String title, String text) {
    if (text.length() <= LONGEST) {
      return new Passage(title, text, 0);
    }
    int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return new Passage(title, text.substring(0, end), text.length() - end);
  }
}
