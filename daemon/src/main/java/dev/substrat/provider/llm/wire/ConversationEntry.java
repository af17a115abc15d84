package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.provider.llm.TokenEstimate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One entry of a conversation with a model, independent of the vendor.
public sealed interface ConversationEntry {

  /// A text to the model.
  record UserText(String text) implements ConversationEntry {}

  /// The model's text and calls. `asWritten` is the response in the vendor's format, which some
  /// APIs require unchanged within a turn.
  record AssistantText(String text, List<RequestedCall> calls, @Nullable JsonNode asWritten)
      implements ConversationEntry {
    public AssistantText {
      calls = List.copyOf(calls);
    }

    public boolean isEmpty() {
      return text.isBlank() && calls.isEmpty();
    }
  }

  /// Results of the calls, in the same order.
  record ToolResults(List<CallResult> results) implements ConversationEntry {
    public ToolResults {
      results = List.copyOf(results);
    }
  }

  /// A call as the model wrote it; the arguments should be an object.
  record RequestedCall(String id, String tool, String arguments) {}

  /// Result of a call.
  record CallResult(String callId, String tool, String text, boolean isError) {}

  /// Estimated number of tokens.
  default long tokens() {
    return TokenEstimate.EACH
        + switch (this) {
          case UserText user -> TokenEstimate.of(user.text());
          case AssistantText said ->
              TokenEstimate.of(said.text())
                  + said.calls().stream()
                      .mapToLong(call ->
                          TokenEstimate.of(call.tool()) + TokenEstimate.of(call.arguments()))
                      .sum();
          case ToolResults returned ->
              returned.results().stream()
                  .mapToLong(result -> TokenEstimate.of(result.text()))
                  .sum();
        };
  }
}
