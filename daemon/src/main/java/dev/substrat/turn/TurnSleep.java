package dev.substrat.turn;

import java.time.Duration;

/// Sleep of an agent: in real time, or on a clock that a test moves.
@FunctionalInterface
public interface TurnSleep {
  TurnSleep REAL = Thread::sleep;

  void pause(Duration time) throws InterruptedException;
}
