package dev.substrat.provider.prompt;

import java.util.List;

/// The beginning of a text that is too long, with hidden characters made visible; `shown` and
/// `total` count characters of the original.
record TextExcerpt(String text, int shown, int total) {

  /// The beginning of `text` that takes at most `most` characters once it is visible.
  static TextExcerpt of(String text, int most) {
    var visible = new StringBuilder(Math.min(text.length(), most));
    int shown = 0;
    while (shown < text.length()) {
      int c = text.codePointAt(shown);
      boolean isHalfALineEnd = c == '\r' && text.startsWith("\n", shown + 1);
      String next = isHalfALineEnd ? "" : VisibleText.shown(c);
      if (visible.length() + next.length() > most) {
        break;
      }
      visible.append(next);
      shown += Character.charCount(c);
    }
    return new TextExcerpt(visible.toString(), shown, text.length());
  }

  /// Each of `texts`, with `room` characters for all of them and `most` for any one. Short ones are
  /// whole, and what they leave is shared equally by the long ones.
  static List<TextExcerpt> sharing(List<String> texts, int room, int most) {
    var lengths = texts.stream().map(text -> of(text, most).text().length()).toList();
    int share = share(lengths, room, most);
    return texts.stream().map(text -> of(text, share)).toList();
  }

  private static int share(List<Integer> lengths, int room, int most) {
    int left = room;
    int texts = lengths.size();
    for (int length : lengths.stream().sorted().toList()) {
      int share = left / texts;
      if (length > share) {
        return share;
      }
      left -= length;
      texts--;
    }
    return most;
  }

  boolean isCut() {
    return shown < total;
  }

  /// How much of the text is shown.
  String extent() {
    return "cut: the first %d of %d characters are shown".formatted(shown, total);
  }
}
