package dev.substrat.turn;

import java.time.Duration;

/// How time passes for an agent that wants to wait: really, or on a clock that is moved by hand.
@FunctionalInterface
public interface TurnPause {
  TurnPause REAL = Thread::sleep;

  void pause(Duration time) throws InterruptedException;
}
