package dev.substrat.provider.prompt;

import dev.substrat.platform.json.Json;
import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.Set;
import java.util.stream.Collectors;

/// Formats an agent's name for a sentence of the prompt. Agents name their children, so a name may
/// imitate another name or the rest of the sentence.
final class AgentNameText {
  private static final String BESIDE_LETTERS = " ._-'";

  private AgentNameText() {}

  /// The name without quotes if it is plain, else in quotes. `operator` is never in quotes; a name
  /// that only looks like it always is.
  static String shown(String name) {
    return isPlain(name) ? name : quoted(name);
  }

  static String quoted(String name) {
    return Json.text(VisibleText.line(name));
  }

  /// Letters of one script, digits and common separators. Combining marks are part of many scripts,
  /// but some are invisible beside Latin letters, which have precomposed forms for the common ones.
  private static boolean isPlain(String name) {
    String whole = Normalizer.normalize(name, Normalizer.Form.NFC);
    if (!Normalizer.isNormalized(whole, Normalizer.Form.NFKC)) {
      return false;
    }
    Set<UnicodeScript> scripts =
        whole
            .codePoints()
            .filter(Character::isLetter)
            .mapToObj(UnicodeScript::of)
            .collect(Collectors.toSet());
    boolean mayHaveMarks = !scripts.contains(UnicodeScript.LATIN);
    return scripts.size() <= 1
        && whole.codePoints().allMatch(c -> isPlain(c) || (mayHaveMarks && isMark(c)));
  }

  private static boolean isPlain(int c) {
    return Character.isLetterOrDigit(c) || BESIDE_LETTERS.indexOf(c) >= 0;
  }

  private static boolean isMark(int c) {
    int type = Character.getType(c);
    return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
  }
}
