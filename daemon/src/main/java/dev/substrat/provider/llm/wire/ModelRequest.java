package dev.substrat.provider.llm.wire;

import dev.substrat.tool.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One request to a model: system prompt, conversation, tools and output limit.
public record ModelRequest(
    String model,
    String system,
    List<ConversationEntry> entries,
    List<Tool> tools,
    int maxOutputTokens,
    @Nullable Double temperature) {

  public ModelRequest {
    entries = List.copyOf(entries);
    tools = List.copyOf(tools);
  }

  public ModelRequest to(String otherModel) {
    return new ModelRequest(otherModel, system, entries, tools, maxOutputTokens, temperature);
  }
}
