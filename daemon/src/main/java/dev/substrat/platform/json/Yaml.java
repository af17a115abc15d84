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
import java.util.List;
import java.util.regex.Pattern;

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

  /// Line and plain description of a YAML or JSON syntax error.
  ///
  /// Parsers report their internal state; this class translates that to what the author should
  /// correct.
  private record ParseErrorLocation(String line, String words) {
    /// The first is where that began which has no end, the last where the parser gave up.
    private static final Pattern LINE = Pattern.compile("line (\\d+), column \\d+");

    private static final Pattern SIGN = Pattern.compile("found character '(.)' that cannot start");
    private static final Pattern TWICE = Pattern.compile("Duplicate field '(.*)'", Pattern.DOTALL);

    /// A parser's message, and its explanation.
    private record Known(String said, String meant) {}

    private static final List<Known> UNFINISHED =
        List.of(
            new Known("parsing a flow sequence", "missing ] or comma"),
            new Known("parsing a flow mapping", "missing } or comma"),
            new Known("parsing a flow node", "an unclosed [ or {, or a comma without a value"),
            new Known("found unexpected end of stream", "missing closing quotation mark"));

    private static final List<Known> KNOWN =
        List.of(
            new Known(
                "mapping values are not allowed",
                "unexpected colon; quote text that contains a colon, and indent keys of the same"
                    + " level equally"),
            new Known("could not find expected ':'", "missing colon after a key"),
            new Known("expected <block end>", "the indentation differs from the lines above"),
            new Known("(TAB)", "tab character; indent with spaces"),
            new Known(
                "unknown escape",
                "unknown escape sequence; write a backslash in double quotes as \\\\"),
            new Known("parsing a block node", "closing bracket without an opening one"),
            new Known("scanning an anchor", "quote text that begins with & or *"),
            new Known("scanning an alias", "quote text that begins with & or *"),
            new Known("special characters", "invisible character; remove it"));

    static ParseErrorLocation of(JsonProcessingException e) {
      String said = e.getOriginalMessage();
      String here = e.getLocation() == null ? "?" : String.valueOf(e.getLocation().getLineNr());
      List<String> lines = LINE.matcher(said).results().map(found -> found.group(1)).toList();
      for (Known one : UNFINISHED) {
        if (said.contains(one.said())) {
          return new ParseErrorLocation(lines.isEmpty() ? here : lines.getFirst(), one.meant());
        }
      }
      return new ParseErrorLocation(lines.isEmpty() ? here : lines.getLast(), words(e, said));
    }

    private static String words(JsonProcessingException e, String said) {
      if (e instanceof MismatchedInputException) {
        return "a line with --- starts a second document; keep only the first document";
      }
      var twice = TWICE.matcher(said);
      if (twice.find()) {
        return "duplicate key \"" + twice.group(1) + "\"";
      }
      var sign = SIGN.matcher(said);
      if (sign.find()) {
        return "quote text that begins with " + sign.group(1);
      }
      return KNOWN.stream()
          .filter(one -> said.contains(one.said()))
          .findFirst()
          .map(Known::meant)
          .orElse("not valid YAML or JSON");
    }
  }
}
