package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.ClientChannel;
import dev.substrat.mcp.spi.McpCatalog;
import dev.substrat.mcp.spi.McpOutcome;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.mcp.spi.ToolDefinitionList;
import dev.substrat.platform.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/// Methods that are the same in both protocol eras.
final class CommonMethods {
  /// Large enough for the complete lists of nearly all clients.
  private static final int PAGE = 250;

  /// In the `_meta` of `tools/list`: true if the client needs the output schemas of the tools.
  private static final String OUTPUT_SCHEMA = "substrat/outputSchema";

  /// The protocol allows no more in one answer.
  private static final int MAX_COMPLETIONS = 100;

  private CommonMethods() {}

  static McpOutcome call(
      McpCatalog offer, ClientMessage.ClientRequest request, ClientChannel contact) {
    return switch (request.method()) {
      case "tools/list" -> tools(offer.tools(), request);
      case "tools/call" -> offer.call(request.text("name"), request.object("arguments"), contact);
      case "prompts/list" -> page("prompts", offer.prompts(), request);
      case "prompts/get" ->
          offer.prompt(request.text("name"), request.object("arguments"), contact);
      case "resources/list" -> page("resources", offer.resources(), request);
      case "resources/templates/list" -> page("resourceTemplates", offer.templates(), request);
      case "resources/read" -> offer.read(request.text("uri"), contact);
      case "completion/complete" -> complete(offer, request);
      default -> throw ProtocolError.noMethod(request.method());
    };
  }

  /// Tools are listed more often than other lists, and the list is longer. Output schemas are
  /// omitted unless requested.
  private static McpOutcome tools(ToolDefinitionList all, ClientMessage.ClientRequest request) {
    boolean hasOutput = request.meta().path(OUTPUT_SCHEMA).asBoolean();
    ToolDefinitionList tools = hasOutput ? all : all.withoutOutputSchemas();
    if (start(request) > 0 || tools.cards().size() > PAGE) {
      return page("tools", tools.cards(), request);
    }
    var result = Json.object();
    result.putRawValue("tools", tools.written());
    return new McpOutcome.CompleteResult(result);
  }

  private static McpOutcome page(
      String key, List<ObjectNode> all, ClientMessage.ClientRequest request) {
    int start = start(request);
    int end = (int) Math.min(all.size(), (long) start + PAGE);
    var result = Json.object();
    var page = result.putArray(key);
    for (int i = start; i < end; i++) {
      page.add(all.get(i));
    }
    if (end < all.size()) {
      result.put("nextCursor", encode(end));
    }
    return new McpOutcome.CompleteResult(result);
  }

  private static int start(ClientMessage.ClientRequest request) {
    if (!request.params().hasNonNull("cursor")) {
      return 0;
    }
    String cursor = request.text("cursor");
    try {
      byte[] text = Base64.getUrlDecoder().decode(cursor);
      int start = Integer.parseInt(new String(text, StandardCharsets.US_ASCII));
      if (start > 0) {
        return start;
      }
    } catch (IllegalArgumentException e) {
      // Rejected below.
    }
    throw ProtocolError.badParams("/params/cursor is invalid: " + cursor);
  }

  private static String encode(int start) {
    byte[] text = String.valueOf(start).getBytes(StandardCharsets.US_ASCII);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
  }

  private static McpOutcome complete(McpCatalog offer, ClientMessage.ClientRequest request) {
    ObjectNode argument = request.object("argument");
    if (!argument.path("name").isTextual() || !argument.path("value").isTextual()) {
      throw ProtocolError.badParams("/params/argument needs the strings name and value");
    }
    var others =
        request.object("context").path("arguments") instanceof ObjectNode given
            ? given
            : Json.object();
    List<String> found = offer.complete(request.object("ref"), argument, others);
    var result = Json.object();
    var completion = result.putObject("completion");
    var values = completion.putArray("values");
    found.stream().limit(MAX_COMPLETIONS).forEach(values::add);
    completion.put("total", found.size()).put("hasMore", found.size() > MAX_COMPLETIONS);
    return new McpOutcome.CompleteResult(result);
  }
}
