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
final class StreamedOutput {
  private static final Duration BETWEEN = Duration.ofMillis(250);

  /// Number of pieces at full speed; then pauses grow, because events are stored.
  private static final int QUICK = 40;

  private final InstantSource clock;
  private final OutputListener listener;
  private final StringBuilder unsent = new StringBuilder();
  private int step;
  private int from;
  private int pieces;
  private @Nullable Instant lastPublished;

  /// Receiver of the pieces.
  @FunctionalInterface
  interface OutputListener {
    void hear(int step, int from, String text);
  }

  StreamedOutput(InstantSource clock, OutputListener listener) {
    this.clock = clock;
    this.listener = listener;
  }

  void append(int inStep, String text) {
    if (inStep != step) {
      restart();
      step = inStep;
    }
    unsent.append(text);
    Instant now = clock.instant();
    if (lastPublished == null
        || !Duration.between(lastPublished, now).minus(pause()).isNegative()) {
      lastPublished = now;
      flush();
    }
  }

  private Duration pause() {
    return BETWEEN.multipliedBy(1 + pieces / QUICK);
  }

  /// Publishes the rest.
  void flush() {
    if (!unsent.isEmpty()) {
      String text = unsent.toString();
      unsent.setLength(0);
      listener.hear(step, from, text);
      from += text.length();
      pieces++;
    }
  }

  /// The next text starts from the beginning.
  void restart() {
    unsent.setLength(0);
    from = 0;
  }
}
