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

  /// Excerpts of `texts`, with at most `limit` characters in total and `most` for each. Short texts
  /// stay complete; the long ones share the rest equally.
  static List<TextExcerpt> sharing(List<String> texts, int limit, int most) {
    var lengths = texts.stream().map(text -> of(text, most).text().length()).toList();
    int share = share(lengths, limit, most);
    return texts.stream().map(text -> of(text, share)).toList();
  }

  private static int share(List<Integer> lengths, int limit, int most) {
    int left = limit;
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

  /// Description of the shown part.
  String extent() {
    return "cut: the first %d of %d characters are shown".formatted(shown, total);
  }
}
