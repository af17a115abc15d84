package dev.substrat.search;

import java.text.Normalizer;
import java.util.Locale;

/// How text is compared when case does not matter. The databases know the case of ASCII at best, so
/// what is searched is folded before it is stored.
public final class Folding {
  private Folding() {}

  /// By way of capitals, because several letters share one (ß and ss, σ and ς).
  public static String of(String text) {
    return Normalizer.normalize(text, Normalizer.Form.NFKC)
        .toUpperCase(Locale.ROOT)
        .toLowerCase(Locale.ROOT)
        .replace('ς', 'σ');
  }

  /// A pattern for `like … escape '\'` that finds `text` anywhere in what was folded.
  public static String anywhere(String text) {
    String literal = of(text).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    return "%" + literal + "%";
  }
}
