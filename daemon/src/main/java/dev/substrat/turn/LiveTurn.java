package dev.substrat.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.access.credential.Token;
import dev.substrat.memory.AgentBlocks;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInput;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.Provider.Outcome;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.tool.ProgressSink;
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
import dev.substrat.toolset.approval.ProviderApprovals.Decision;
import dev.substrat.turn.run.CallKeys;
import dev.substrat.turn.run.TurnCaps;
import dev.substrat.turn.run.TurnTrace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A running turn, as its provider sees it.
public final class LiveTurn implements ProviderTurn {
  private final Database database;
  private final TurnParts parts;
  private final ToolCaller caller;
  private final List<InboxEvent> events;
  private final TurnCaps caps;
  private final @Nullable CallPrefix beginning;
  private final TurnTrace trace;
  private final TurnProgress commentary;
  private final CallKeys keys;
  private final AtomicInteger step = new AtomicInteger();
  private final ProviderHistory recall;
  private final Duration time;
  private final TurnToken token;
  private volatile Instant stepBegan;
  private volatile boolean hasReachedTools;
  private @Nullable Prompt prompt;

  /// What a turn begins with: who it is, what it is given, how long it may take, and where its
  /// first answers come from, if not from its tools.
  record Claim(
      ToolCaller caller, List<InboxEvent> events, Duration time, @Nullable CallPrefix beginning) {
    Claim {
      events = List.copyOf(events);
    }
  }

  /// The claim is durable: with the turn its trace begins.
  LiveTurn(Database database, TurnParts parts, Claim claim) {
    this.database = database;
    this.parts = parts;
    this.caller = claim.caller();
    this.events = claim.events();
    this.caps = new TurnCaps(caller.agent().config().limitsOrDefault());
    this.recall = new ProviderHistory(database, parts.clock(), caller);
    this.time = claim.time();
    this.token = new TurnToken(database, parts.clock(), caller);
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
    database.transact(tx -> {
      TurnFence.require(tx, caller);
      parts.delivery().shown(tx, event, caller.turn());
      RunInput.shown(tx, caller.run(), event, parts.clock().instant());
      return true;
    });
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
    var span = new RunSteps.Span(stepBegan, parts.clock().instant());
    database.transact(tx -> {
      TurnFence.require(tx, caller);
      RunSteps.used(tx, caller.run(), step.get(), model, usage, span);
      parts.spending().closeStep(tx, caller, step.get(), usage);
      return true;
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

  /// How long the turn may take: as the agent's limits say, or what is left of a budget.
  Duration time() {
    return time;
  }

  /// The turn was interrupted.
  Outcome interrupted(String reason) {
    return caps.interrupted(time, reason);
  }

  @Override
  public Token credential() {
    return token.issue();
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

  Transcript.Place place() {
    return new Transcript.Place(caller.run(), step.get());
  }

  @Override
  public synchronized Prompt prompt() {
    Prompt known = prompt;
    if (known == null) {
      Prompt fresh = parts.prompts().of(caller, events);
      database.transact(tx -> {
        TurnFence.require(tx, caller);
        parts.transcript().recordPrompt(tx, place(), fresh.system(), fresh.turn());
        AgentBlocks.markShown(tx, caller.agent().id(), fresh.blocks());
        return true;
      });
      prompt = known = fresh;
    }
    return known;
  }

  @Override
  public List<Tool> tools() {
    return parts.toolbox().listed(caller.agent());
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
    return recall.kept();
  }

  @Override
  public void storeState(String state) {
    recall.keep(state);
  }

  @Override
  public AgentHistory history() {
    return recall.past();
  }

  @Override
  public void storeSummary(long throughTurn, String text) {
    recall.sumUp(new AgentHistory.Summary(throughTurn, text));
  }

  @Override
  public Decision requestApproval(ApprovalRequest wish) {
    return database.transact(tx -> {
      TurnFence.require(tx, caller);
      return parts.permissions().ask(tx, caller, wish);
    });
  }

  @Override
  public void publish(ProviderEvent event) {
    commentary.tell(event, place());
  }

  TurnProgress commentary() {
    return commentary;
  }

  @Override
  public ToolPipeline.Answer call(String callId, String tool, ObjectNode arguments) {
    return commentary.execute(
        callId,
        id ->
            call(
                tool, arguments, new ToolCall(caller, step.get(), id, keys.next(tool, arguments))));
  }

  @Override
  public ToolPipeline.Answer call(String tool, ObjectNode arguments) {
    var call = new ToolCall(caller, step.get(), callId(), keys.next(tool, arguments));
    return call(tool, arguments, call);
  }

  /// A call that comes over MCP, as a step of its own. A client that names its call gets the same
  /// answer when it repeats it in this turn.
  public ToolPipeline.Answer callOverMcp(
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
      return TurnCaps.answer(refusal);
    }
    String own = key == null ? keys.next(tool, arguments) : caller.run().value() + "/" + key;
    var call = new ToolCall(caller, step.get(), callId(), own, clientMeta, progress, interest);
    return call(tool, arguments, call);
  }

  private ToolPipeline.Answer call(String tool, ObjectNode arguments, ToolCall call) {
    var refused = caps.refuse(tool).map(TurnCaps::answer);
    if (refused.isPresent()) {
      return refused.get();
    }
    ToolPipeline toolbox = parts.toolbox();
    return recordedAnswer(call.step(), tool, arguments)
        .map(known -> toolbox.replay(call, tool, arguments, known))
        .orElseGet(() -> trace.inStep(call.step(), () -> toolbox.call(call, tool, arguments)));
  }

  private Optional<ToolPipeline.Answer> recordedAnswer(
      int step, String tool, ObjectNode arguments) {
    return beginning == null ? Optional.empty() : beginning.answer(step, tool, arguments);
  }

  /// What came of the turn, once its provider says `outcome`.
  Outcome judge(Outcome outcome) {
    return beginning == null
        ? outcome
        : beginning.departure(outcome).<Outcome>map(Outcome.Unrecoverable::new).orElse(outcome);
  }

  static String callId() {
    return MessageId.random().value();
  }
}
