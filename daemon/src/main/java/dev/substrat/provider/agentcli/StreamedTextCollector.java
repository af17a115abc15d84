package dev.substrat.provider.agentcli;

import dev.substrat.provider.ProviderEvent;
import java.util.ArrayList;
import java.util.List;

/// Collects a text that arrives in pieces; it is complete when another kind of output arrives.
public final class StreamedTextCollector {
  private final StringBuilder text = new StringBuilder();

  public ProviderEvent piece(String piece) {
    text.append(piece);
    return new ProviderEvent.TextDelta(piece);
  }

  /// The text since the last event of another kind.
  public String text() {
    return text.toString();
  }

  /// The same as an event, if there is a text; then a new text starts.
  public List<ProviderEvent> end() {
    var events = new ArrayList<ProviderEvent>();
    if (!text.isEmpty()) {
      events.add(new ProviderEvent.CompleteText(text.toString()));
      text.setLength(0);
    }
    return events;
  }
}
