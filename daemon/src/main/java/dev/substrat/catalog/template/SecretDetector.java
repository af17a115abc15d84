package dev.substrat.catalog.template;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Heuristics that recognise secrets in a configuration. In doubt a value is a secret: a removed
/// value can be written again, a leaked one cannot be revoked here.
final class SecretDetector {
  /// Replacement of a secret.
  static final String HIDDEN = "***";

  private static final Pattern KEY =
      Pattern.compile(
          "(?i).*(secret|passw|passphrase|token|api[-_]?key|access[-_]?key|private[-_]?key"
              + "|authorization|credential|cookie).*");

  /// Last words of keys that name a secret: `accessToken`, `user-pin`.
  private static final Set<String> SECRET_WORDS =
      Set.of(
          "auth",
          "authorization",
          "apikey",
          "cookie",
          "credential",
          "credentials",
          "otp",
          "pass",
          "passphrase",
          "passwd",
          "password",
          "pin",
          "pwd",
          "secret",
          "sig",
          "signature",
          "token");

  /// Whole keys that name a secret; as a part of a key (`country_code`) they are harmless.
  private static final Set<String> SECRET_KEYS = Set.of("code", "key");

  /// A reference to a secret, or a placeholder.
  private static final Pattern REFERENCE =
      Pattern.compile("\\$\\{env\\.[A-Za-z_][A-Za-z0-9_]*}|\\{\\{[^{}]*}}");

  private static final Pattern SCHEME = Pattern.compile("(?i)^(bearer|basic|token|apikey)\\s");

  private static final Set<String> HARMLESS_HEADERS =
      Set.of("accept", "accept-encoding", "accept-language", "content-type", "user-agent");

  /// User name in a URL without references. The user `git` is not a secret.
  private static final Pattern USER = Pattern.compile("://(?!git@)[^/?#\\s]*[^/?#\\s:@]@");

  private static final Pattern IN_QUERY =
      Pattern.compile(
          "(?i)[?&](?:[^=&#]*(?:secret|passw|token|key|auth|sig|credential)[^=&#]*|code|otp|pass|pin|pwd)"
              + "=(?!\\$\\{env\\.|\\{\\{)[^&#]");

  private static final Pattern PARAMETER =
      Pattern.compile("(?i)secret|passw|token|key|auth|sig|credential");

  /// A literal that seems random: long, letters and digits, no spaces.
  private static final String RANDOM =
      "(?=[^&#]{0,2000}[0-9])(?=[^&#]{0,2000}[A-Za-z])[A-Za-z0-9_+/.~%-]{20,}=*";

  private static final Pattern RANDOM_VALUE = Pattern.compile(RANDOM);

  private static final Pattern RANDOM_PARAMETER =
      Pattern.compile("([?&][^=&#]*=)" + RANDOM + "(?=[&#]|$)");

  private static final Pattern OPTION =
      Pattern.compile(
          "(?i)-{1,2}(?:[a-z0-9-]*(secret|passw|token|key|auth|credential)[a-z0-9-]*|code|otp|pass|pin|pwd)");

  /// Token formats that secret scanners know, including ours.
  private static final Pattern WELL_KNOWN =
      Pattern.compile(
          "substrat_[A-Za-z0-9-]{8,}_[A-Za-z0-9_-]{20,}|sk-[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{30,}"
              + "|github_pat_[A-Za-z0-9_]{30,}|xox[abposr]-[A-Za-z0-9-]{10,}|AKIA[0-9A-Z]{16}|-----BEGIN"
              + " [A-Z ]*PRIVATE KEY-----");

  /// Secrets that are recognised by the text before them: the password in a URL, the last part of a
  /// webhook URL, the token of a bot in a path, the value of a header.
  private static final Pattern INTRODUCED =
      Pattern.compile(
          "(?i)(?:(?<=://)[^/?#\\s:@${}]*:[^/?#\\s@${}]+(?=@)"
              + "|(?<=hooks\\.slack\\.com/(?:services|workflows|triggers)/[^/\\s]{1,40}/[^/\\s]{1,40}/)[^\\s?#\"'${}]+"
              + "|(?<=discord(?:app)?\\.com/api/webhooks/[0-9]{1,30}/)[^\\s/?#\"'${}]+"
              + "|(?<=/bot)[0-9]{3,}:[^\\s/?#\"'${}]+"
              + "|(?<=authorization[\"']?: ?)(?:bearer|basic|token|apikey) [^\\s\"'${}]+)");

  private SecretDetector() {}

  /// Whether the text under `key`, in the object under `holder`, may be a secret.
  static boolean in(String holder, String key, String text) {
    if (isReference(text)) {
      return false;
    }
    return switch (holder) {
      case "headers" -> !isHarmlessHeader(key);
      case "env" -> true;
      case "queryParams" ->
          PARAMETER.matcher(key).find()
              || KEY.matcher(key).matches()
              || RANDOM_VALUE.matcher(text).matches();
      default -> KEY.matcher(key).matches() || (isAddress(key) && isInAddress(text));
    };
  }

  static boolean isHarmlessHeader(String name) {
    return HARMLESS_HEADERS.contains(name.toLowerCase(Locale.ROOT));
  }

  /// Whether a value of any type under this key is a secret if it is sent somewhere.
  static boolean namesSecret(String key) {
    String[] words =
        key.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT).split("[^a-z0-9]+");
    return SECRET_KEYS.contains(key.toLowerCase(Locale.ROOT))
        || (words.length > 0 && SECRET_WORDS.contains(words[words.length - 1]));
  }

  static boolean isAddress(String key) {
    return key.toLowerCase(Locale.ROOT).endsWith("url");
  }

  private static boolean isInAddress(String text) {
    return hasUser(text)
        || IN_QUERY.matcher(text).find()
        || INTRODUCED.matcher(text).find()
        || RANDOM_PARAMETER.matcher(text).find();
  }

  /// Whether a header of this name and value certainly contains a secret. Exports use a weaker
  /// condition.
  static boolean inHeader(String name, String text) {
    return PARAMETER.matcher(name).find()
        || KEY.matcher(name).matches()
        || SCHEME.matcher(text).find()
        || RANDOM_VALUE.matcher(text).matches();
  }

  private static boolean hasUser(String text) {
    return USER.matcher(REFERENCE.matcher(text).replaceAll("")).find();
  }

  static boolean isReference(String text) {
    String rest = REFERENCE.matcher(text).replaceAll("");
    return !rest.equals(text) && SCHEME.matcher(rest).replaceFirst("").isBlank();
  }

  /// Whether a command contains a secret: `--token=x`, `--token x`, `Bearer x`, `X-Key: x`, a URL
  /// with a password, or a variable before it. An argument may be a script with words of its own.
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
              || (name.endsWith(":") && PARAMETER.matcher(name).find())
              || (equals > 0 && (KEY.matcher(name).matches() || namesSecret(name)));
      if (isNamed && !value.isEmpty() && !value.startsWith("-") && !isReference(value)) {
        return true;
      }
      if (isInAddress(word)) {
        return true;
      }
    }
    return false;
  }

  /// The text with tokens and passwords replaced.
  static String masked(String text, String instead) {
    return INTRODUCED.matcher(WELL_KNOWN.matcher(text).replaceAll(instead)).replaceAll(instead);
  }
}
