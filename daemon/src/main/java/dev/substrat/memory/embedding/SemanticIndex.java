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

  /// A question is answered without its meaning rather than late; the next one has it.
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /// A longer query adds no meaning.
  private static final int LONGEST = 2_000;

  private final String model;
  private final Supplier<TextEncoder> loader;
  private final ExecutorService questions =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("meaning-", 0).factory());
  private volatile State state;

  /// How far it has come.
  public sealed interface State {

    /// Switched off by configuration.
    record Off() implements State {}

    /// Nothing has asked for it yet.
    record NotLoaded() implements State {}

    /// It works.
    record Ready(TextEncoder encoder, Duration loading) implements State {}

    /// This machine cannot, and why.
    record Missing(String reason) implements State {}
  }

  private SemanticIndex(String model, Supplier<TextEncoder> loader, State state) {
    this.model = model;
    this.loader = loader;
    this.state = state;
  }

  /// With the model that comes with us.
  public static SemanticIndex offline() {
    // A method reference would load the class, and some of the native library's, at the start.
    return of(MiniLmModel.NAME, () -> MiniLmModel.load());
  }

  /// With a model of the caller's own; `name` stands beside every vector it makes.
  public static SemanticIndex of(String name, Supplier<TextEncoder> loader) {
    return new SemanticIndex(name, loader, new State.NotLoaded());
  }

  public static SemanticIndex off() {
    Supplier<TextEncoder> nothing =
        () -> {
          throw new IllegalStateException("semantic search is switched off");
        };
    return new SemanticIndex("none", nothing, new State.Off());
  }

  public String model() {
    return model;
  }

  public State state() {
    return state;
  }

  /// False once it is known that nothing will ever be compared.
  boolean isPossible() {
    return switch (state) {
      case State.Off _, State.Missing _ -> false;
      case State.NotLoaded _, State.Ready _ -> true;
    };
  }

  /// What encodes, loaded if it is not yet; empty if there is none. May take a second.
  public synchronized Optional<TextEncoder> encoder() {
    if (state instanceof State.NotLoaded) {
      state = load();
    }
    return state instanceof State.Ready ready ? Optional.of(ready.encoder()) : Optional.empty();
  }

  private State load() {
    long start = System.nanoTime();
    try {
      TextEncoder encoder = loader.get();
      var loading = Duration.ofNanos(System.nanoTime() - start);
      LOG.info("semantic search is ready", "model", model, "millis", loading.toMillis());
      return new State.Ready(encoder, loading);
    } catch (RuntimeException | LinkageError e) {
      // A native library that does not fit this machine is no reason to fail: words still work.
      LOG.warn("semantic search is not available, using keyword search only", "reason", e);
      return new State.Missing(String.valueOf(e.getMessage()));
    }
  }

  /// What a question means; empty if the model is off, cannot read it, or takes too long. Waits on
  /// another thread, because the model would pin the carrier of a virtual one.
  public Optional<Embedding> encodeQuery(String question) {
    if (!isPossible()) {
      return Optional.empty();
    }
    String asked = question.length() <= LONGEST ? question : question.substring(0, LONGEST);
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
      return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
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
      if (state instanceof State.Ready ready) {
        ready.encoder().close();
      }
      state = new State.Off();
    }
  }
}
