package dev.substrat.tool.execution;

import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.pending.CallLeases;
import dev.substrat.tool.pending.CallLeases.ExpiredLease;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/// Executes calls that leave the daemon, each on its own thread, so that no caller waits longer
/// than the inline time of the tool. After that time it becomes a pending call: the work continues,
/// and its result is delivered through the inbox.
///
/// The rows of pending calls are authoritative; only the threads are kept here. A call whose daemon
/// died is found by its row and executed again, or reported as interrupted.
///
/// Safe for many threads.
public final class BackgroundCalls implements AutoCloseable {
  private static final Log LOG = Log.of(BackgroundCalls.class);

  /// How long a stopping daemon waits for calls to end by themselves, and then for cancelled ones.
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  private final Database database;
  private final PendingResults results;
  private final CallRecovery recovery;
  private final Set<BackgroundCall> running = ConcurrentHashMap.newKeySet();
  private final Map<String, BackgroundCall> pending = new ConcurrentHashMap<>();

  /// Calls that a service rejected after they became pending, and whose rejection could not be
  /// delivered yet. The daemon does not execute them, so they are not `pending`.
  private final Set<BackgroundCall> undelivered = ConcurrentHashMap.newKeySet();

  private volatile CallLeases.LeaseHolder daemon =
      new CallLeases.LeaseHolder(UUID.randomUUID().toString(), DaemonSettings.DEFAULT_LEASE);
  private volatile boolean isClosed;

  /// Time of the next renewal of leases. Belongs to the sweeping thread.
  private volatile long nextRenewal = System.nanoTime();

  public BackgroundCalls(Database database, PendingResults results, CallRecovery recovery) {
    this.database = database;
    this.results = results;
    this.recovery = recovery;
  }

  /// Starts to execute calls as `owner`, including calls that `owner` left behind.
  public void start(String owner, Duration lease) {
    daemon = new CallLeases.LeaseHolder(owner, lease);
  }

  InlineOutcome attempt(Tool tool, CallRecord.RecordableCall made) {
    InlinePolicy deferral = tool.deferral();
    if (deferral == null) {
      return new InlineOutcome.CallFinished(CallAttempt.reply(tool, made));
    }
    BackgroundCall call;
    try {
      call = begin(tool, deferral, made);
    } catch (Fault refused) {
      return new InlineOutcome.CallFinished(ToolResult.Failed.because(refused));
    }
    try {
      Optional<ToolResult> reply = call.await(deferral.inline(made.call().caller()));
      if (reply.isEmpty() && deferral.isHandedOver()) {
        call.awaitHandOver();
        reply = call.handedOver() == null ? Optional.of(call.reply()) : reply;
      }
      return reply.isPresent()
          ? new InlineOutcome.CallFinished(answered(call, reply.get()))
          : new InlineOutcome.CallStillRunning(call);
    } catch (InterruptedException e) {
      call.abort();
      if (deferral.isHandedOver()) {
        call.awaitHandOver();
      }
      Thread.currentThread().interrupt();
      var interrupted =
          ErrorCode.STOPPING.fault(
              "the turn was interrupted, and the call was cancelled",
              "check whether the call was carried out before you repeat it");
      return new InlineOutcome.CallFinished(answered(call, ToolResult.Failed.because(interrupted)));
    }
  }

  /// A service that did not accept the call will not answer it, unless it has done so already or a
  /// retried turn has handed the call over again.
  private ToolResult answered(BackgroundCall call, ToolResult reply) {
    PendingCall kept = call.handedOver();
    if (kept == null || !(reply instanceof ToolResult.Failed)) {
      return reply;
    }
    boolean isCancelled = database.<Boolean>transact(tx -> cancelHandOver(tx, call.made(), kept));
    return isCancelled ? reply : new ToolResult.Pending(kept);
  }

  private boolean cancelHandOver(Tx tx, CallRecord.RecordableCall made, PendingCall kept) {
    boolean isOwn =
        PendingCalls.hold(tx, kept.id()).isPresent()
            && made.call().id().equals(PendingCalls.origin(tx, kept.id()).callId());
    boolean isCancelled =
        isOwn && results.cancel(tx, kept, "the call could not be continued in the background");
    if (isCancelled) {
      RepeatedCalls.forget(tx, made.call(), RepeatedCalls.HAND_OVER + made.tool());
    }
    return isCancelled;
  }

  private BackgroundCall begin(Tool tool, InlinePolicy deferral, CallRecord.RecordableCall made) {
    var call = new BackgroundCall(made, 1);
    synchronized (running) {
      requireRoom(call.agent(), made.tool(), deferral.atOnce());
      running.add(call);
    }
    execute(call, work -> CallAttempt.reply(tool, work));
    return call;
  }

  private void requireRoom(AgentId agent, String tool, int atOnce) {
    if (isClosed) {
      throw ErrorCode.STOPPING.fault("the daemon is stopping", "try again later");
    }
    List<BackgroundCall> own = running.stream().filter(call -> call.agent().equals(agent)).toList();
    long ofTool = own.stream().filter(call -> call.made().tool().equals(tool)).count();
    if (ofTool >= atOnce || own.size() >= InlinePolicy.AT_ONCE) {
      throw ErrorCode.LIMIT_REACHED.fault(
          ofTool >= atOnce
              ? "%d of your calls of %s are still running".formatted(ofTool, tool)
              : own.size() + " of your tool calls are still running",
          "their results arrive as events in your inbox; try again after a result arrived");
    }
  }

  private void execute(BackgroundCall call, Function<CallRecord.RecordableCall, ToolResult> work) {
    Runnable task =
        () -> {
          try {
            call.execute(work);
          } finally {
            running.remove(call);
          }
        };
    Thread.ofVirtual().name("call of " + call.made().tool()).start(Context.current().wrap(task));
  }

  /// Runs `transaction`, in which [#open] makes `call` a pending call. If it fails, so does the
  /// call.
  <T> T deferring(BackgroundCall call, Supplier<T> transaction) {
    T outcome;
    try {
      outcome = transaction.get();
    } catch (RuntimeException e) {
      call.abort();
      forget(call);
      throw e;
    }
    call.becomePending();
    call.whenDone(() -> deliver(call));
    return outcome;
  }

  /// Opens the pending call for `call`. It is registered before the commit, so that no sweep treats
  /// it as abandoned.
  PendingCall open(Tx tx, Tool tool, BackgroundCall call) {
    PendingCall handedOver = call.handedOver();
    if (handedOver != null) {
      return handedOver;
    }
    // A transaction may be tried again.
    forget(call);
    CallRecord.RecordableCall made = call.made();
    PendingCall opened = results.open(tx, made.call(), made.tool(), made.meant());
    InlinePolicy deferral = tool.deferral();
    boolean isRepeatable = deferral != null && deferral.isRepeatable();
    CallLeases.begin(tx, opened.id(), daemon, isRepeatable, made.call().idempotencyKey());
    pending.put(opened.id(), call);
    call.executes(opened);
    return opened;
  }

  private void forget(BackgroundCall call) {
    pending.remove(call.id(), call);
  }

  /// If the database is away, the next sweep tries it again.
  private void deliver(BackgroundCall call) {
    if (call.isAborted()) {
      return;
    }
    String id = call.id();
    try {
      database.transact(tx -> results.deliver(tx, id, call.attempt(), call.outcome()));
      forget(call);
      undelivered.remove(call);
    } catch (RuntimeException e) {
      if (call.handedOver() != null) {
        undelivered.add(call);
      }
      LOG.warn(
          "the result of a pending call could not be delivered",
          "call",
          id,
          "tool",
          call.made().tool(),
          "reason",
          String.valueOf(e.getMessage()));
    }
  }

  /// Cancels work whose call has ended, takes over calls of dead daemons, and renews the leases of
  /// its own calls. Returns how many calls it ended or took over.
  public int sweep() {
    int done = 0;
    undelivered.forEach(this::deliver);
    List<BackgroundCall> own = pending.values().stream().filter(BackgroundCall::isPending).toList();
    if (!own.isEmpty()) {
      done += cancelUnwanted(own);
      own.stream().filter(BackgroundCall::isDone).forEach(this::deliver);
      renew();
    }
    return isClosed ? done : done + recover();
  }

  private int cancelUnwanted(List<BackgroundCall> own) {
    List<String> ids = own.stream().map(BackgroundCall::id).toList();
    List<PendingCall> cancelled = database.read(tx -> CallLeases.ofCancelledRuns(tx, ids));
    if (!cancelled.isEmpty()) {
      database.transact(tx -> {
        cancelled.forEach(call -> results.cancel(tx, call, "its run was cancelled"));
        return true;
      });
    }
    Map<String, Integer> open = database.read(tx -> CallLeases.open(tx, ids));
    List<BackgroundCall> unwanted =
        own.stream().filter(call -> !Objects.equals(open.get(call.id()), call.attempt())).toList();
    unwanted.forEach(call -> {
      call.abort();
      forget(call);
    });
    return unwanted.size();
  }

  private void renew() {
    long now = System.nanoTime();
    if (now - nextRenewal >= 0) {
      database.transact(tx -> {
        CallLeases.renew(tx, daemon);
        return true;
      });
      nextRenewal = now + daemon.term().dividedBy(3).toNanos();
    }
  }

  /// The rows are read first, so that calls started in between are known here.
  private int recover() {
    List<ExpiredLease> found = database.read(tx -> CallLeases.findUnattended(tx, daemon));
    return (int)
        found.stream()
            .filter(left -> !pending.containsKey(left.call().id()))
            .filter(this::recover)
            .count();
  }

  private boolean recover(ExpiredLease left) {
    BackgroundCall again = recovery.repetition(left);
    if (again == null) {
      return recovery.reportInterrupted(left, daemon);
    }
    pending.put(again.id(), again);
    if (!recovery.takeOver(left, daemon)) {
      forget(again);
      return false;
    }
    running.add(again);
    again.becomePending();
    again.whenDone(() -> deliver(again));
    execute(again, made -> recovery.repeat(made, left.call().sight().space()));
    return true;
  }

  /// Waits briefly for running calls, then cancels them. Pending calls are left to the next start,
  /// or to another daemon.
  @Override
  public void close() {
    isClosed = true;
    awaitEnd();
    Set<BackgroundCall> left = new HashSet<>(running);
    left.forEach(BackgroundCall::abort);
    awaitEnd();
  }

  private void awaitEnd() {
    long end = System.nanoTime() + FAREWELL.toNanos();
    try {
      while (!running.isEmpty() && System.nanoTime() - end < 0) {
        Thread.sleep(20);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
