package dev.substrat.cli.configedit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// Adds and removes entries of another program's configuration text.
///
/// Every result is parsed and compared: it must equal the previous content plus or minus our entry.
/// Otherwise nothing is changed, and the user has to edit the file.
public final class ConfigEntryEditor {
  private final String source;
  private final ConfigTextEditor editor;
  private final String text;
  private final ObjectNode value;

  private ConfigEntryEditor(String source, ConfigTextEditor editor, String text) {
    this.source = source;
    this.editor = editor;
    this.text = text;
    this.value = understood();
  }

  /// Parses a text from `source`; a fault if it is invalid.
  public static ConfigEntryEditor of(String source, ConfigFormat notation, String text) {
    return new ConfigEntryEditor(source, notation.editor(), text);
  }

  /// Text of a file that contains only this entry.
  public static String newFile(ConfigFormat notation, List<String> path, ObjectNode entry) {
    return of("a new file", notation, "").with(path, entry);
  }

  private ObjectNode understood() {
    JsonNode tree;
    try {
      tree = editor.parse(text);
    } catch (IOException e) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "%s cannot be parsed: %s".formatted(source, reason(e)),
          "fix the file, or add the entry by hand; --print shows the entry",
          e);
    }
    return switch (tree) {
      case ObjectNode object -> object;
      case JsonNode none when none.isMissingNode() || none.isNull() -> JsonTree.object();
      default -> throw unfit("%s is not an object with keys".formatted(source));
    };
  }

  /// The first line of the parser's message has the problem.
  private static String reason(IOException e) {
    String message =
        e instanceof JsonProcessingException parsing
            ? parsing.getOriginalMessage()
            : String.valueOf(e.getMessage());
    String first = message.lines().findFirst().orElse("invalid syntax");
    return e instanceof JsonProcessingException parsing && parsing.getLocation() != null
        ? "line %d: %s".formatted(parsing.getLocation().getLineNr(), first)
        : first;
  }

  /// The parsed text. Must not be modified.
  public ObjectNode value() {
    return value;
  }

  public Optional<JsonNode> find(List<String> path) {
    JsonNode node = value;
    for (String key : path) {
      node = node.path(key);
    }
    return node.isMissingNode() ? Optional.empty() : Optional.of(node);
  }

  public String with(List<String> path, ObjectNode entry) {
    ObjectNode expected = value.deepCopy();
    container(expected, path).set(path.getLast(), asRead(entry));
    return checked(() -> editor.put(text, path, entry), path, expected);
  }

  public String without(List<String> path) {
    if (find(path).isEmpty()) {
      return text;
    }
    ObjectNode expected = value.deepCopy();
    container(expected, path).remove(path.getLast());
    return checked(() -> editor.remove(text, path), path, expected);
  }

  /// Normalizes numbers to the types that the parser creates.
  private static JsonNode asRead(ObjectNode entry) {
    try {
      return JsonTree.parse(JsonTree.text(entry).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The container of the entry; created if it is missing.
  private ObjectNode container(ObjectNode root, List<String> path) {
    ObjectNode container = root;
    for (String key : path.subList(0, path.size() - 1)) {
      container =
          switch (container.path(key)) {
            case ObjectNode object -> object;
            case JsonNode none when none.isMissingNode() || none.isNull() ->
                container.putObject(key);
            default -> throw unfit("'%s' in %s is not an object with keys".formatted(key, source));
          };
    }
    return container;
  }

  private interface TextChange {
    String make() throws IOException;
  }

  private String checked(TextChange change, List<String> path, ObjectNode expected) {
    try {
      String changed = change.make();
      if (bare(editor.parse(changed), path).equals(bare(expected, path))) {
        return changed;
      }
    } catch (IOException | IndexOutOfBoundsException _) {
      // Falls through: reported like a wrong result.
    }
    throw unfit("the layout of %s cannot be changed safely".formatted(source));
  }

  /// Removes empty containers, which some formats cannot express.
  private static JsonNode bare(JsonNode tree, List<String> path) {
    if (path.size() > 1 && tree instanceof ObjectNode object && object.has(path.getFirst())) {
      JsonNode inside = bare(object.path(path.getFirst()), path.subList(1, path.size()));
      if (inside.isEmpty() && inside.isObject()) {
        object.remove(path.getFirst());
      }
    }
    return tree;
  }

  private static Fault unfit(String message) {
    return ErrorCode.INVALID_CONFIG.fault(
        message, "edit the file by hand; --print shows the entry");
  }
}
