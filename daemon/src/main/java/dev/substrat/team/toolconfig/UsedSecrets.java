package dev.substrat.team.toolconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.platform.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Secrets from the environment that one call used. A service may echo them, so they are redacted
/// from everything it returns.
///
/// Safe for many threads: the search pattern is rebuilt with each value.
public final class UsedSecrets {
  private static final String HIDDEN = "[redacted]";

  /// Shorter values occur by chance, and are not redacted.
  private static final int MIN_LENGTH = 4;

  private final Set<String> wanted = new LinkedHashSet<>();
  private volatile @Nullable Pattern pattern;

  /// Adds a secret to redact.
  public synchronized void add(String value) {
    if (value.length() >= MIN_LENGTH && wanted.addAll(SecretEncodings.of(value))) {
      // Longest first: one secret may contain another.
      pattern =
          Pattern.compile(
              wanted.stream()
                  .sorted(Comparator.comparingInt(String::length).reversed())
                  .collect(Collectors.joining("|")));
    }
  }

  /// The text without them.
  public String redact(String text) {
    Pattern known = pattern;
    return known == null ? text : known.matcher(text).replaceAll(HIDDEN);
  }

  /// The value without them, in keys as well.
  public JsonNode redact(JsonNode value) {
    if (pattern == null) {
      return value;
    }
    if (value instanceof ObjectNode object) {
      var hidden = Json.object();
      object
          .properties()
          .forEach(entry -> hidden.set(redact(entry.getKey()), redact(entry.getValue())));
      return hidden;
    }
    if (value.isArray()) {
      var items = Json.object().putArray("items");
      value.forEach(item -> items.add(redact(item)));
      return items;
    }
    // A number may be one as well.
    String text = value.asText();
    String rest = redact(text);
    return rest.equals(text) ? value : new TextNode(rest);
  }

  /// Regular expressions for the encodings in which a secret may be echoed: literal,
  /// percent-encoded, escaped in JSON or HTML, in lower case as in hosts, and inside of base64.
  private static final class SecretEncodings {
    private static final int LONGEST_PIECE = 64;

    /// Shorter values occur in longer texts by chance.
    private static final int SHORTEST_INSIDE = 6;

    /// Escapes that are escaped again, up to three times.
    private static final String BACKSLASHES = "\\\\{1,8}";

    private static final Map<Integer, String> IN_JSON =
        Map.of((int) '\n', "n", (int) '\r', "r", (int) '\t', "t", (int) '\f', "f", (int) '\b', "b");

    private static final Map<Integer, String> IN_HTML =
        Map.of(
            (int) '&',
            "&amp;",
            (int) '<',
            "&lt;",
            (int) '>',
            "&gt;",
            (int) '"',
            "&quot;",
            (int) '\'',
            "&#39;");

    private SecretEncodings() {}

    static Set<String> of(String value) {
      var all = new LinkedHashSet<String>();
      pieces(value).forEach(piece -> all.addAll(ofPiece(piece)));
      return all;
    }

    /// A key in a file is long, and an expression for all of it would be too deep; each piece of it
    /// is as secret as the whole.
    private static List<String> pieces(String value) {
      int[] points = value.codePoints().toArray();
      int count = (points.length + LONGEST_PIECE - 1) / LONGEST_PIECE;
      return IntStream.range(0, count)
          .mapToObj(i -> {
            int start = points.length * i / count;
            return new String(points, start, points.length * (i + 1) / count - start);
          })
          .toList();
    }

    private static Set<String> ofPiece(String value) {
      var all = new LinkedHashSet<String>();
      all.add(escaped(value));
      all.add(escaped(value.toLowerCase(Locale.ROOT)));
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      for (Base64.Encoder way :
          new Base64.Encoder[] {Base64.getEncoder(), Base64.getUrlEncoder()}) {
        all.add(Pattern.quote(way.withoutPadding().encodeToString(bytes)));
        for (int before = 0; before < 3; before++) {
          String inside = inside(way, bytes, before);
          if (inside.length() >= SHORTEST_INSIDE) {
            all.add(Pattern.quote(inside));
          }
        }
      }
      return all;
    }

    /// The characters that encode only `bytes` if `before` bytes precede them: three bytes become
    /// four characters, so only the length modulo three matters.
    private static String inside(Base64.Encoder way, byte[] bytes, int before) {
      var longer = new byte[before + bytes.length];
      System.arraycopy(bytes, 0, longer, before, bytes.length);
      String encoded = way.withoutPadding().encodeToString(longer);
      return encoded.substring((before * 8 + 5) / 6, longer.length * 8 / 6);
    }

    private static String escaped(String value) {
      var pattern = new StringBuilder();
      value.codePoints().forEach(point -> pattern.append(escaped(point)));
      return pattern.toString();
    }

    private static String escaped(int point) {
      String own = Character.toString(point);
      var ways = new StringBuilder("(?:");
      // A backslash before it is part of it where that is how it is written.
      if ("\"\\/".contains(own)) {
        ways.append("\\\\{0,8}");
      }
      ways.append("\\x{").append(Integer.toHexString(point)).append('}');
      ways.append("|(?i:");
      for (byte one : own.getBytes(StandardCharsets.UTF_8)) {
        ways.append("%(?:25){0,3}").append(String.format("%02x", one));
      }
      ways.append('|');
      own.chars().forEach(unit -> ways.append(BACKSLASHES).append(String.format("u%04x", unit)));
      ways.append(')');
      if (point == ' ') {
        ways.append("|\\+");
      }
      if (IN_JSON.containsKey(point)) {
        ways.append('|').append(BACKSLASHES).append(IN_JSON.get(point));
      }
      if (IN_HTML.containsKey(point)) {
        ways.append('|').append(IN_HTML.get(point));
      }
      return ways.append(')').toString();
    }
  }
}
