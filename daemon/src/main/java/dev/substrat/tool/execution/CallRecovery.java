package dev.substrat.tool.execution;

import dev.substrat.access.budget.BudgetLedger;
import dev.substrat.platform.identity.RunId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.CallDisplay;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.pending.CallLeases;
import dev.substrat.tool.pending.CallLeases.ExpiredLease;
import dev.substrat.tool.pending.PendingCall;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Recovers pending calls whose daemon is dead: those that are safe to repeat are executed again
/// with the stored arguments, the others are reported as interrupted.
public final class CallRecovery {
  /// A call that was interrupted this often is not executed again.
  private static final int MAX_ATTEMPTS = 5;

  private final Database database;
  private final PendingResults results;
  private final BiFunction<Agent, String, Tool> tools;
  private final CallDisplay stage;

  /// `tools` finds an agent's tool by its name, or throws a fault.
  public CallRecovery(
      Database database,
      PendingResults results,
      BiFunction<Agent, String, Tool> tools,
      CallDisplay stage) {
    this.database = database;
    this.results = results;
    this.tools = tools;
    this.stage = stage;
  }

  /// The next execution of the call; null if it is not to be executed again.
  @Nullable BackgroundCall repetition(ExpiredLease left) {
    PendingCall row = left.call();
    Optional<Agent> agent = database.read(tx -> AgentTree.find(tx, row.owner()));
    if (!left.isRepeatable() || left.attempt() >= MAX_ATTEMPTS || agent.isEmpty()) {
      return null;
    }
    var run = new RunId(Objects.requireNonNullElse(row.run(), ""));
    String id = Objects.requireNonNullElse(left.callId(), row.id());
    // The turn may have ended, so only the agent must be alive, as for an external agent.
    var call = new ToolCall(ToolCaller.external(agent.get(), run), 0, id, left.key());
    var made = new CallRecord.RecordableCall(call, row.tool(), row.arguments());
    var again = new BackgroundCall(made, left.attempt() + 1);
    again.executes(row);
    return again;
  }

  /// Executes it again; `space` shows it, if there is one. The tool may have changed meanwhile.
  ToolResult repeat(CallRecord.RecordableCall made, @Nullable String space) {
    try {
      Tool tool = tools.apply(made.call().caller().agent(), made.tool());
      InlinePolicy deferral = tool.deferral();
      return deferral != null && deferral.isRepeatable()
          ? CallAttempt.reply(tool, made.heardBy(stage.progress(made.call(), tool, space)))
          : interrupted(made.tool());
    } catch (Fault fault) {
      return ToolResult.Failed.because(fault);
    }
  }

  /// False if the call is over, or another daemon was faster.
  boolean takeOver(ExpiredLease left, CallLeases.LeaseHolder daemon) {
    return database.<Boolean>transact(tx -> takeOver(tx, left, daemon));
  }

  /// Ends the call with a result that says so. False if it has ended, or another daemon was faster.
  boolean reportInterrupted(ExpiredLease left, CallLeases.LeaseHolder daemon) {
    PendingCall row = left.call();
    return database.<Boolean>transact(tx ->
        takeOver(tx, left, daemon)
            && results.deliver(tx, row.id(), left.attempt() + 1, interrupted(row.tool())));
  }

  private static boolean takeOver(Tx tx, ExpiredLease left, CallLeases.LeaseHolder daemon) {
    boolean isTaken = CallLeases.takeOver(tx, left, daemon);
    if (isTaken && left.callId() != null) {
      BudgetLedger.abandonCall(tx, left.callId());
    }
    return isTaken;
  }

  private static ToolResult interrupted(String tool) {
    return interrupted(
        tool,
        "the daemon stopped while it executed %s; the call may or may not have been carried out");
  }

  /// The answer to the repetition of a call of which only the beginning is known. Another daemon
  /// may still execute it.
  static ToolResult unknown(String tool) {
    return interrupted(
        tool,
        "the result of an earlier attempt at this call of %s is unknown: the attempt was"
            + " interrupted, or is still running");
  }

  private static ToolResult interrupted(String tool, String text) {
    return ToolResult.Failed.because(
        ErrorCode.INTERRUPTED.fault(
            text.formatted(tool), "check whether the call was carried out before you repeat it"));
  }
}
