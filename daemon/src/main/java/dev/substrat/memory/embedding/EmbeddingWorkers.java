package dev.substrat.memory.embedding;

import dev.substrat.memory.embedding.EmbeddingBacklog.EmbeddedPassage;
import dev.substrat.memory.embedding.EmbeddingBacklog.PendingPassage;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.Fault;
import dev.substrat.store.event.EventSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Background threads that compute vectors for passages that have none. Until then a passage is
/// found by its words.
///
/// One thread claims passages and records their vectors; the model runs on as many threads as there
/// are processors. Texts are not joined into one run of the model: its quantised arithmetic would
/// make the vector of a text depend on the other texts of the run.
///
/// The backlog is a table, so a restarted daemon continues where the last one stopped.
public final class EmbeddingWorkers implements AutoCloseable {
  private static final Log LOG = Log.of(EmbeddingWorkers.class);

  /// How often work of other daemons is searched that they left behind.
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(10);

  private final EmbeddingBacklog backlog;
  private final SemanticIndex meanings;
  private final EventSignal signal;
  private final String owner;
  private final ExecutorService encoders =
      Executors.newFixedThreadPool(
          Runtime.getRuntime().availableProcessors(),
          Thread.ofPlatform().name("embedder-", 0).daemon().factory());
  private final Thread thread;
  private volatile boolean closing;

  /// Starts the thread.
  EmbeddingWorkers(EmbeddingBacklog backlog, SemanticIndex meanings, String owner) {
    this.backlog = backlog;
    this.meanings = meanings;
    this.signal = backlog.signal();
    this.owner = owner;
    // The model would pin the carrier of a virtual thread.
    this.thread = Thread.ofPlatform().name("embedder").daemon().start(this::work);
  }

  private void work() {
    boolean begun = false;
    while (!closing && meanings.isPossible()) {
      long seen = signal.count();
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
        LOG.warn(
            "cannot compute embeddings of passages, will retry",
            "code",
            e.code(),
            "reason",
            e.message());
      } catch (RuntimeException | ExecutionException e) {
        LOG.error("cannot compute embeddings of passages, will retry", e);
      } catch (InterruptedException _) {
        return;
      }
      try {
        signal.awaitMoreThan(seen, POLL_INTERVAL);
      } catch (InterruptedException _) {
        return;
      }
    }
  }

  /// Whether there was something to do.
  private boolean embedSome() throws InterruptedException, ExecutionException {
    List<PendingPassage> passages = backlog.claim(owner);
    var encoder = passages.isEmpty() ? Optional.<TextEncoder>empty() : meanings.encoder();
    if (encoder.isEmpty()) {
      return false;
    }
    List<Future<EmbeddedPassage>> running =
        passages.stream().map(passage -> submit(encoder.get(), passage)).toList();
    var made = new ArrayList<EmbeddedPassage>();
    for (Future<EmbeddedPassage> one : running) {
      made.add(one.get());
    }
    if (closing) {
      return false;
    }
    backlog.settle(made);
    return true;
  }

  private Future<EmbeddedPassage> submit(TextEncoder encoder, PendingPassage passage) {
    return encoders.submit(() -> made(encoder, passage));
  }

  private EmbeddedPassage made(TextEncoder encoder, PendingPassage passage) {
    if (closing) {
      return new EmbeddedPassage(passage, List.of());
    }
    try {
      return new EmbeddedPassage(passage, encoder.encodeParts(passage.content()));
    } catch (RuntimeException e) {
      // It would fail again; the passage is still found by keywords.
      LOG.error("the embedding model failed for a passage", e, "passage", passage.id());
      return new EmbeddedPassage(passage, List.of());
    }
  }

  @Override
  public void close() {
    closing = true;
    signal.notifyWaiters();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    encoders.close();
  }
}
