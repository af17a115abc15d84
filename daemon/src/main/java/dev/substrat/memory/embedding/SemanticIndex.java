package dev.substrat.memory.embedding;

import dev.substrat.platform.log.Log;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Embedding model, loaded on first use, and its state. Without a model, search uses keywords only.
///
/// Safe for many threads: the thread that loads the model holds this object's lock; reading the
/// state takes no lock.
public final class SemanticIndex implements AutoCloseable {
  private static final Log LOG = Log.of(SemanticIndex.class);

  /// A search does not wait longer for the meaning of a query; then it uses keywords only.
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /// A longer query adds no meaning.
  private static final int MAX_LENGTH = 2_000;

  private final String model;
  private final Supplier<TextEncoder> loader;
  private final ExecutorService questions =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("meaning-", 0).factory());
  private volatile ModelState state;

  /// State of the model.
  public sealed interface ModelState {

    /// Switched off by configuration.
    record ModelDisabled() implements ModelState {}

    /// Not used yet.
    record ModelNotLoaded() implements ModelState {}

    /// Loaded.
    record ModelReady(TextEncoder encoder, Duration loading) implements ModelState {}

    /// The model does not work on this machine, with the reason.
    record ModelUnavailable(String reason) implements ModelState {}
  }

  private SemanticIndex(String model, Supplier<TextEncoder> loader, ModelState state) {
    this.model = model;
    this.loader = loader;
    this.state = state;
  }

  /// With the bundled model.
  public static SemanticIndex offline() {
    // A method reference would load the class, and some of the native library's, at the start.
    return of(MiniLmModel.NAME, () -> MiniLmModel.load());
  }

  /// With another model; `name` is stored with every vector.
  public static SemanticIndex of(String name, Supplier<TextEncoder> loader) {
    return new SemanticIndex(name, loader, new ModelState.ModelNotLoaded());
  }

  public static SemanticIndex off() {
    Supplier<TextEncoder> nothing =
        () -> {
          throw new IllegalStateException("semantic search is switched off");
        };
    return new SemanticIndex("none", nothing, new ModelState.ModelDisabled());
  }

  public String model() {
    return model;
  }

  public ModelState state() {
    return state;
  }

  /// False once it is known that the model will never be available.
  boolean isPossible() {
    return switch (state) {
      case ModelState.ModelDisabled _, ModelState.ModelUnavailable _ -> false;
      case ModelState.ModelNotLoaded _, ModelState.ModelReady _ -> true;
    };
  }

  /// The encoder, loaded if necessary; empty if there is none. May take a second.
  public synchronized Optional<TextEncoder> encoder() {
    if (state instanceof ModelState.ModelNotLoaded) {
      state = load();
    }
    return state instanceof ModelState.ModelReady ready
        ? Optional.of(ready.encoder())
        : Optional.empty();
  }

  private ModelState load() {
    long start = System.nanoTime();
    try {
      TextEncoder encoder = loader.get();
      var loading = Duration.ofNanos(System.nanoTime() - start);
      LOG.info("semantic search is ready", "model", model, "millis", loading.toMillis());
      return new ModelState.ModelReady(encoder, loading);
    } catch (RuntimeException | LinkageError e) {
      // If the native library does not work on this machine, keyword search is still available.
      LOG.warn("semantic search is not available; search uses only words", "reason", e);
      return new ModelState.ModelUnavailable(String.valueOf(e.getMessage()));
    }
  }

  /// Vector of a question; empty if the model is off, cannot read it, or takes too long. Waits on
  /// another thread, because the model would pin the carrier of a virtual one.
  public Optional<Embedding> encodeQuery(String question) {
    if (!isPossible()) {
      return Optional.empty();
    }
    String asked = question.length() <= MAX_LENGTH ? question : question.substring(0, MAX_LENGTH);
    Future<Optional<Embedding>> answer;
    try {
      answer =
          questions.submit(() ->
              encoder()
                  .filter(encoder -> encoder.isReadable(asked))
                  .map(encoder -> encoder.encode(asked)));
    } catch (RejectedExecutionException _) {
      return Optional.empty();
    }
    try {
      return answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      // No caller waits for it any more, so it must not delay the next ones.
      answer.cancel(false);
      return Optional.empty();
    } catch (ExecutionException e) {
      LOG.error("the embedding model failed for a query", e);
      return Optional.empty();
    } catch (InterruptedException _) {
      answer.cancel(false);
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /// The encoding threads have stopped before.
  @Override
  public void close() {
    questions.close();
    synchronized (this) {
      if (state instanceof ModelState.ModelReady ready) {
        ready.encoder().close();
      }
      state = new ModelState.ModelDisabled();
    }
  }
}
