package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.ToolDefinitionList;
import dev.substrat.mcp.wire.HeaderArguments;
import dev.substrat.platform.json.Json;
import dev.substrat.tool.ToolDescription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// MCP descriptors of tools, cached per list of tools.
final class ToolDescriptors {
  /// More than the number of different tool lists in use: most agents share a few.
  private static final int MAX_COUNT = 200;

  private final Map<IdentityKey, DescriptorList> decks = new ConcurrentHashMap<>();

  ToolDefinitionList of(List<? extends ToolDescription> tools) {
    return descriptors(tools).listing();
  }

  HeaderArguments mirrored(List<? extends ToolDescription> tools, String name) {
    return descriptors(tools).mirrored().getOrDefault(name, HeaderArguments.NONE);
  }

  private DescriptorList descriptors(List<? extends ToolDescription> tools) {
    var key = new IdentityKey(tools);
    DescriptorList known = decks.get(key);
    if (known != null) {
      return known;
    }
    DescriptorList deck = DescriptorList.of(tools);
    if (decks.size() >= MAX_COUNT) {
      // Lists in use are soon cached again; tracking their use would cost more.
      decks.clear();
    }
    decks.put(key, deck);
    return deck;
  }

  /// Key that compares lists by identity: equality would compare all tools on every call.
  private record IdentityKey(List<? extends ToolDescription> tools) {
    @Override
    @SuppressWarnings("ReferenceEquality") // which is the whole point
    public boolean equals(@Nullable Object other) {
      return other instanceof IdentityKey(var others) && tools == others;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(tools);
    }
  }

  /// Descriptors of a list of tools, and the arguments that are mirrored in headers.
  private record DescriptorList(ToolDefinitionList listing, Map<String, HeaderArguments> mirrored) {
    static DescriptorList of(List<? extends ToolDescription> tools) {
      var mirrored = new HashMap<String, HeaderArguments>();
      for (ToolDescription tool : tools) {
        var arguments = HeaderArguments.of(tool.input().json());
        if (!arguments.equals(HeaderArguments.NONE)) {
          mirrored.put(tool.name(), arguments);
        }
      }
      return new DescriptorList(
          new ToolDefinitionList(tools.stream().map(ToolDescriptors::descriptor).toList()),
          mirrored);
    }
  }

  private static ObjectNode descriptor(ToolDescription tool) {
    var card = Json.object().put("name", tool.name()).put("title", tool.title());
    card.put("description", tool.description());
    card.set("inputSchema", tool.input().json());
    card.set("outputSchema", tool.output().json());
    card.putObject("annotations")
        .put("readOnlyHint", tool.effect().isReadOnly())
        .put("destructiveHint", tool.effect().isDestructive())
        .put("idempotentHint", tool.effect().isIdempotent())
        .put("openWorldHint", tool.isOpenWorld());
    return card;
  }
}
