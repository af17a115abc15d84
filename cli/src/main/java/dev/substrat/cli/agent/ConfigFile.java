package dev.substrat.cli.agent;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/// Reads a configuration file: JSON if its name ends in `.json`, otherwise YAML.
public final class ConfigFile {
  private static final int MAX_CHARACTERS = 1_000_000_000;

  private ConfigFile() {}

  public static ObjectNode read(Path file) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault("file not found: " + file, "check the path", e);
    } catch (IOException e) {
      throw unreadable(file.toString(), e);
    }
    return parse(file.toString(), bytes);
  }

  /// Parses text that was read from `source`.
  public static ObjectNode parse(String source, byte[] bytes) {
    requireText(source, bytes);
    JsonNode tree;
    try {
      tree = source.endsWith(".json") ? JsonTree.parse(bytes) : yaml(bytes);
    } catch (IOException e) {
      throw unreadable(source, e);
    }
    if (tree instanceof ObjectNode object) {
      return object;
    }
    throw ErrorCode.INVALID_CONFIG.fault(
        source + (tree.isMissingNode() ? " is empty" : " is not a configuration"),
        "write keys and values, such as name: mira; in a team file, write agents: and a list");
  }

  /// Line number of every key and list entry, by JSON pointer; empty if the text cannot be parsed.
  public static Map<String, Integer> lines(String source, byte[] bytes) {
    var lines = new HashMap<String, Integer>();
    JsonFactory format = source.endsWith(".json") ? new JsonFactory() : yamlFactory();
    try (JsonParser tokens = format.createParser(bytes)) {
      while (tokens.nextToken() != null) {
        String pointer = tokens.getParsingContext().pathAsPointer().toString();
        lines.putIfAbsent(pointer, tokens.currentTokenLocation().getLineNr());
      }
    } catch (IOException _) {
      return Map.of();
    }
    return lines;
  }

  private static void requireText(String source, byte[] bytes) {
    try {
      CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      if (text.chars().noneMatch(c -> c == 0)) {
        return;
      }
    } catch (CharacterCodingException _) {
      // Falls through: reported like a file that is not text.
    }
    throw ErrorCode.INVALID_CONFIG.fault(
        source + " is not a text file", "use YAML or JSON in UTF-8");
  }

  private static JsonNode yaml(byte[] bytes) throws IOException {
    YAMLFactory factory = yamlFactory();
    requireNoAliases(factory.createParser(bytes));
    return JsonTree.parse(bytes, factory);
  }

  /// The parser's default limit of 3 MB is too small for teams with much memory.
  private static YAMLFactory yamlFactory() {
    var options = new LoaderOptions();
    options.setCodePointLimit(MAX_CHARACTERS);
    return YAMLFactory.builder()
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .loaderOptions(options)
        .build();
  }

  /// The parser would return the alias name as the value.
  private static void requireNoAliases(YAMLParser tokens) throws IOException {
    try (tokens) {
      while (tokens.nextToken() != null) {
        if (tokens.isCurrentAlias()) {
          throw new IOException(
              "YAML alias in line %d is not supported; write the value instead"
                  .formatted(tokens.currentTokenLocation().getLineNr()));
        }
      }
    }
  }

  private static Fault unreadable(String source, IOException e) {
    return ErrorCode.INVALID_CONFIG.fault(
        "%s %s".formatted(source, reason(e)), "correct the file", e);
  }

  private static String reason(IOException e) {
    if (!(e instanceof JsonProcessingException parsing)) {
      return "cannot be read: " + e.getMessage();
    }
    // The parser's own message starts with its context, not with the problem.
    if (parsing.getCause() instanceof MarkedYAMLException marked
        && marked.getProblem() != null
        && marked.getProblemMark() != null) {
      return "line %d: %s".formatted(marked.getProblemMark().getLine() + 1, marked.getProblem());
    }
    var place = parsing.getLocation();
    String what =
        String.valueOf(parsing.getOriginalMessage()).lines().findFirst().orElse("not understood");
    return place == null ? what : "line %d: %s".formatted(place.getLineNr(), what);
  }
}
