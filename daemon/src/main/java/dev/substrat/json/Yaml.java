package dev.substrat.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// YAML files that people write; JSON is YAML too.
public final class Yaml {
  private static final YAMLMapper MAPPER =
      YAMLMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private Yaml() {}

  public static JsonNode read(Path file) {
    try {
      return MAPPER.readTree(Files.readString(file));
    } catch (MismatchedInputException e) {
      throw new Fault(
          ErrorCode.INVALID_CONFIG, file + " has more than one document", "leave one of them", e);
    } catch (JsonProcessingException e) {
      throw new Fault(
          ErrorCode.INVALID_CONFIG,
          file + " is not valid YAML: " + e.getOriginalMessage(),
          "correct line " + (e.getLocation() == null ? "?" : e.getLocation().getLineNr()),
          e);
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.INVALID_CONFIG, "cannot read " + file, "check the path and its permissions", e);
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
