package dev.substrat.console;

import java.util.Locale;

/// Avatar of an agent: two tones, a shape and initials, derived from its id.
public record Avatar(String initials, String ground, String shape, String ink, int form) {
  /// How many shapes the template can draw.
  private static final int FORMS = 6;

  public static Avatar of(String id, String name) {
    int seed = mix(id.hashCode());
    // Twenty-four distinguishable hues; the second tone is a neighbouring hue.
    int hue = Math.floorMod(seed, 24) * 15;
    int other = hue + (Math.floorMod(seed >> 8, 2) == 0 ? 28 : -28);
    return new Avatar(
        initials(name),
        tone(hue, 70, 90),
        tone(other, 68, 78),
        tone(hue, 62, 24),
        Math.floorMod(seed >> 12, FORMS));
  }

  /// Mixes the hash: consecutive ids are similar, their avatars should not be.
  private static int mix(int hash) {
    int mixed = hash * 0x9E3779B9;
    return mixed ^ mixed >>> 15;
  }

  private static String tone(int hue, int saturation, int light) {
    return "hsl(%d,%d%%,%d%%)".formatted(Math.floorMod(hue, 360), saturation, light);
  }

  /// First characters of the first and the last word.
  private static String initials(String name) {
    String[] words = name.strip().split("[\\s._-]+");
    String first = firstCharacter(words[0]);
    return words.length == 1 ? first : first + firstCharacter(words[words.length - 1]);
  }

  private static String firstCharacter(String word) {
    return word.isEmpty()
        ? ""
        : word.substring(0, word.offsetByCodePoints(0, 1)).toUpperCase(Locale.ROOT);
  }
}
