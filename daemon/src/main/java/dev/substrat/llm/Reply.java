package dev.substrat.llm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a model answered. Tokens are 0 if it does not say how many it used. One that was cut would
/// have said more than it was allowed to.
record Reply(
    String text,
    String thinking,
    List<Entry.Call> calls,
    long inputTokens,
    long outputTokens,
    @Nullable JsonNode asWritten,
    boolean isCut) {

  Reply {
    calls = List.copyOf(calls);
  }

  Entry.Said said() {
    return new Entry.Said(text, calls, asWritten);
  }
}
