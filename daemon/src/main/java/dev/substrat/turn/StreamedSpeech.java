package dev.substrat.turn;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Batches streamed output of a provider into events: at most four per second, and fewer the longer
/// the text is.
///
/// The offset of a piece is its position in the step's text; offset 0 starts anew. Guarded by the
/// lock of the turn.
final class StreamedSpeech {
  private static final Duration BETWEEN = Duration.ofMillis(250);

  /// So many pieces at full speed; then pauses grow, because events are kept.
  private static final int QUICK = 40;

  private final InstantSource clock;
  private final Listener ear;
  private final StringBuilder untold = new StringBuilder();
  private int step;
  private int from;
  private int pieces;
  private @Nullable Instant told;

  /// Receiver of the pieces.
  @FunctionalInterface
  interface Listener {
    void hear(int step, int from, String text);
  }

  StreamedSpeech(InstantSource clock, Listener ear) {
    this.clock = clock;
    this.ear = ear;
  }

  void append(int inStep, String text) {
    if (inStep != step) {
      restart();
      step = inStep;
    }
    untold.append(text);
    Instant now = clock.instant();
    if (told == null || !Duration.between(told, now).minus(pause()).isNegative()) {
      told = now;
      flush();
    }
  }

  private Duration pause() {
    return BETWEEN.multipliedBy(1 + pieces / QUICK);
  }

  /// Publishes the rest.
  void flush() {
    if (!untold.isEmpty()) {
      String text = untold.toString();
      untold.setLength(0);
      ear.hear(step, from, text);
      from += text.length();
      pieces++;
    }
  }

  /// What comes next stands at the beginning.
  void restart() {
    untold.setLength(0);
    from = 0;
  }
}
