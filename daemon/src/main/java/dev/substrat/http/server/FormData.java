package dev.substrat.http.server;

import dev.substrat.platform.json.StorableText;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Truncation;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Form fields sent by a browser.
public record FormData(Map<String, List<String>> values) {

  static final String TYPE = "application/x-www-form-urlencoded";

  /// The largest form, that of an agent, has a few fields for each skill.
  static final int MAX_FIELDS = 2_000;

  static FormData parse(String body) {
    var values = new LinkedHashMap<String, List<String>>();
    int fields = 0;
    for (int start = 0, next; start < body.length(); start = next + 1) {
      int separator = body.indexOf('&', start);
      next = separator < 0 ? body.length() : separator;
      String pair = body.substring(start, next);
      if (!pair.isEmpty()) {
        fields++;
        if (fields > MAX_FIELDS) {
          throw ErrorCode.TOO_LARGE.fault(
              "the form has more than " + Truncation.grouped(MAX_FIELDS) + " fields",
              "send fewer fields");
        }
        int end = pair.indexOf('=');
        String name = decoded(end < 0 ? pair : pair.substring(0, end));
        String value = end < 0 ? "" : decoded(pair.substring(end + 1));
        values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
      }
    }
    return new FormData(values);
  }

  /// Line ends become line feeds, whatever the browser sends.
  private static String decoded(String text) {
    String value;
    try {
      value = URLDecoder.decode(text, StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IllegalArgumentException e) {
      throw ErrorCode.MALFORMED_REQUEST.fault(
          "the form is not valid percent-encoded UTF-8", "correct the encoding", e);
    }
    if (!StorableText.isStorable(value)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "the form contains invalid characters", "remove U+0000 and unpaired surrogates");
    }
    return value;
  }

  /// Value of a field; empty if there is none.
  public String text(String name) {
    List<String> all = all(name);
    return all.isEmpty() ? "" : all.getFirst();
  }

  /// All values of a field, in order.
  public List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /// Idempotency key of the submission; null if the page has none.
  public @Nullable String idempotencyKey() {
    String key = text("key");
    return key.isEmpty() ? null : key;
  }

  /// Whether a checkbox was ticked, or a button of that name pressed.
  public boolean has(String name) {
    return values.containsKey(name);
  }
}
