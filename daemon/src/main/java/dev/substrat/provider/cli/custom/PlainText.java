package dev.substrat.provider.cli.custom;

import dev.substrat.provider.MindEvent;
import dev.substrat.provider.cli.Hearing;
import java.util.ArrayList;
import java.util.List;

/// A program that simply prints its answer. What it prints is all there is to know, also if that is
/// nothing: whether it is an answer is decided by its exit code.
final class PlainText implements Hearing {
  private static final int LONGEST_ANSWER = 1 << 20;

  private final String session;
  private final StringBuilder answer = new StringBuilder();
  private boolean hasBegun;

  PlainText(String session) {
    this.session = session;
  }

  @Override
  public List<MindEvent> hear(String line) {
    var events = new ArrayList<MindEvent>();
    if (!hasBegun) {
      hasBegun = true;
      events.add(new MindEvent.SessionStarted(session));
    }
    if (answer.length() + line.length() <= LONGEST_ANSWER) {
      answer.append(line).append('\n');
      events.add(new MindEvent.TextDelta(line + "\n"));
    }
    return events;
  }

  @Override
  public List<MindEvent> end() {
    return List.of(new MindEvent.TurnEnded(true, answer.toString().strip()));
  }
}
