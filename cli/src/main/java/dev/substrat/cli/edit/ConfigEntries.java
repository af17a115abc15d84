package dev.substrat.cli.edit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// The entries of a configuration text that has other owners, too.
///
/// Every change is read again before it is handed out: it must mean what the text meant before,
/// plus or minus our entry. Where that fails, nothing is changed and a person is asked to do it.
public final class ConfigEntries {
  private final String source;
  private final TextEditor editor;
  private final String text;
  private final ObjectNode value;

  private ConfigEntries(String source, TextEditor editor, String text) {
    this.source = source;
    this.editor = editor;
    this.text = text;
    this.value = understood();
  }

  /// A text that came from `source`; a fault if it cannot be understood.
  public static ConfigEntries of(String source, ConfigFormat notation, String text) {
    return new ConfigEntries(source, notation.editor(), text);
  }

  /// The whole text of a file that has nothing but this entry.
  public static String alone(ConfigFormat notation, List<String> path, ObjectNode entry) {
    return of("a new file", notation, "").with(path, entry);
  }

  private ObjectNode understood() {
    JsonNode tree;
    try {
      tree = editor.parse(text);
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.INVALID_CONFIG,
          "%s cannot be understood: %s".formatted(source, reason(e)),
          "correct the file, or add the entry by hand: --print shows it",
          e);
    }
    return switch (tree) {
      case ObjectNode object -> object;
      case JsonNode none when none.isMissingNode() || none.isNull() -> JsonTree.object();
      default -> throw unfit("%s does not hold keys and values".formatted(source));
    };
  }

  /// Parsers begin with what is wrong and then go on about themselves.
  private static String reason(IOException e) {
    String message =
        e instanceof JsonProcessingException parsing
            ? parsing.getOriginalMessage()
            : String.valueOf(e.getMessage());
    String first = message.lines().findFirst().orElse("not understood");
    return e instanceof JsonProcessingException parsing && parsing.getLocation() != null
        ? "line %d: %s".formatted(parsing.getLocation().getLineNr(), first)
        : first;
  }

  /// What the text means. Not to be changed.
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

  /// With the kinds of numbers that a parser makes.
  private static JsonNode asRead(ObjectNode entry) {
    try {
      return JsonTree.parse(JsonTree.text(entry).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What holds the entry; made where it is missing.
  private ObjectNode container(ObjectNode root, List<String> path) {
    ObjectNode container = root;
    for (String key : path.subList(0, path.size() - 1)) {
      container =
          switch (container.path(key)) {
            case ObjectNode object -> object;
            case JsonNode none when none.isMissingNode() || none.isNull() ->
                container.putObject(key);
            default ->
                throw unfit("'%s' in %s does not hold keys and values".formatted(key, source));
          };
    }
    return container;
  }

  private interface Change {
    String make() throws IOException;
  }

  private String checked(Change change, List<String> path, ObjectNode expected) {
    try {
      String changed = change.make();
      if (bare(editor.parse(changed), path).equals(bare(expected, path))) {
        return changed;
      }
    } catch (IOException | IndexOutOfBoundsException _) {
      // Falls through: a change that cannot be made is told like one that came out wrong.
    }
    throw unfit("%s is written in a way that cannot be changed safely".formatted(source));
  }

  /// Without empty containers: some formats cannot write them, and they mean nothing.
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
    return new Fault(
        ErrorCode.INVALID_CONFIG, message, "change the file by hand: --print shows the entry");
  }
}
