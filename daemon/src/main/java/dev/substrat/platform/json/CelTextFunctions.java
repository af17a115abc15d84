package dev.substrat.platform.json;

import com.google.common.collect.ImmutableSet;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;

/// Bounded versions of the CEL functions `matches` and `contains`.
///
/// The limits of an evaluation are checked between two calls of functions, so a single call must
/// not take long. RE2/J writes out counted repetitions when it compiles a pattern: a pattern of 22
/// characters can fill the heap. Its program is therefore estimated before it is compiled.
final class CelTextFunctions {
  private static final int MAX_PATTERN_CHARACTERS = 1_000;
  private static final int MAX_REPETITIONS = 10_000;
  private static final int MAX_PROGRAM_SIZE = 1_000;

  /// Characters of the text times instructions of the program.
  private static final long MAX_MATCH_STEPS = 20_000_000;

  /// Characters of the text times characters of the part.
  private static final long MAX_COMPARISONS = 500_000_000;

  static final ImmutableSet<CelFunctionBinding> BINDINGS =
      ImmutableSet.<CelFunctionBinding>builder()
          .addAll(
              CelFunctionBinding.fromOverloads(
                  "matches",
                  CelFunctionBinding.from(
                      "matches", String.class, String.class, CelTextFunctions::matches),
                  CelFunctionBinding.from(
                      "matches_string", String.class, String.class, CelTextFunctions::matches)))
          .addAll(
              CelFunctionBinding.fromOverloads(
                  "contains",
                  CelFunctionBinding.from(
                      "contains_string", String.class, String.class, CelTextFunctions::contains)))
          .build();

  private CelTextFunctions() {}

  private static boolean matches(String text, String regex) throws CelEvaluationException {
    if (regex.length() > MAX_PATTERN_CHARACTERS) {
      throw tooLarge("the pattern has more than %d characters".formatted(MAX_PATTERN_CHARACTERS));
    }
    if (repetitions(regex) > MAX_REPETITIONS) {
      throw tooLarge("the pattern has too many counted repetitions");
    }
    Pattern pattern;
    try {
      pattern = Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new CelEvaluationException(e.getMessage(), e);
    }
    if (pattern.programSize() > MAX_PROGRAM_SIZE) {
      throw tooLarge("the pattern is too complex");
    }
    if ((long) text.length() * pattern.programSize() > MAX_MATCH_STEPS) {
      throw tooLarge("the text is too long for this pattern");
    }
    return pattern.matcher(text).find();
  }

  private static boolean contains(String text, String part) throws CelEvaluationException {
    if ((long) text.length() * part.length() > MAX_COMPARISONS) {
      throw tooLarge("the texts are too long");
    }
    return text.contains(part);
  }

  private static CelEvaluationException tooLarge(String message) {
    return new CelEvaluationException(message);
  }

  /// An upper bound of the pattern's length with all counted repetitions expanded. A repetition
  /// multiplies everything before it, wherever its group begins: so the estimate needs no parsing
  /// of classes and quoting.
  private static long repetitions(String regex) {
    long size = 0;
    for (int i = 0; i < regex.length(); i++) {
      size++;
      if (regex.charAt(i) == '{' && i > 0) {
        int most = mostRepetitions(regex, i + 1);
        boolean isOfOneCharacter = ")}*+?".indexOf(regex.charAt(i - 1)) < 0;
        size = isOfOneCharacter ? size + most : size * Math.max(1, most);
        if (size > MAX_REPETITIONS) {
          return size;
        }
      }
    }
    return size;
  }

  /// The larger number of `{n}`, `{n,}` or `{n,m}`; 0 if there is none.
  private static int mostRepetitions(String regex, int from) {
    int most = 0;
    int number = 0;
    for (int i = from; i < regex.length(); i++) {
      char c = regex.charAt(i);
      if (c >= '0' && c <= '9') {
        number = Math.min(MAX_REPETITIONS, number * 10 + (c - '0'));
        most = Math.max(most, number);
      } else if (c == ',') {
        number = 0;
      } else {
        return c == '}' ? most : 0;
      }
    }
    return 0;
  }
}
