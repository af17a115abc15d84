package dev.substrat.memory.embedding;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// A model that knows three things and what people call them. It may be held up, and it counts what
/// it reads.
final class ConceptModel implements TextEncoder {
  private static final List<Set<String>> CONCEPTS =
      List.of(
          Set.of("pump", "bilge"), Set.of("coffee", "espresso"), Set.of("birthday", "celebration"));

  final AtomicInteger read = new AtomicInteger();
  private final CountDownLatch release;

  private ConceptModel(CountDownLatch release) {
    this.release = release;
  }

  static ConceptModel quick() {
    return new ConceptModel(new CountDownLatch(0));
  }

  /// Reads nothing that is stored before `release`; questions are never held up.
  static ConceptModel heldUpUntil(CountDownLatch release) {
    return new ConceptModel(release);
  }

  @Override
  public Embedding encode(String text) {
    if (text.contains("unreadable")) {
      throw new IllegalStateException("a text that no model can read");
    }
    if (Thread.currentThread().getName().startsWith("embedder")) {
      read.incrementAndGet();
      await();
    }
    // A little of something else, so that no text is nowhere.
    var direction = new float[] {0, 0, 0, 0.1f};
    for (String word : text.toLowerCase(Locale.ROOT).split("\\W+")) {
      for (int i = 0; i < CONCEPTS.size(); i++) {
        direction[i] += CONCEPTS.get(i).contains(word) ? 1 : 0;
      }
    }
    return Embedding.of(direction);
  }

  private void await() {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {}
}
