package dev.substrat.access.person;

import com.ibm.icu.text.SpoofChecker;
import dev.substrat.protocol.HiddenCharacters;
import java.text.Normalizer;
import java.util.Locale;
import java.util.stream.Collectors;

/// What a name looks like: names with an equal skeleton cannot be told apart by a reader (Unicode
/// TR39).
///
/// Case does not count, as it does not when names are compared, and hidden characters are left out.
/// A name of ASCII alone needs no Unicode tables: they are loaded with the first other name.
final class NameSkeleton {
  private NameSkeleton() {}

  /// Loaded when it is first used.
  private static final class Tables {
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

  /// Whether two different names look the same. Names of ASCII alone never do.
  static boolean areAlike(String name, String other) {
    return !folded(name).equals(folded(other))
        && !(isAscii(name) && isAscii(other))
        && of(name).equals(of(other));
  }

  /// Whether two names have the same words: signs around and between them make no other name.
  static boolean areEqual(String name, String other) {
    return folded(name).equals(folded(other))
        || (!words(name).isEmpty() && words(name).equals(words(other)));
  }

  static String folded(String name) {
    return name.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
  }

  /// A name in lower case, with a blank for everything that is no letter and no digit.
  static String words(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{M}\\p{N}]+", " ").strip();
  }

  private static String withoutHidden(String name) {
    return HiddenCharacters.parts(name).stream()
        .filter(part -> !part.isHidden())
        .map(HiddenCharacters.Part::text)
        .collect(Collectors.joining());
  }

  /// The same as the tables say, in lower case.
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

  /// Of the two cases, the one that looks like ASCII.
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
    return Tables.CONFUSABLES.getSkeleton(Character.toString(c));
  }
}
