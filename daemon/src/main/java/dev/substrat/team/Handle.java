package dev.substrat.team;

import dev.substrat.fault.Fault;
import dev.substrat.id.Principal;
import dev.substrat.protocol.ErrorCode;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/// The short address of an agent: lower-case words joined by dashes.
final class Handle {
  private static final Pattern VALID = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
  private static final int LONGEST = 60;

  private Handle() {}

  /// The handle a name suggests; `Code Wizard` becomes `code-wizard`.
  static String of(String name) {
    String plain = Normalizer.normalize(name, Normalizer.Form.NFD).replaceAll("\\p{M}", "");
    String slug =
        plain.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
    String cut = slug.length() > LONGEST ? slug.substring(0, LONGEST) : slug;
    String handle = cut.replaceAll("-+$", "");
    // A name in another script leaves nothing; and "operator" is taken by the person.
    return handle.isEmpty() || handle.equals(Principal.OPERATOR_NAME) ? "agent" : handle;
  }

  static String require(String handle) {
    if (handle.length() > LONGEST
        || !VALID.matcher(handle).matches()
        || handle.equals(Principal.OPERATOR_NAME)) {
      throw new Fault(
          ErrorCode.INVALID_CONFIG,
          "\"" + handle + "\" cannot be a handle",
          "use lower-case letters, digits and single dashes, at most " + LONGEST);
    }
    return handle;
  }
}
