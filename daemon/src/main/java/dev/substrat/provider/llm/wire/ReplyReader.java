package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;

/// Puts an answer together from its events. Belongs to one thread and one answer.
public interface ReplyReader {
  void read(JsonNode event);

  /// True once the model has said that this is all.
  boolean isComplete();

  ModelReply reply();
}
