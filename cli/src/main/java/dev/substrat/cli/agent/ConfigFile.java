package dev.substrat.cli.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.substrat.cli.wire.Json;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A configuration written by a person: JSON if the name says so, otherwise YAML.
public final class ConfigFile {

  private ConfigFile() {}

  /// `option` is what the file was given to.
  public static ObjectNode read(Path file, String option) {
    JsonNode tree;
    try {
      byte[] bytes = Files.readAllBytes(file);
      tree = file.toString().endsWith(".json") ? Json.parse(bytes) : yaml(bytes);
    } catch (NoSuchFileException e) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "there is no file " + file,
          "check the path given to " + option,
          e);
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.INVALID_CONFIG, "%s %s".formatted(file, reason(e)), "correct the file", e);
    }
    if (tree instanceof ObjectNode object) {
      return object;
    }
    throw new Fault(
        ErrorCode.INVALID_CONFIG,
        file + " does not hold a configuration",
        "write keys and values, for instance name: mira");
  }

  private static JsonNode yaml(byte[] bytes) throws IOException {
    var factory =
        YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    requireNoAliases(factory.createParser(bytes));
    return Json.parse(bytes, factory);
  }

  /// The parser would hand out the alias's own name as if it were the value.
  private static void requireNoAliases(YAMLParser tokens) throws IOException {
    try (tokens) {
      while (tokens.nextToken() != null) {
        if (tokens.isCurrentAlias()) {
          throw new IOException(
              "an alias in line %d; write the value out"
                  .formatted(tokens.currentTokenLocation().getLineNr()));
        }
      }
    }
  }

  private static String reason(IOException e) {
    if (!(e instanceof JsonProcessingException parsing)) {
      return "cannot be read: " + e.getMessage();
    }
    var place = parsing.getLocation();
    String what =
        String.valueOf(parsing.getOriginalMessage()).lines().findFirst().orElse("not understood");
    return place == null ? what : "line %d: %s".formatted(place.getLineNr(), what);
  }
}
