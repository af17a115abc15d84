package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.RemoteFailure.Reason;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.Bytes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Reads the tool list of a server page by page, with a limit.
final class ToolListReader {
  private static final Log LOG = Log.of(ToolListReader.class);
  private static final int MOST_TOOLS = 500;
  private static final int MOST_PAGES = 100;
  private static final int MOST_BYTES = 2 << 20;

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
    for (int pages = 0; pages < MOST_PAGES; pages++) {
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
    Optional<String> wrong = ToolDefinitionRules.wrong(said, hasHeaders);
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
    if (all.size() > MOST_TOOLS || bytes > MOST_BYTES) {
      throw tooLarge();
    }
  }

  private static RemoteFailure tooLarge() {
    return RemoteFailure.because(
        Reason.TOO_LARGE,
        "the server's tool list exceeds %d tools or %s"
            .formatted(MOST_TOOLS, Bytes.words(MOST_BYTES)));
  }
}
