package dev.substrat.platform.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.substrat.protocol.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Parser of YAML files written by people. JSON is accepted, because it is a subset of YAML.
public final class Yaml {
  private static final YAMLMapper MAPPER =
      YAMLMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final YAMLMapper WRITER =
      YAMLMapper.builder()
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES, YAMLGenerator.Feature.LITERAL_BLOCK_STYLE)
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER, YAMLGenerator.Feature.SPLIT_LINES)
          .build();

  private Yaml() {}

  public static JsonNode read(Path file) {
    try {
      return MAPPER.readTree(Files.readString(file));
    } catch (MismatchedInputException e) {
      throw ErrorCode.INVALID_CONFIG.fault(
          file + " has more than one document", "keep only one document", e);
    } catch (JsonProcessingException e) {
      ParseErrorLocation slip = ParseErrorLocation.of(e);
      throw ErrorCode.INVALID_CONFIG.fault(
          file + " is not valid YAML: " + slip.words(), "correct line " + slip.line(), e);
    } catch (IOException e) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "cannot read " + file, "check the path and its permissions", e);
    }
  }

  /// Parses YAML typed by a person; the fault has the line of the error.
  public static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      ParseErrorLocation slip = ParseErrorLocation.of(e);
      throw ErrorCode.INVALID_CONFIG.fault(
          "line %s is invalid: %s".formatted(slip.line(), slip.words()), "correct that line", e);
    }
  }

  /// For people: multi-line texts are written as block scalars.
  public static String text(Object value) {
    try {
      return WRITER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// YAML that is part of the program.
  public static JsonNode own(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
