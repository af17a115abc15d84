package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a model answered. Tokens are 0 if it does not say how many it used. One that was cut would
/// have said more than it was allowed to.
public record ModelReply(
    String text,
    String thinking,
    List<ConversationEntry.Call> calls,
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
