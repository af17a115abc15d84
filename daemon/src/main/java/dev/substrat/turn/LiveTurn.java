package dev.substrat.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.access.credential.Credentials;
import dev.substrat.access.credential.Token;
import dev.substrat.memory.AgentBlocks;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.ProviderConfig;
import dev.substrat.tool.ProgressSink;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.execution.CancelSignal;
import dev.substrat.tool.transcript.AgentHistory;
import dev.substrat.tool.transcript.ModelUsage;
import dev.substrat.tool.transcript.RunSteps;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.toolset.approval.ApprovalRequest;
import dev.substrat.toolset.approval.ProviderApprovals.ApprovalDecision;
import dev.substrat.turn.run.CallKeys;
import dev.substrat.turn.run.TurnLimitCounter;
import dev.substrat.turn.run.TurnTrace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A running turn, as its provider sees it.
public final class LiveTurn implements ProviderTurn {
  private static final Log LOG = Log.of(LiveTurn.class);

  private final Database database;
  private final TurnDependencies parts;
  private final ToolCaller caller;
  private final List<InboxEvent> events;
  private final TurnLimitCounter caps;
  private final @Nullable CallPrefix beginning;
  private final TurnTrace trace;
  private final TurnProgress commentary;
  private final CallKeys keys;
  private final AtomicInteger step = new AtomicInteger();
  private final Duration time;
  private volatile Instant stepBegan;
  private volatile boolean hasReachedTools;
  private @Nullable Prompt prompt;
  private @Nullable Token token;

  /// Data of a new turn: caller, events, time limit, and recorded answers to its first calls, if it
  /// is a fork.
  record LiveTurnParameters(
      ToolCaller caller, List<InboxEvent> events, Duration time, @Nullable CallPrefix beginning) {
    LiveTurnParameters {
      events = List.copyOf(events);
    }
  }

  /// The claim is durable: with the turn its trace begins.
  LiveTurn(Database database, TurnDependencies parts, LiveTurnParameters claim) {
    this.database = database;
    this.parts = parts;
    this.caller = claim.caller();
    this.events = claim.events();
    this.caps = new TurnLimitCounter(caller.agent().config().limitsOrDefault());
    this.time = claim.time();
    this.stepBegan = parts.clock().instant();
    this.beginning = claim.beginning();
    this.trace = new TurnTrace(parts.telemetry(), caller);
    this.commentary = new TurnProgress(database, parts, caller);
    this.keys = new CallKeys(events.getFirst());
  }

  @Override
  public Agent agent() {
    return caller.agent();
  }

  @Override
  public long number() {
    return caller.turn();
  }

  @Override
  public List<InboxEvent> events() {
    return events;
  }

  @Override
  public Optional<ObjectNode> subject() {
    return parts.prompts().subject(caller, events);
  }

  @Override
  public void show(InboxEvent event) {
    keys.restartAt(event);
    Database.TransactionBody<Boolean> record =
        tx -> {
          TurnFence.require(tx, caller);
          parts.delivery().shown(tx, event, caller.turn());
          RunInputEvents.shown(tx, caller.run(), event, parts.clock().instant());
          return true;
        };
    if (database.hasOneWriter()) {
      // Durable before anything that the turn writes later, or with it.
      database.transactDeferred(record, LiveTurn::notShown);
    } else {
      database.transact(record);
    }
  }

  /// The next write of the turn fails for the same reason.
  private static void notShown(Throwable reason) {
    if (!(reason instanceof StaleTurn)) {
      LOG.warn("an event could not be recorded as shown", "reason", reason.getMessage());
    }
  }

  @Override
  public void beginStep(BudgetReservation most) {
    caps.beginStep(most);
    int number = step.incrementAndGet();
    stepBegan = parts.clock().instant();
    parts.spending().openStep(caller, number, most);
    trace.beginStep(number);
  }

  @Override
  public void endStep(@Nullable String model, ModelUsage usage) {
    var span = new RunSteps.StepTimespan(stepBegan, parts.clock().instant());
    database.run(tx -> {
      TurnFence.require(tx, caller);
      RunSteps.used(tx, caller.run(), step.get(), model, usage, span);
      parts.spending().closeStep(tx, caller, step.get(), usage);
    });
    caps.endStep(usage);
    commentary.endStep();
  }

  @Override
  public void withdrawStep() {
    parts.spending().withdrawStep(caller, step.getAndDecrement());
    caps.withdrawStep();
  }

  @Override
  public void pause(Duration time) throws InterruptedException {
    parts.pace().pause(time);
  }

  /// Time limit of the turn: the agent's limit, or the rest of a budget.
  Duration time() {
    return time;
  }

  /// The turn was interrupted.
  TurnOutcome interrupted(String reason) {
    return caps.interrupted(time, reason);
  }

  /// Created on first use.
  @Override
  public synchronized Token credential() {
    Token known = token;
    if (known == null) {
      token =
          known =
              database.<Token>transact(tx -> {
                TurnFence.require(tx, caller);
                var self = new Principal.TurnPrincipal(caller.agent().id(), caller.run());
                return Credentials.mintFor(tx, self, parts.clock().instant());
              });
    }
    return known;
  }

  @Override
  public Token standingCredential() {
    return parts.running().standingKeys().issue(caller.agent().id(), caller.run());
  }

  public ToolCaller caller() {
    return caller;
  }

  TurnTrace trace() {
    return trace;
  }

  Transcript.TranscriptPosition place() {
    return new Transcript.TranscriptPosition(caller.run(), step.get());
  }

  @Override
  public synchronized Prompt prompt() {
    Prompt known = prompt;
    if (known == null) {
      Prompt fresh = parts.prompts().of(caller, events);
      database.run(tx -> {
        TurnFence.require(tx, caller);
        parts.transcript().recordPrompt(tx, place(), fresh.system(), fresh.turn());
        AgentBlocks.markShown(tx, caller.agent().id(), fresh.blocks());
      });
      prompt = known = fresh;
    }
    return known;
  }

  @Override
  public List<Tool> tools() {
    return parts.pipeline().listed(caller.agent());
  }

  /// The same, for requests over MCP.
  public List<Tool> listTools() {
    hasReachedTools = true;
    return tools();
  }

  @Override
  public boolean hasReachedTools() {
    return hasReachedTools;
  }

  @Override
  public Optional<String> storedState() {
    return database.read(tx ->
        tx.find(
            "select state from mind where agent_id = ? and provider = ?",
            row -> row.text("state"),
            caller.agent().id().value(),
            provider()));
  }

  @Override
  public void storeState(String state) {
    database.run(tx -> {
      TurnFence.require(tx, caller);
      tx.update(
          """
          insert into mind (agent_id, provider, state, at) values (?, ?, ?, ?)
          on conflict (agent_id) do update set
            provider = excluded.provider, state = excluded.state, at = excluded.at
          """,
          caller.agent().id().value(),
          provider(),
          state,
          parts.clock().instant());
    });
  }

  /// The state is kept as long as the agent uses that provider.
  private String provider() {
    ProviderConfig provider = caller.agent().config().provider();
    return provider == null ? "" : provider.name();
  }

  @Override
  public AgentHistory history() {
    return database.read(tx -> AgentHistory.before(tx, caller.agent().id(), caller.turn()));
  }

  @Override
  public void storeSummary(long throughTurn, String text) {
    var summary = new AgentHistory.HistorySummary(throughTurn, text);
    database.run(tx -> {
      TurnFence.require(tx, caller);
      AgentHistory.saveSummary(tx, caller.agent().id(), summary, parts.clock().instant());
    });
  }

  @Override
  public ApprovalDecision requestApproval(ApprovalRequest request) {
    return database.transact(tx -> {
      TurnFence.require(tx, caller);
      return parts.permissions().ask(tx, caller, request);
    });
  }

  @Override
  public void publish(ProviderEvent event) {
    commentary.publish(event, place());
  }

  TurnProgress commentary() {
    return commentary;
  }

  @Override
  public ToolPipeline.ResultWithUnread call(String callId, String tool, ObjectNode arguments) {
    return commentary.execute(
        callId,
        id ->
            call(
                tool, arguments, new ToolCall(caller, step.get(), id, keys.next(tool, arguments))));
  }

  @Override
  public ToolPipeline.ResultWithUnread call(String tool, ObjectNode arguments) {
    var call = new ToolCall(caller, step.get(), callId(), keys.next(tool, arguments));
    return call(tool, arguments, call);
  }

  /// A call over MCP, as a step of its own. A client that repeats a call with the same key gets the
  /// same result in this turn.
  public ToolPipeline.ResultWithUnread callOverMcp(
      String tool,
      ObjectNode arguments,
      @Nullable String key,
      @Nullable ObjectNode clientMeta,
      ProgressSink progress,
      CancelSignal interest) {
    hasReachedTools = true;
    try {
      beginStep();
    } catch (Fault refusal) {
      return TurnLimitCounter.answer(refusal);
    }
    String own = key == null ? keys.next(tool, arguments) : caller.run().value() + "/" + key;
    var call = new ToolCall(caller, step.get(), callId(), own, clientMeta, progress, interest);
    return call(tool, arguments, call);
  }

  private ToolPipeline.ResultWithUnread call(String tool, ObjectNode arguments, ToolCall call) {
    var refused = caps.refuse(tool).map(TurnLimitCounter::answer);
    if (refused.isPresent()) {
      return refused.get();
    }
    ToolPipeline toolbox = parts.pipeline();
    return recordedAnswer(call.step(), tool, arguments)
        .map(known -> toolbox.replay(call, tool, arguments, known))
        .orElseGet(() -> trace.inStep(call.step(), () -> toolbox.call(call, tool, arguments)));
  }

  private Optional<ToolPipeline.ResultWithUnread> recordedAnswer(
      int step, String tool, ObjectNode arguments) {
    return beginning == null ? Optional.empty() : beginning.answer(step, tool, arguments);
  }

  /// The final outcome of the turn, after `outcome` of its provider.
  TurnOutcome judge(TurnOutcome outcome) {
    return beginning == null
        ? outcome
        : beginning
            .departure(outcome)
            .<TurnOutcome>map(TurnOutcome.UnrecoverableFailure::new)
            .orElse(outcome);
  }

  static String callId() {
    return MessageId.random().value();
  }
}
