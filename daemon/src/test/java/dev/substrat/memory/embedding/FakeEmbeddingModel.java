package dev.substrat.memory.embedding;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// Fake embedding model with three concepts and their synonyms. It can be blocked, and it counts
/// its inputs.
final class FakeEmbeddingModel implements TextEncoder {
  private static final List<Set<String>> CONCEPTS =
      List.of(
          Set.of("pump", "bilge"), Set.of("coffee", "espresso"), Set.of("birthday", "celebration"));

  final AtomicInteger read = new AtomicInteger();
  private final CountDownLatch release;

  private FakeEmbeddingModel(CountDownLatch release) {
    this.release = release;
  }

  static FakeEmbeddingModel quick() {
    return new FakeEmbeddingModel(new CountDownLatch(0));
  }

  /// Blocks stored passages until `release`; queries are never blocked.
  static FakeEmbeddingModel heldUpUntil(CountDownLatch release) {
    return new FakeEmbeddingModel(release);
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
