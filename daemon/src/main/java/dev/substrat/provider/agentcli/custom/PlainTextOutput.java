package dev.substrat.provider.agentcli.custom;

import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.agentcli.CliOutputParser;
import java.util.ArrayList;
import java.util.List;

/// Output parser of a program that prints its answer as plain text. Whether the text is an answer
/// is decided by the exit code.
final class PlainTextOutput implements CliOutputParser {
  private static final int LONGEST_ANSWER = 1 << 20;

  private final String session;
  private final StringBuilder answer = new StringBuilder();
  private boolean hasBegun;

  PlainTextOutput(String session) {
    this.session = session;
  }

  @Override
  public List<ProviderEvent> parse(String line) {
    var events = new ArrayList<ProviderEvent>();
    if (!hasBegun) {
      hasBegun = true;
      events.add(new ProviderEvent.SessionStarted(session));
    }
    if (answer.length() + line.length() <= LONGEST_ANSWER) {
      answer.append(line).append('\n');
      events.add(new ProviderEvent.TextDelta(line + "\n"));
    }
    return events;
  }

  @Override
  public List<ProviderEvent> end() {
    return List.of(new ProviderEvent.TurnEnded(true, answer.toString().strip()));
  }
}
