package dev.substrat.workspace;

import dev.substrat.id.AgentId;
import dev.substrat.log.Log;
import dev.substrat.process.ChildProcess;
import dev.substrat.process.ChildProcess.Output;
import dev.substrat.workspace.CommandTool.Ran;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// A command at work, until it ends, has had its time, or nobody wants it any more.
///
/// A thread of its own listens to it; whoever waits for it waits for that thread's word.
final class RunningCommand implements AutoCloseable {
  private static final Log LOG = Log.of(RunningCommand.class);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private final AgentId agent;
  private final ChildProcess child;
  private final long end;
  private final CompletableFuture<Ran> result = new CompletableFuture<>();
  private volatile BooleanSupplier isWanted = () -> true;

  RunningCommand(AgentId agent, ChildProcess child, Duration limit) {
    this.agent = agent;
    this.child = child;
    this.end = System.nanoTime() + limit.toNanos();
    child.endInput();
    Thread.ofVirtual().name("command of " + agent).start(this::listen);
  }

  boolean isOf(AgentId other) {
    return agent.equals(other);
  }

  private void listen() {
    var output = new CommandOutput();
    try (child) {
      result.complete(listen(output));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      // Whatever happened, nobody waits for it any more.
      result.complete(Ran.stopped(output, "interrupted"));
    }
  }

  private Ran listen(CommandOutput output) throws InterruptedException {
    long look = System.nanoTime() + BETWEEN_LOOKS.toNanos();
    while (true) {
      long now = System.nanoTime();
      if (now - end >= 0) {
        return Ran.stopped(output, "timed_out");
      }
      // By the clock: one that never stops talking is asked about like any other.
      if (now - look >= 0) {
        if (!isStillWanted()) {
          return Ran.stopped(output, "cancelled");
        }
        look = System.nanoTime() + BETWEEN_LOOKS.toNanos();
      }
      Duration patience = Duration.ofNanos(Math.max(1_000_000, Math.min(end, look) - now));
      switch (child.take(patience).orElse(null)) {
        case null -> {
          // It works.
        }
        case Output.Line line -> output.add(line.text());
        case Output.TooLong _ -> {
          return Ran.stopped(output, "output_too_long");
        }
        case Output.End _ -> {
          OptionalInt code = child.exit(FAREWELL);
          return code.isPresent()
              ? Ran.ended(output, code.getAsInt())
              : Ran.stopped(output, "output_closed");
        }
      }
    }
  }

  /// Whoever cannot be asked has not said no.
  private boolean isStillWanted() {
    try {
      return isWanted.getAsBoolean();
    } catch (RuntimeException e) {
      LOG.warn("nobody can say whether a command is wanted", "agent", agent, "reason", e);
      return true;
    }
  }

  /// What came of it, if that is known soon.
  Optional<Ran> await(Duration patience) throws InterruptedException {
    try {
      return Optional.of(result.get(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /// Goes on only as long as it is wanted; that is asked now and then.
  void goOnWhile(BooleanSupplier wanted) {
    isWanted = wanted;
  }

  void whenOver(Consumer<Ran> listener) {
    var _ = result.thenAccept(listener);
  }

  @Override
  public void close() {
    child.close();
  }
}
