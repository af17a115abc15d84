package dev.substrat.team;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/// Validation of an agent's context references: paths or http(s) URLs. The daemon does not open
/// them; an external chat that becomes the agent does.
final class ContextRefRules {
  private static final int MOST = 50;
  private static final int LONGEST = 2_000;

  /// A single letter before a colon is a drive, not a scheme.
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):.*");

  private ContextRefRules() {}

  static void require(List<String> references) {
    if (references.size() > MOST) {
      throw invalid(
          "/contextRefs has more than " + MOST + " entries",
          "use a directory, or a page that links to the others");
    }
    var seen = new HashSet<String>();
    for (int i = 0; i < references.size(); i++) {
      String place = "/contextRefs/" + i;
      String reference = references.get(i);
      if (!SingleLineText.is(reference, LONGEST) || !reference.strip().equals(reference)) {
        throw invalid(
            "%s must be one line of 1 to %d characters without leading or trailing spaces"
                .formatted(place, LONGEST),
            "write one path or URL");
      }
      requireUrl(place, reference);
      if (!seen.add(reference)) {
        throw invalid(place + " is a duplicate", "remove one");
      }
    }
  }

  private static void requireUrl(String place, String reference) {
    var scheme = SCHEME.matcher(reference);
    if (!scheme.matches()) {
      return;
    }
    String word = scheme.group(1);
    if (!word.equalsIgnoreCase("http") && !word.equalsIgnoreCase("https")) {
      throw invalid(
          "%s is neither a path nor an http(s) URL".formatted(place),
          "write a path without a scheme, or ./a:b if the path has a colon");
    }
    URI url = parse(place, reference);
    if (url.getHost() == null) {
      throw invalid(place + " has no host", "write it as https://host/path");
    }
    if (url.getRawUserInfo() != null) {
      throw invalid(
          place + " contains a user name or password",
          "remove them: every zoo client can read this");
    }
  }

  private static URI parse(String place, String reference) {
    try {
      return new URI(reference);
    } catch (URISyntaxException e) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "%s is not a valid URL: %s".formatted(place, e.getReason()),
          "percent-encode characters that are not allowed in a URL",
          e);
    }
  }

  private static Fault invalid(String message, String hint) {
    return ErrorCode.INVALID_CONFIG.fault(message, hint);
  }
}
