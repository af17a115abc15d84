package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Response of a model. Tokens are 0 if the API does not report them. A cut response reached the
/// output limit.
public record ModelReply(
    String text,
    String thinking,
    List<ConversationEntry.RequestedCall> calls,
    long inputTokens,
    long outputTokens,
    @Nullable JsonNode asWritten,
    boolean isCut) {

  public ModelReply {
    calls = List.copyOf(calls);
  }

  public ConversationEntry.AssistantText said() {
    return new ConversationEntry.AssistantText(text, calls, asWritten);
  }
}
