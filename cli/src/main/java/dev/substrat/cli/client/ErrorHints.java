package dev.substrat.cli.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Translates the daemon's error texts from API terms into commands and options.
///
/// The daemon's hints name HTTP paths and JSON keys. A hint that still contains a path after the
/// translation is replaced.
final class ErrorHints {
  private static final Map<String, String> WORDS = new LinkedHashMap<>();

  static {
    WORDS.put("GET /api/runs/{id}/steps lists", "./substrat run show RUN lists");
    WORDS.put("POST /api/tokens, ./substrat token create", "./substrat token create");
    WORDS.put("(GET /api/people)", "with ./substrat person list");
    WORDS.put("(/api/spaces, ./substrat space)", "with ./substrat space");
    WORDS.put("with: GET /api/inbox", "with: ./substrat inbox");
    WORDS.put(
        "send `Authorization: Bearer TOKEN`; the operator's is in operator.token",
        "commands use the token in operator.token of the data directory (--data); a restart of the"
            + " daemon writes it again");
    WORDS.put("and send it again", "and try again");
    WORDS.put("or store the rest with store_memory", "or raise its limit with --limit");
    WORDS.put("one of cron, scheduledAt, runAfter", "one of --cron, --at, --after");
    WORDS.put("for example \"cron\":\"0 9 * * *\"", "for example --cron \"0 9 * * *\"");
  }

  /// A request together with the equivalent command.
  private static final Pattern BOTH =
      Pattern.compile("\\((?:GET|POST|PUT|DELETE) /\\S+, (\\./substrat [^)]+)\\)");

  /// A request in parentheses, beside a text that is complete without it.
  private static final Pattern REQUEST = Pattern.compile(" \\((?:GET|POST|PUT|DELETE) /[^)]*\\)");

  private static final Pattern PATH = Pattern.compile("\\b(GET|POST|PUT|DELETE) /|/api/");

  private ErrorHints() {}

  static String hint(String text) {
    String translated = message(text);
    return PATH.matcher(translated).find() ? "list commands with: ./substrat --help" : translated;
  }

  static String message(String text) {
    String translated = BOTH.matcher(text).replaceAll(match -> "with " + quoted(match));
    for (var word : WORDS.entrySet()) {
      translated = translated.replace(word.getKey(), word.getValue());
    }
    return InputPointers.replaceIn(REQUEST.matcher(translated).replaceAll(""));
  }

  private static String quoted(MatchResult match) {
    return Matcher.quoteReplacement(match.group(1));
  }
}
