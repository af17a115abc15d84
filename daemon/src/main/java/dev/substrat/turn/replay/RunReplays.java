package dev.substrat.turn.replay;

import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.provider.Providers;
import dev.substrat.provider.ReplayMismatch;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.ProviderConfig;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.transcript.RunAccess;
import dev.substrat.turn.scheduling.Slots;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Replays recorded turns and compares the provider's actions with the record.
///
/// A replay holds a slot and has the time limit of a turn. It is read-only. Safe for many threads.
public final class RunReplays implements AutoCloseable {
  /// The caller waits, so a busy daemon answers soon.
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static final Log LOG = Log.of(RunReplays.class);
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  private final Database database;
  private final Providers providers;
  private final ToolPipeline pipeline;
  private final Slots slots;
  private final Duration timeout;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  public RunReplays(Database database, Providers providers, ToolPipeline toolbox, Slots slots) {
    this(database, providers, toolbox, slots, TIMEOUT);
  }

  /// `patience` is how long a replay waits for a slot.
  RunReplays(
      Database database, Providers providers, ToolPipeline toolbox, Slots slots, Duration timeout) {
    this.database = database;
    this.providers = providers;
    this.pipeline = toolbox;
    this.slots = slots;
    this.timeout = timeout;
  }

  /// Result of a replay: equal, or the first difference. `complete`: the record includes the end of
  /// the turn; if the turn was ended from outside (`stopReason`), only the recorded part is
  /// compared.
  public record ReplayReport(
      String run,
      String agent,
      boolean equal,
      boolean complete,
      int steps,
      int calls,
      @Nullable String stopReason,
      @Nullable Divergence divergence) {}

  public ReplayReport replay(Principal who, String run, ProviderOverride override) {
    RunAccess.requireChanging(who);
    RunRecord record = database.read(tx -> RunRecord.require(tx, run));
    Agent agent = record.agent().with(override.in(record.agent().config(), providers));
    var turn = new ReplayedTurn(record, agent, pipeline.listedNow(agent));
    try {
      Slots.QueuePosition slot = slots.enqueue(slot(agent));
      if (!slot.await(timeout)) {
        throw ErrorCode.LIMIT_REACHED.fault(
            "all slots are busy", "try again when fewer agents are busy");
      }
      Duration limit = agent.config().limitsOrDefault().turn();
      return turn.report(outcome(start(turn, slot), limit));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw stopping(e);
    }
  }

  private Future<TurnOutcome> start(ReplayedTurn turn, Slots.QueuePosition slot) {
    try {
      return threads.submit(() -> {
        try {
          return providers.runTurn(turn);
        } catch (ReplayMismatch e) {
          // The difference noted by the turn is more specific.
          return new TurnOutcome.TurnFailed(String.valueOf(e.getMessage()));
        } finally {
          slot.release();
        }
      });
    } catch (RejectedExecutionException e) {
      slot.release();
      throw stopping(e);
    }
  }

  /// Replays share the slots as if they were a team of their own.
  private static Slots.HeldSlot slot(Agent agent) {
    ProviderConfig settings = agent.config().provider();
    return new Slots.HeldSlot("replay", settings == null ? "" : settings.name());
  }

  private static TurnOutcome outcome(Future<TurnOutcome> thinking, Duration limit)
      throws InterruptedException {
    try {
      return thinking.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return new TurnOutcome.TurnInterrupted();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof InterruptedException
          ? stopping(e)
          : new IllegalStateException(e);
    } finally {
      thinking.cancel(true);
    }
  }

  private static Fault stopping(Exception cause) {
    return ErrorCode.STOPPING.fault(
        "the daemon is stopping", "try again when the daemon is running", cause);
  }

  /// A provider that ignores the interrupt ends with the process; its result is discarded.
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("a replayed turn does not stop");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
