package dev.substrat.memory.search;

import dev.substrat.store.Dialect;
import java.text.Normalizer;
import java.util.Locale;

/// Case-insensitive comparison in the database. The databases only fold ASCII, so searched text is
/// folded before it is stored.
public final class CaseFolding {
  private CaseFolding() {}

  /// Via upper case, because several letters share one (ß and ss, σ and ς).
  public static String of(String text) {
    return Normalizer.normalize(text, Normalizer.Form.NFKC)
        .toUpperCase(Locale.ROOT)
        .toLowerCase(Locale.ROOT)
        .replace('ς', 'σ');
  }

  /// SQL condition on the column `folded`, for the output of [#of]. Without a pattern, because
  /// patterns have a maximum length and special characters.
  public static String contains(Dialect dialect) {
    return switch (dialect) {
      case SQLITE -> "instr(folded, ?) > 0";
      case POSTGRES -> "strpos(folded, ?) > 0";
    };
  }
}
