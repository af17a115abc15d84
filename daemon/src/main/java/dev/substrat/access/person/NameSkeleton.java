package dev.substrat.access.person;

import com.ibm.icu.text.SpoofChecker;
import dev.substrat.protocol.HiddenCharacters;
import java.text.Normalizer;
import java.util.Locale;
import java.util.stream.Collectors;

/// Skeleton of a name (Unicode TR39): names with equal skeletons look the same to a reader.
///
/// Case is ignored, and hidden characters are removed. An ASCII name needs no Unicode tables: they
/// are loaded with the first other name.
final class NameSkeleton {
  private NameSkeleton() {}

  /// Loaded on first use.
  private static final class ConfusableTables {
    static final SpoofChecker CONFUSABLES =
        new SpoofChecker.Builder().setChecks(SpoofChecker.CONFUSABLE).build();
  }

  static boolean isAscii(String name) {
    return name.chars().allMatch(c -> c < 0x80);
  }

  static String of(String name) {
    String shown =
        Normalizer.normalize(withoutHidden(name), Normalizer.Form.NFKD)
            .strip()
            .replaceAll("\\s+", " ");
    var skeleton = new StringBuilder(shown.length() + 8);
    shown.codePoints().forEach(c -> skeleton.append(c < 0x80 ? ofAscii(c) : ofOther(c)));
    return skeleton.toString();
  }

  /// Whether two different names look the same. ASCII names never do.
  static boolean areAlike(String name, String other) {
    return !folded(name).equals(folded(other))
        && !(isAscii(name) && isAscii(other))
        && of(name).equals(of(other));
  }

  /// Whether two names have the same words; punctuation and spaces are ignored.
  static boolean areEqual(String name, String other) {
    return folded(name).equals(folded(other))
        || (!words(name).isEmpty() && words(name).equals(words(other)));
  }

  static String folded(String name) {
    return name.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
  }

  /// The name in lower case, with a space for everything except letters and digits.
  static String words(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{M}\\p{N}]+", " ").strip();
  }

  private static String withoutHidden(String name) {
    return HiddenCharacters.parts(name).stream()
        .filter(part -> !part.isHidden())
        .map(HiddenCharacters.TextPart::text)
        .collect(Collectors.joining());
  }

  /// The same result as from the tables, in lower case.
  static String ofAscii(int c) {
    return switch (c) {
      case 'm', 'M' -> "rn";
      case '1', '|' -> "l";
      case '0' -> "o";
      case '"' -> "''";
      case '`' -> "'";
      default -> Character.toString(Character.toLowerCase(c));
    };
  }

  /// The upper-case or lower-case form, whichever looks like ASCII.
  private static String ofOther(int c) {
    String small = table(Character.toLowerCase(c));
    String given = table(c);
    String best = isAscii(small) || !isAscii(given) ? small : given;
    return best.codePoints()
        .mapToObj(one -> one < 0x80 ? ofAscii(one) : Character.toString(one))
        .collect(Collectors.joining())
        .toLowerCase(Locale.ROOT);
  }

  private static String table(int c) {
    return ConfusableTables.CONFUSABLES.getSkeleton(Character.toString(c));
  }
}
