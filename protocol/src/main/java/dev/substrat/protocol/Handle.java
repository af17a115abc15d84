package dev.substrat.protocol;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/// Handle of an agent: lower-case words joined by dashes.
///
/// It is here because both sides derive it: the daemon when it creates an agent, the command line
/// when it looks for the agents that a file declares.
public final class Handle {
  /// Taken by the person who runs the daemon.
  public static final String OPERATOR = "operator";

  public static final int MAX_LENGTH = 60;

  private static final Pattern VALID = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

  private Handle() {}

  /// The handle a name suggests; `Code Wizard` becomes `code-wizard`.
  public static String of(String name) {
    String handle = slug(name);
    // A name in another script leaves nothing; and "operator" is taken by the person.
    return handle.isEmpty() || handle.equals(OPERATOR) ? "agent" : handle;
  }

  /// The words of a name in lower case, joined by dashes; empty if it has no usable characters.
  public static String slug(String name) {
    String plain = Normalizer.normalize(name, Normalizer.Form.NFD).replaceAll("\\p{M}", "");
    String slug =
        plain.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
    String cut = slug.length() > MAX_LENGTH ? slug.substring(0, MAX_LENGTH) : slug;
    return cut.replaceAll("-+$", "");
  }

  public static boolean isValid(String handle) {
    return handle.length() <= MAX_LENGTH
        && VALID.matcher(handle).matches()
        && !handle.equals(OPERATOR);
  }
}
