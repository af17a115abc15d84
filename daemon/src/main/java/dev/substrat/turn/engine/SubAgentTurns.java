package dev.substrat.turn.engine;

import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.provider.Providers;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.ToolCall;
import dev.substrat.toolset.custom.SubAgentRunner;
import dev.substrat.turn.run.TurnSpending;
import dev.substrat.turn.scheduling.Slots;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/// Runs sub-agents with the providers of agents. A sub-agent has no tools, no inbox and no place in
/// the team, and ends with its answer. Sub-agents have as many slots of their own as turns, and
/// their usage is charged to the caller.
final class SubAgentTurns implements SubAgentRunner {
  private final EngineDependencies dependencies;
  private final Providers providers;
  private final TurnSpending spending;
  private volatile Slots turns = new Slots(Slots.SlotCaps.of(Integer.MAX_VALUE));
  private volatile Slots own = turns.ofSubAgents();

  SubAgentTurns(EngineDependencies dependencies, Providers providers, TurnSpending spending) {
    this.dependencies = dependencies;
    this.providers = providers;
    this.spending = spending;
  }

  /// Sets the slots of sub-agent turns.
  void useSlots(Slots slots) {
    turns = slots;
    own = slots.ofSubAgents();
  }

  @Override
  public AgentConfig prepare(AgentConfig config) {
    return providers.prepare(config);
  }

  /// If every slot is in use, the call becomes pending immediately, so that its caller releases its
  /// own slot.
  @Override
  public String run(SubAgentTask task) {
    ToolCall call = task.call();
    Slots.HeldSlot position = slot(task);
    Slots.QueuePosition place = own.enqueue(position);
    if (!turns.isFree(position) || !place.isGranted()) {
      call.inlineWait().end();
    }
    if (!place.isGranted()) {
      call.interest().during(() -> granted(place));
    }
    try {
      var turn = new SubAgentTurn(task, context(task), budget(task), dependencies.pace());
      return call.interest().during(() -> thought(task, turn));
    } finally {
      place.release();
    }
  }

  private Slots.HeldSlot slot(SubAgentTask task) {
    String team =
        dependencies.database().read(tx -> AgentTree.team(tx, task.call().caller().agent().id()));
    var provider = task.config().provider();
    return new Slots.HeldSlot(team, provider == null ? "scripted" : provider.name());
  }

  private static boolean granted(Slots.QueuePosition place) {
    try {
      place.await();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("it was cancelled while waiting for a slot");
    }
  }

  private String thought(SubAgentTask task, SubAgentTurn turn) {
    var execution = new FutureTask<>(() -> providers.runTurn(turn));
    Thread thread = Thread.ofVirtual().name("sub-agent").start(execution);
    try {
      return said(execution.get(task.timeout().toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      throw ErrorCode.TIMEOUT.fault(
          "the sub-agent took longer than " + task.timeout().toMillis() + " ms",
          "use a smaller task or a longer timeout",
          e);
    } catch (ExecutionException e) {
      throw failed("it failed unexpectedly: " + e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("the turn was interrupted");
    } finally {
      thread.interrupt();
    }
  }

  private SubAgentBudget budget(SubAgentTask task) {
    return new SubAgentBudget(dependencies.database(), dependencies.clock(), spending, task.call());
  }

  /// From the events of the caller's turn, because not every provider has a prompt.
  private String context(SubAgentTask task) {
    return task.includeContext()
        ? dependencies
            .database()
            .<String>read(tx ->
                RunInputEvents.of(tx, task.call().caller().run()).stream()
                    .map(given -> given.payload())
                    .map(event -> event.path("from").asText() + ": " + event.path("text").asText())
                    .collect(Collectors.joining("\n")))
        : "";
  }

  private static String said(TurnOutcome outcome) {
    return switch (outcome) {
      case TurnOutcome.TurnFinished finished -> finished.text();
      case TurnOutcome.TurnFailed failed -> throw failed(failed.reason());
      case TurnOutcome.TurnPostponed later -> throw failed(later.reason());
      case TurnOutcome.UnrecoverableFailure hopeless -> throw failed(hopeless.reason());
      case TurnOutcome.LimitReached refused -> throw refused.reason();
      case TurnOutcome.TurnInterrupted _ -> throw failed("the daemon is stopping");
    };
  }

  private static Fault failed(String reason) {
    return ErrorCode.UPSTREAM_ERROR.fault(
        "the sub-agent failed: " + reason, "continue without the result");
  }
}
