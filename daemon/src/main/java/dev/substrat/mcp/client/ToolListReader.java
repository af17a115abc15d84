package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ByteSizeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// Reads the tool list of a server page by page, with a limit.
final class ToolListReader {
  private static final int LONGEST = 64 << 10;
  private static final Pattern NAME = Pattern.compile("[\\w./:-]{1,128}");
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");
  private static final Set<String> PRIMITIVE = Set.of("integer", "string", "boolean");

  /// Keywords with values, not schemas.
  private static final Set<String> VALUES = Set.of("default", "const", "enum", "examples");

  private static final Log LOG = Log.of(ToolListReader.class);
  private static final int MAX_TOOLS = 500;
  private static final int MAX_PAGES = 100;
  private static final int MAX_BYTES = 2 << 20;

  private final UnaryOperator<ObjectNode> page;
  private final boolean hasHeaders;
  private final List<ToolDefinition> all = new ArrayList<>();
  private final HashSet<String> names = new HashSet<>();
  private long bytes;
  private int place;

  ToolListReader(UnaryOperator<ObjectNode> page, boolean hasHeaders) {
    this.page = page;
    this.hasHeaders = hasHeaders;
  }

  List<ToolDefinition> all() {
    var params = Json.object();
    for (int pages = 0; pages < MAX_PAGES; pages++) {
      ObjectNode result = page.apply(params);
      if (!result.path("tools").isArray()) {
        throw RemoteFailure.protocol("the server returned a tool list that is not an array");
      }
      result.path("tools").forEach(this::take);
      JsonNode next = result.path("nextCursor");
      if (!next.isTextual()) {
        return List.copyOf(all);
      }
      params = Json.object().put("cursor", next.textValue());
    }
    throw tooLarge();
  }

  private void take(JsonNode said) {
    place++;
    Optional<String> wrong = findProblem(said, hasHeaders);
    if (wrong.isPresent()) {
      // Without the name, which may contain any text of the server.
      LOG.warn("invalid tool of a remote server ignored", "place", place, "reason", wrong.get());
      return;
    }
    ToolDefinition definition = ToolDefinition.of(said);
    if (!names.add(definition.name())) {
      throw RemoteFailure.protocol("the server has two tools with the same name");
    }
    all.add(definition);
    bytes += Json.bytes(definition.json()).length;
    if (all.size() > MAX_TOOLS || bytes > MAX_BYTES) {
      throw tooLarge();
    }
  }

  private static RemoteFailure tooLarge() {
    return RemoteFailure.because(
        FailureReason.TOO_LARGE,
        "the server's tool list exceeds %d tools or %s"
            .formatted(MAX_TOOLS, ByteSizeFormatter.words(MAX_BYTES)));
  }

  /// The reason why a definition is invalid, if it is. An invalid tool is ignored; the other tools
  /// of the server are kept.
  static Optional<String> findProblem(JsonNode said, boolean hasHeaders) {
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
      return Optional.of("it is larger than " + ByteSizeFormatter.words(LONGEST));
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
