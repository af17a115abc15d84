package dev.substrat.workspace;

import dev.substrat.fault.Fault;
import dev.substrat.gateway.Answers;
import dev.substrat.id.AgentId;
import dev.substrat.inbox.RunInput;
import dev.substrat.json.Json;
import dev.substrat.log.Log;
import dev.substrat.pending.PendingCall;
import dev.substrat.pending.PendingCalls;
import dev.substrat.process.ChildProcess;
import dev.substrat.process.ChildProcess.Launch;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.sandbox.Walls;
import dev.substrat.sandbox.Walls.Strength;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.tool.Call;
import dev.substrat.tool.ToolReply;
import dev.substrat.workspace.CommandTool.Ran;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Commands that agents run in their workspaces. No call waits for one longer than a few seconds:
/// then it becomes a pending call, and its result comes through the inbox.
///
/// They run behind walls or not at all. Those that are at work when the daemon dies die with it;
/// their calls expire.
public final class Commands implements AutoCloseable {
  private static final Log LOG = Log.of(Commands.class);
  private static final Duration SOON = Duration.ofSeconds(4);
  private static final int DEFAULT_SECONDS = 120;
  private static final int MOST_SECONDS = 600;
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final int MOST_PER_AGENT = 4;

  private final Workspaces workspaces;
  private final Database database;
  private final PendingCalls calls;
  private final Answers answers;
  private final Set<RunningCommand> running = ConcurrentHashMap.newKeySet();

  public Commands(Workspaces workspaces, Database database, PendingCalls calls, Answers answers) {
    this.workspaces = workspaces;
    this.database = database;
    this.calls = calls;
    this.answers = answers;
  }

  ToolReply run(Call call, CommandTool.Run wanted) {
    Agent agent = call.caller().agent();
    Duration limit = limit(agent, wanted.timeoutSeconds());
    RunningCommand command = start(agent, wanted.command(), limit);
    try {
      Optional<Ran> ran = command.await(SOON);
      return ran.isPresent()
          ? ToolReply.Done.with(ran.get())
          : new ToolReply.Pending(later(call, wanted, command, limit));
    } catch (InterruptedException e) {
      command.close();
      Thread.currentThread().interrupt();
      throw new Fault(
          ErrorCode.STOPPING, "the turn was interrupted", "the command was stopped with it", e);
    }
  }

  /// A turn that may take only so long has no commands that take longer.
  private static Duration limit(Agent agent, @Nullable Integer wanted) {
    int seconds = Math.min(wanted == null ? DEFAULT_SECONDS : wanted, MOST_SECONDS);
    Integer turn = agent.config().limitsOrDefault().maxTurnSeconds();
    return Duration.ofSeconds(turn == null ? seconds : Math.min(seconds, turn));
  }

  private RunningCommand start(Agent agent, String command, Duration limit) {
    Walls walls = workspaces.commandWalls(agent);
    if (walls.strength() == Strength.OFF) {
      throw new Fault(
          ErrorCode.SANDBOX_UNAVAILABLE,
          "commands run behind walls only, and your workspace has none",
          "ask a person to set workspace.sandbox to auto");
    }
    var launch =
        new Launch(
            List.of("/bin/sh", "-c", "exec 2>&1\n" + command),
            workspaces.directory(agent),
            Map.of(),
            UnaryOperator.identity());
    Launch walled = workspaces.sandbox().launch(launch, walls.as(Strength.REQUIRED));
    synchronized (running) {
      requireRoom(agent.id());
      try {
        var started = new RunningCommand(agent.id(), ChildProcess.start(walled), limit);
        running.add(started);
        started.whenOver(_ -> running.remove(started));
        return started;
      } catch (IOException e) {
        throw new Fault(
            ErrorCode.SANDBOX_UNAVAILABLE,
            "the command cannot be started: " + e.getMessage(),
            "go on without it",
            e);
      }
    }
  }

  private void requireRoom(AgentId agent) {
    if (running.stream().filter(one -> one.isOf(agent)).count() >= MOST_PER_AGENT) {
      throw new Fault(
          ErrorCode.LIMIT_REACHED,
          MOST_PER_AGENT + " of your commands are at work already",
          "their results come as events; try again then");
    }
  }

  private PendingCall later(
      Call call, CommandTool.Run wanted, RunningCommand command, Duration limit) {
    PendingCall kept = database.transact(tx -> calls.open(tx, opening(tx, call, wanted, limit)));
    command.goOnWhile(() -> isWanted(call, kept));
    command.whenOver(ran -> bring(kept, ran));
    return kept;
  }

  private static PendingCalls.Opening opening(
      Tx tx, Call call, CommandTool.Run wanted, Duration limit) {
    var chain = RunInput.chain(tx, call.caller());
    return new PendingCalls.Opening(
        call.caller().agent().id().value(),
        call.caller().run().value(),
        CommandTool.NAME,
        Json.object().put("command", wanted.command()),
        Json.object(),
        limit.plus(GRACE),
        Json.object(),
        new PendingCall.Chain(chain.depth(), chain.cause() == null ? null : chain.cause().value()),
        new PendingCall.Origin(call.id(), List.of()));
  }

  /// Not if its agent has ended, or somebody has cancelled the turn it was started in.
  private boolean isWanted(Call call, PendingCall kept) {
    return database.read(tx ->
        PendingCalls.find(tx, kept.id()).filter(one -> !one.status().isOver()).isPresent()
            && tx.find(
                    "select 1 from run where id = ? and status = 'cancelled'",
                    _ -> true,
                    call.caller().run().value())
                .isEmpty());
  }

  private void bring(PendingCall kept, Ran ran) {
    try {
      answers.finish(kept.id(), Json.tree(ran));
    } catch (Fault over) {
      LOG.debug("a command's call was over", "call", kept.id(), "reason", over.message());
    }
  }

  /// Stops all that is at work.
  @Override
  public void close() {
    running.forEach(RunningCommand::close);
  }
}
