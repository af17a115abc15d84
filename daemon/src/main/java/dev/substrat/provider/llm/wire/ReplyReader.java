package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;

/// Assembles a response from its streamed events. Belongs to one thread and one response.
public interface ReplyReader {
  void read(JsonNode event);

  /// True once the last event of the response was read.
  boolean isComplete();

  ModelReply reply();
}
