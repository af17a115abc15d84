package dev.substrat.tool.execution;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.pending.PendingCall;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One execution of a call that leaves the daemon, on a thread of its own. Its caller waits for it
/// inline; after that it is a pending call.
///
/// Safe for its threads: the one that executes, the one that waits, and those that cancel.
public final class BackgroundCall implements InlineWait {
  private final CallRecord.RecordableCall made;
  private final int attempt;
  private final CancelSignal interest;
  private final CompletableFuture<ToolResult> result = new CompletableFuture<>();

  /// Completed when the caller need not wait any longer: true if the work is done, false if it will
  /// take long.
  private final CompletableFuture<Boolean> inline = new CompletableFuture<>();

  /// The pending call that the daemon executes, or the one that a service answers.
  private volatile @Nullable PendingCall row;

  private final CompletableFuture<PendingCall> handedOver = new CompletableFuture<>();
  private volatile boolean isPending;
  private volatile boolean isAborted;

  public BackgroundCall(CallRecord.RecordableCall made, int attempt) {
    this.made = made;
    this.attempt = attempt;
    this.interest = CancelSignal.within(made.call().interest());
    var _ = result.whenComplete((_, _) -> inline.complete(true));
  }

  CallRecord.RecordableCall made() {
    return made;
  }

  /// Number of the execution, which fences its result; a call that a service answers is never
  /// executed again.
  int attempt() {
    return handedOver() == null ? attempt : 0;
  }

  AgentId agent() {
    return made.call().caller().agent().id();
  }

  /// Does the work on the calling thread.
  public void execute(Function<CallRecord.RecordableCall, ToolResult> work) {
    try {
      result.complete(work.apply(made.executedBy(interest, this)));
    } catch (StaleTurn e) {
      result.completeExceptionally(e);
    } catch (RuntimeException e) {
      result.complete(CallAttempt.internalError(made, e));
    } finally {
      // After an error the caller must not wait forever.
      result.completeExceptionally(new IllegalStateException("the call failed unexpectedly"));
    }
  }

  /// The reply, if it is there within `time` and the work did not end the wait before. A wait of no
  /// time finds none.
  public Optional<ToolResult> await(Duration time) throws InterruptedException {
    boolean isDone;
    try {
      isDone = inline.get(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    return time.isZero() || !isDone ? Optional.empty() : Optional.of(reply());
  }

  public boolean isDone() {
    return result.isDone();
  }

  /// The result, once the work is done.
  ToolResult reply() {
    try {
      return result.resultNow();
    } catch (IllegalStateException e) {
      if (result.exceptionNow() instanceof StaleTurn stale) {
        throw stale;
      }
      throw e;
    }
  }

  /// The same for the agent, whose turn may be over.
  ToolResult outcome() {
    try {
      return reply();
    } catch (RuntimeException e) {
      return CallAttempt.internalError(made, e);
    }
  }

  void whenDone(Runnable work) {
    var _ = result.whenComplete((_, _) -> work.run());
  }

  @Override
  public void end() {
    inline.complete(false);
  }

  @Override
  public void keptAs(PendingCall call) {
    handedOver.complete(call);
  }

  /// The pending call that a service answers, if the work has opened one.
  @Nullable PendingCall handedOver() {
    return handedOver.getNow(null);
  }

  /// Returns when the work has opened a pending call, or is done. The row comes first in such work,
  /// so this is soon, and an interrupt does not end it.
  void awaitHandOver() {
    var _ = CompletableFuture.anyOf(handedOver, result).handle((_, _) -> true).join();
  }

  /// Links it to this pending call.
  void executes(PendingCall call) {
    row = call;
  }

  /// The id of the pending call that it is.
  String id() {
    PendingCall kept = handedOver() == null ? row : handedOver();
    return kept == null ? "" : kept.id();
  }

  /// The caller has got the status `pending`.
  void becomePending() {
    isPending = true;
  }

  boolean isPending() {
    return isPending;
  }

  /// Cancels the work; its result is not delivered.
  void abort() {
    isAborted = true;
    interest.lose();
  }

  boolean isAborted() {
    return isAborted;
  }
}
