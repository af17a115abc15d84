package dev.substrat.llm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a model answered, whole. Tokens are 0 if it does not say how many it used.
record Reply(
    String text,
    String thinking,
    List<Entry.Call> calls,
    long inputTokens,
    long outputTokens,
    @Nullable JsonNode asWritten) {

  Reply {
    calls = List.copyOf(calls);
  }

  Entry.Said said() {
    return new Entry.Said(text, calls, asWritten);
  }
}
