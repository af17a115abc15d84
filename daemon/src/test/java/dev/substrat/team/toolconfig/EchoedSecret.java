package dev.substrat.team.toolconfig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A secret in all encodings in which it may be echoed.
public final class EchoedSecret {
  /// Every way of writing it is another.
  public static final String AWKWARD = "Ab/c*d e~9+x";

  /// In JSON it need not be a text.
  public static final String NUMBER = "4815162342108642";

  private EchoedSecret() {}

  /// Each encoding by its name, as it occurs in a text.
  public static Map<String, String> ways(String secret) {
    byte[] longer = ("user:" + secret + ":more").getBytes(UTF_8);
    var ways = new LinkedHashMap<String, String>();
    ways.put("as it is", secret);
    ways.put("as a form", URLEncoder.encode(secret, UTF_8));
    ways.put("as a query", AddressTemplate.encode(secret));
    ways.put("as a query in lower case", lowerHex(AddressTemplate.encode(secret)));
    ways.put("as a path", secret.replace(" ", "%20"));
    ways.put("as a host", secret.toLowerCase(Locale.ROOT));
    ways.put("as PHP does", secret.replace("/", "\\/"));
    ways.put("as careful JSON", secret.replace("+", "\\u002B").replace("4", "\\u0034"));
    ways.put("base64", base64(secret.getBytes(UTF_8)));
    ways.put("base64 of more", base64(longer));
    ways.put("base64url of more", Base64.getUrlEncoder().withoutPadding().encodeToString(longer));
    return ways;
  }

  private static String lowerHex(String encoded) {
    return encoded.replace("%2F", "%2f").replace("%2A", "%2a").replace("%2B", "%2b");
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /// A JSON object that contains the secret in all encodings.
  public static String in(String secret) {
    var said = new StringBuilder("{\"ok\":true");
    int i = 0;
    for (String way : ways(secret).values()) {
      said.append(",\"w").append(i++).append("\":\"so: ").append(way).append('"');
    }
    said.append(",\"").append(secret).append("\":[\"a key\"]");
    if (secret.chars().allMatch(Character::isDigit)) {
      said.append(",\"number\":").append(secret);
    }
    return said.append('}').toString();
  }

  public static void assertNowhere(String secret, List<String> places) {
    ways(secret)
        .forEach((name, way) -> {
          for (String place : places) {
            assertThat(place.contains(way)).as("%s: %s", name, excerpt(place, way)).isFalse();
          }
        });
  }

  private static String excerpt(String place, String way) {
    int at = place.indexOf(way);
    return at < 0 ? "" : place.substring(Math.max(0, at - 200), Math.min(place.length(), at + 200));
  }
}
