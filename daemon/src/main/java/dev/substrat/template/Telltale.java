package dev.substrat.template;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// By what a secret in a configuration gives itself away. When in doubt it is one: what is left out
/// can be written again, what has leaked cannot be taken back.
final class Telltale {
  /// What stands in the place of a secret that is shown.
  static final String HIDDEN = "***";

  private static final Pattern KEY =
      Pattern.compile(
          "(?i).*(secret|passw|passphrase|token|api[-_]?key|access[-_]?key|private[-_]?key"
              + "|authorization|credential|cookie).*");

  /// What names a secret, or is filled in with each call.
  private static final Pattern REFERENCE =
      Pattern.compile("\\$\\{env\\.[A-Za-z_][A-Za-z0-9_]*}|\\{\\{[^{}]*}}");

  private static final Pattern SCHEME = Pattern.compile("(?i)^(bearer|basic|token|apikey)\\s");

  private static final Set<String> HARMLESS_HEADERS =
      Set.of("accept", "accept-encoding", "accept-language", "content-type", "user-agent");

  private static final Pattern IN_URL =
      Pattern.compile(
          "(?i)^[a-z][a-z0-9+.-]*://[^/?#]*@|[?&][^=&#]*"
              + "(secret|passw|token|key|auth|sig|credential)[^=&#]*=(?!\\$\\{env\\.|\\{\\{)[^&#]");

  private static final Pattern PARAMETER =
      Pattern.compile("(?i)secret|passw|token|key|auth|sig|credential");

  /// A literal that nobody would make up: long, of letters and digits, without blanks.
  private static final String RANDOM =
      "(?=[^&#]{0,2000}[0-9])(?=[^&#]{0,2000}[A-Za-z])[A-Za-z0-9_+/.~%-]{20,}=*";

  private static final Pattern RANDOM_VALUE = Pattern.compile(RANDOM);

  private static final Pattern RANDOM_PARAMETER =
      Pattern.compile("([?&][^=&#]*=)" + RANDOM + "(?=[&#]|$)");

  private static final Pattern USER = Pattern.compile("(?<=://)[^/?#@]*@");

  private static final Pattern PARAMETERS =
      Pattern.compile(
          "(?i)([?&][^=&#]*(?:secret|passw|token|key|auth|sig|credential)[^=&#]*=)(?!\\$\\{env\\.|\\{\\{)[^&#]+");

  private static final Pattern OPTION =
      Pattern.compile("(?i)-{1,2}[a-z0-9-]*(secret|passw|token|key|auth|credential)[a-z0-9-]*");

  /// Tokens whose makers gave them a form that scanners know; ours among them.
  private static final Pattern WELL_KNOWN =
      Pattern.compile(
          "substrat_[A-Za-z0-9-]{8,}_[A-Za-z0-9_-]{20,}|sk-[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{30,}"
              + "|github_pat_[A-Za-z0-9_]{30,}|xox[abposr]-[A-Za-z0-9-]{10,}|AKIA[0-9A-Z]{16}|-----BEGIN"
              + " [A-Z ]*PRIVATE KEY-----");

  private Telltale() {}

  /// Whether the text under `key`, in the object under `holder`, may be a secret.
  static boolean in(String holder, String key, String text) {
    if (isReference(text)) {
      return false;
    }
    return switch (holder) {
      case "headers" -> !HARMLESS_HEADERS.contains(key.toLowerCase(Locale.ROOT));
      case "env" -> true;
      case "queryParams" ->
          PARAMETER.matcher(key).find()
              || KEY.matcher(key).matches()
              || RANDOM_VALUE.matcher(text).matches();
      default ->
          KEY.matcher(key).matches()
              || (isAddress(key)
                  && (IN_URL.matcher(text).find() || RANDOM_PARAMETER.matcher(text).find()));
    };
  }

  private static boolean isAddress(String key) {
    return key.toLowerCase(Locale.ROOT).endsWith("url");
  }

  /// What may be shown of a text that may be a secret: of an address everything but the secret.
  static String shown(String key, String text) {
    if (!isAddress(key) || KEY.matcher(key).matches()) {
      return HIDDEN;
    }
    String hidden = "$1" + Matcher.quoteReplacement(HIDDEN);
    String named =
        PARAMETERS.matcher(USER.matcher(text).replaceAll(HIDDEN + "@")).replaceAll(hidden);
    return RANDOM_PARAMETER.matcher(named).replaceAll(hidden);
  }

  /// Whether a header of this name and value certainly carries a secret. To leave one out of an
  /// export, less is enough.
  static boolean inHeader(String name, String text) {
    return PARAMETER.matcher(name).find()
        || KEY.matcher(name).matches()
        || SCHEME.matcher(text).find()
        || RANDOM_VALUE.matcher(text).matches();
  }

  private static boolean isReference(String text) {
    String rest = REFERENCE.matcher(text).replaceAll("");
    return !rest.equals(text) && SCHEME.matcher(rest).replaceFirst("").isBlank();
  }

  /// Whether a command is told a secret: `--token=x`, `--token x`, `Bearer x`, or a variable before
  /// it. A word may be a script with words of its own.
  static boolean inWords(List<String> written) {
    List<String> words =
        written.stream().flatMap(word -> Stream.of(word.split("[\\s'\"]+"))).toList();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      int equals = word.indexOf('=');
      String name = equals < 0 ? word : word.substring(0, equals);
      String value =
          equals >= 0 ? word.substring(equals + 1) : i + 1 < words.size() ? words.get(i + 1) : "";
      boolean isNamed =
          OPTION.matcher(name).matches()
              || SCHEME.matcher(name + " ").matches()
              || (equals > 0 && KEY.matcher(name).matches());
      if (isNamed && !value.isEmpty() && !value.startsWith("-") && !isReference(value)) {
        return true;
      }
    }
    return false;
  }

  /// The text without what looks like somebody's token.
  static String masked(String text, String instead) {
    return WELL_KNOWN.matcher(text).replaceAll(instead);
  }
}
