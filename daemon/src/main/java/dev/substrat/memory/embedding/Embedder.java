package dev.substrat.memory.embedding;

import dev.substrat.memory.embedding.EmbeddingBacklog.Made;
import dev.substrat.memory.embedding.EmbeddingBacklog.Waiting;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.Fault;
import dev.substrat.store.event.EventSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Background thread that computes vectors for passages that have none. Until then a passage is
/// found by its words.
///
/// The backlog is a table, so a restarted daemon continues where the last one stopped.
public final class Embedder implements AutoCloseable {
  private static final Log LOG = Log.of(Embedder.class);

  /// In case another daemon has left something behind.
  private static final Duration LOOK_EVERY = Duration.ofSeconds(10);

  private final EmbeddingBacklog backlog;
  private final SemanticIndex meanings;
  private final EventSignal bell;
  private final String owner;
  private final Thread thread;
  private volatile boolean closing;

  /// Begins.
  Embedder(EmbeddingBacklog backlog, SemanticIndex meanings, String owner) {
    this.backlog = backlog;
    this.meanings = meanings;
    this.bell = backlog.signal();
    this.owner = owner;
    // The model would pin the carrier of a virtual thread.
    this.thread = Thread.ofPlatform().name("embedder").daemon().start(this::work);
  }

  private void work() {
    boolean begun = false;
    while (!closing && meanings.isPossible()) {
      long seen = bell.count();
      try {
        if (!begun) {
          backlog.beginAnew();
          begun = true;
        }
        boolean more = true;
        while (more && !closing) {
          more = embedSome();
        }
      } catch (Fault e) {
        LOG.warn("cannot embed passages, will retry", "code", e.code(), "reason", e.message());
      } catch (RuntimeException e) {
        LOG.error("cannot embed passages, will retry", e);
      }
      try {
        bell.awaitMoreThan(seen, LOOK_EVERY);
      } catch (InterruptedException _) {
        return;
      }
    }
  }

  /// Whether there was something to do.
  private boolean embedSome() {
    List<Waiting> passages = backlog.claim(owner);
    var encoder = passages.isEmpty() ? Optional.<TextEncoder>empty() : meanings.encoder();
    if (encoder.isEmpty()) {
      return false;
    }
    var made = new ArrayList<Made>();
    for (Waiting passage : passages) {
      if (closing) {
        return false;
      }
      made.add(made(encoder.get(), passage));
    }
    backlog.settle(made);
    return true;
  }

  private static Made made(TextEncoder encoder, Waiting passage) {
    try {
      return new Made(passage, encoder.encodeParts(passage.content()));
    } catch (RuntimeException e) {
      // It would fail again; the passage is still found by its words.
      LOG.error("the embedding model failed for a passage", e, "passage", passage.id());
      return new Made(passage, List.of());
    }
  }

  @Override
  public void close() {
    closing = true;
    bell.notifyWaiters();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
