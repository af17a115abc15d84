package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.ToolListing;
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
  /// More different lists than are asked for at a time: most agents share a few.
  private static final int MOST = 200;

  private final Map<Same, Listing> decks = new ConcurrentHashMap<>();

  ToolListing of(List<? extends ToolDescription> tools) {
    return descriptors(tools).listing();
  }

  HeaderArguments mirrored(List<? extends ToolDescription> tools, String name) {
    return descriptors(tools).mirrored().getOrDefault(name, HeaderArguments.NONE);
  }

  private Listing descriptors(List<? extends ToolDescription> tools) {
    var key = new Same(tools);
    Listing known = decks.get(key);
    if (known != null) {
      return known;
    }
    Listing deck = Listing.of(tools);
    if (decks.size() >= MOST) {
      // Those in use are soon here again; keeping count of who is would cost more.
      decks.clear();
    }
    decks.put(key, deck);
    return deck;
  }

  /// A list by its identity: equality would compare all its tools, with every call.
  private record Same(List<? extends ToolDescription> tools) {
    @Override
    @SuppressWarnings("ReferenceEquality") // which is the whole point
    public boolean equals(@Nullable Object other) {
      return other instanceof Same(var others) && tools == others;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(tools);
    }
  }

  /// What is made of a list of tools; of the mirrored arguments only those of tools that have some.
  private record Listing(ToolListing listing, Map<String, HeaderArguments> mirrored) {
    static Listing of(List<? extends ToolDescription> tools) {
      var mirrored = new HashMap<String, HeaderArguments>();
      for (ToolDescription tool : tools) {
        var arguments = HeaderArguments.of(tool.input().json());
        if (!arguments.equals(HeaderArguments.NONE)) {
          mirrored.put(tool.name(), arguments);
        }
      }
      return new Listing(
          new ToolListing(tools.stream().map(ToolDescriptors::descriptor).toList()), mirrored);
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
