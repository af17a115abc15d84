package dev.substrat.provider.agentcli;

import dev.substrat.provider.ProviderEvent;
import java.util.ArrayList;
import java.util.List;

/// Collects a text that arrives in pieces; it is complete when another kind of output arrives.
public final class StreamedReply {
  private final StringBuilder text = new StringBuilder();

  public ProviderEvent piece(String piece) {
    text.append(piece);
    return new ProviderEvent.TextDelta(piece);
  }

  /// What it has said since anything else happened.
  public String text() {
    return text.toString();
  }

  /// The same as something it has said, if it has; what comes now is something new.
  public List<ProviderEvent> end() {
    var events = new ArrayList<ProviderEvent>();
    if (!text.isEmpty()) {
      events.add(new ProviderEvent.Text(text.toString()));
      text.setLength(0);
    }
    return events;
  }
}
