package dev.substrat.cli.configedit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.configedit.JsonRange.MemberRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Editor for JSON with comments and trailing commas.
final class JsonEditor implements ConfigTextEditor {
  private static final JsonFactory FORMAT =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
          .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .build();

  @Override
  public JsonNode parse(String text) throws IOException {
    return JsonTree.parse(text.getBytes(StandardCharsets.UTF_8), FORMAT);
  }

  @Override
  public String put(String text, List<String> path, ObjectNode entry) throws IOException {
    var layout = new TextLayout(text);
    var root = JsonRange.of(text, FORMAT);
    if (root.isEmpty()) {
      String whole = JsonLayoutFormatter.pretty(nested(path, entry), "", layout);
      return layout.withFinalNewline() + whole + layout.newline();
    }
    JsonRange object = root.get();
    for (int i = 0; i < path.size(); i++) {
      var member = object.find(path.get(i));
      ObjectNode value = nested(path.subList(i + 1, path.size()), entry);
      if (member.isEmpty()) {
        return new JsonObjectEditor(text, object).with(path.get(i), value);
      }
      boolean isEntry = i == path.size() - 1;
      object = member.get().value();
      // The value is null; other types were rejected before.
      if (isEntry || text.charAt(object.start()) != '{') {
        return replaced(layout, member.get(), value);
      }
    }
    throw new IOException("no path");
  }

  private static String replaced(TextLayout layout, MemberRange member, ObjectNode value) {
    String text = layout.text();
    JsonRange old = member.value();
    String fresh =
        layout.isFirstOnLine(member.start())
            ? JsonLayoutFormatter.pretty(value, layout.indentation(member.start()), layout)
            : JsonLayoutFormatter.oneLine(value, TextLayout.isBlank(text.charAt(old.start() - 1)));
    return text.substring(0, old.start()) + fresh + text.substring(old.end());
  }

  private static ObjectNode nested(List<String> path, ObjectNode entry) {
    ObjectNode value = entry;
    for (String key : path.reversed()) {
      ObjectNode outer = JsonTree.object();
      outer.set(key, value);
      value = outer;
    }
    return value;
  }

  @Override
  public String remove(String text, List<String> path) throws IOException {
    JsonRange object = JsonRange.of(text, FORMAT).orElseThrow();
    for (String key : path.subList(0, path.size() - 1)) {
      object = object.find(key).orElseThrow().value();
    }
    return new JsonObjectEditor(text, object).without(path.getLast());
  }
}
