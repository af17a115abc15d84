package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Bytes;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Validation of tool definitions from remote servers. An invalid tool is ignored; the other tools
/// of the server are kept.
final class ToolDefinitionRules {
  private static final int LONGEST = 64 << 10;
  private static final Pattern NAME = Pattern.compile("[\\w./:-]{1,128}");
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");
  private static final Set<String> PRIMITIVE = Set.of("integer", "string", "boolean");

  /// Keywords with values, not schemas.
  private static final Set<String> VALUES = Set.of("default", "const", "enum", "examples");

  private ToolDefinitionRules() {}

  /// The reason why a definition is invalid, if it is.
  static Optional<String> wrong(JsonNode said, boolean hasHeaders) {
    if (!said.path("name").isTextual() || !NAME.matcher(said.path("name").asText()).matches()) {
      return Optional.of("its name is invalid");
    }
    JsonNode schema = said.path("inputSchema");
    if (!schema.isObject() || !schema.path("type").asText("object").equals("object")) {
      return Optional.of("its inputSchema is not of type object");
    }
    if (said.hasNonNull("description") && !said.path("description").isTextual()) {
      return Optional.of("its description is not a string");
    }
    if (Json.bytes(said).length > LONGEST) {
      return Optional.of("it is larger than " + Bytes.words(LONGEST));
    }
    return hasHeaders && !mirrorsWell(schema, true, new HashSet<>())
        ? Optional.of("its inputSchema has an x-mcp-header that is not allowed")
        : Optional.empty();
  }

  /// `isReachable` while every step so far was a property.
  private static boolean mirrorsWell(JsonNode schema, boolean isReachable, Set<String> names) {
    if (schema.isArray()) {
      return schema.valueStream().allMatch(one -> mirrorsWell(one, false, names));
    }
    JsonNode header = schema.path("x-mcp-header");
    if (!header.isMissingNode() && !(isReachable && isGood(schema, header, names))) {
      return false;
    }
    return schema.properties().stream()
        .filter(one -> one.getValue().isContainerNode() && !VALUES.contains(one.getKey()))
        .allMatch(one -> {
          boolean isProperties = one.getKey().equals("properties");
          return isProperties
              ? one.getValue()
                  .valueStream()
                  .allMatch(property -> mirrorsWell(property, isReachable, names))
              : mirrorsWell(one.getValue(), false, names);
        });
  }

  private static boolean isGood(JsonNode schema, JsonNode header, Set<String> names) {
    return header.isTextual()
        && TOKEN.matcher(header.textValue()).matches()
        && PRIMITIVE.contains(schema.path("type").asText())
        && names.add(header.textValue().toLowerCase(Locale.ROOT));
  }
}
