package dev.substrat.console;

import java.net.IDN;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds links that do not lead where their words say.
///
/// Words mislead if they contain a host that is not the link's own. An address misleads if
/// something that looks like a host stands before an `@` in it, or if its host has letters beyond
/// ASCII, which may look like others.
final class LinkHostCheck {
  private static final Pattern AUTHORITY = Pattern.compile("(?i)^https?://([^/?#]*)");

  /// Words with dots between them, of which the last could be a top-level domain.
  private static final Pattern HOST =
      Pattern.compile(
          "(?<![\\p{L}\\p{N}.-])(?:[\\p{L}\\p{N}-]{1,63}\\.){1,10}\\p{L}[\\p{L}\\p{N}-]{1,62}");

  private LinkHostCheck() {}

  /// The host of the address, if it should stand beside these words; else empty.
  static String beside(String words, String address) {
    Matcher authority = AUTHORITY.matcher(address);
    if (!authority.find()) {
      return "";
    }
    String whole = authority.group(1);
    String host = host(whole);
    boolean isObscure =
        whole.contains("@")
            || !host.equals(whole.replaceFirst(":\\d*$", "").toLowerCase(Locale.ROOT));
    return isObscure || (!words.equals(address) && names(words, host)) ? host : "";
  }

  /// Whether the words name another host.
  private static boolean names(String words, String host) {
    Matcher named = HOST.matcher(words.toLowerCase(Locale.ROOT));
    while (named.find()) {
      if (!withoutWww(named.group()).equals(withoutWww(host))) {
        return true;
      }
    }
    return false;
  }

  private static String withoutWww(String host) {
    return host.startsWith("www.") ? host.substring(4) : host;
  }

  /// As browsers ask for it, so that no letter of it looks like another.
  private static String host(String authority) {
    String host =
        authority
            .substring(authority.lastIndexOf('@') + 1)
            .replaceFirst(":\\d*$", "")
            .toLowerCase(Locale.ROOT);
    try {
      return IDN.toASCII(host, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException _) {
      return host;
    }
  }
}
