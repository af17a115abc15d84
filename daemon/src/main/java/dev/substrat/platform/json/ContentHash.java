package dev.substrat.platform.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;

/// Hash of a text's content, used as its id: equal texts have equal hashes.
public final class ContentHash {
  private ContentHash() {}

  public static String of(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Independent of the order of keys in objects.
  public static String of(JsonNode value) {
    return of(Json.text(sorted(value)));
  }

  private static Object sorted(JsonNode value) {
    if (value.isObject()) {
      var keys = new TreeMap<String, Object>();
      value.properties().forEach(one -> keys.put(one.getKey(), sorted(one.getValue())));
      return keys;
    }
    return value.isArray() ? value.valueStream().map(ContentHash::sorted).toList() : value;
  }
}
