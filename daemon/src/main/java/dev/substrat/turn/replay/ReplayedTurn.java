package dev.substrat.turn.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.access.credential.Token;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.ReplayMismatch;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.team.Agent;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.transcript.AgentHistory;
import dev.substrat.tool.transcript.ModelUsage;
import dev.substrat.turn.run.TurnLimitCounter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A recorded turn that a provider runs again with the recorded events and answers. Nothing is
/// executed or written, and no time passes.
///
/// Safe for many threads: a provider may call several tools concurrently.
final class ReplayedTurn implements ProviderTurn {
  private final RunRecord record;
  private final Agent agent;
  private final List<Tool> tools;
  private final RecordedCallAnswers calls;
  private final TurnLimitCounter caps;
  private final AtomicInteger step = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();

  /// The recorded action at the point where the provider departed from the record.
  private @Nullable Divergence divergence;

  private boolean over;

  ReplayedTurn(RunRecord record, Agent agent, List<Tool> tools) {
    this.record = record;
    this.agent = agent;
    this.tools = List.copyOf(tools);
    this.calls = new RecordedCallAnswers(record.calls());
    this.caps = new TurnLimitCounter(agent.config().limitsOrDefault());
  }

  @Override
  public Agent agent() {
    return agent;
  }

  @Override
  public List<InboxEvent> events() {
    return record.events();
  }

  @Override
  public long number() {
    return record.run().turn();
  }

  @Override
  public Token credential() {
    return Token.unissued();
  }

  @Override
  public Prompt prompt() {
    return record.prompt();
  }

  @Override
  public void show(InboxEvent event) {
    // Read marks have no effect.
  }

  @Override
  public void beginStep(BudgetReservation most) {
    caps.beginStep(most);
    step.incrementAndGet();
  }

  @Override
  public void endStep(@Nullable String model, ModelUsage usage) {
    // The record has what the step used then; only the turn's own caps count again.
    caps.endStep(usage);
  }

  @Override
  public void withdrawStep() {
    caps.withdrawStep();
    step.decrementAndGet();
  }

  @Override
  public void pause(Duration time) {
    if (time.equals(FOREVER)) {
      throw stop(new ProviderAction.TimeLimitExceeded());
    }
  }

  /// The current tools of an agent with this configuration: earlier definitions are not recorded.
  @Override
  public List<Tool> tools() {
    return tools;
  }

  @Override
  public AgentHistory history() {
    return record.past();
  }

  @Override
  public Optional<String> storedState() {
    return Optional.empty();
  }

  @Override
  public void storeState(String state) {
    // Nothing is written.
  }

  @Override
  public void publish(ProviderEvent event) {
    // Progress is not published.
  }

  @Override
  public ToolPipeline.ResultWithUnread call(String tool, ObjectNode arguments) {
    return caps.refuse(tool)
        .map(TurnLimitCounter::answer)
        .orElseGet(() -> answer(new ProviderAction.ToolCallAction(tool, arguments)));
  }

  private synchronized ToolPipeline.ResultWithUnread answer(ProviderAction.ToolCallAction call) {
    // After the first call without an answer, no call has one.
    Optional<RecordedCallAnswers.AnsweredCall> known = over ? Optional.empty() : calls.take(call);
    ToolPipeline.ResultWithUnread answer =
        known.map(RecordedCallAnswers.AnsweredCall::answer).orElse(null);
    if (answer != null) {
      answered.incrementAndGet();
      return answer;
    }
    if (known.isPresent()) {
      over = true;
      throw new ReplayMismatch("the record has no result for this call");
    }
    throw stop(call);
  }

  /// The provider acts differently, or continues after the end of the record.
  private synchronized ReplayMismatch stop(ProviderAction now) {
    if (!over) {
      over = true;
      recorded().ifPresent(then -> divergence = Divergence.of(step.get(), then, now));
    }
    return new ReplayMismatch("the provider differs from the record: it " + now.describe());
  }

  /// The next recorded move; empty if the record ends here.
  private Optional<ProviderAction> recorded() {
    return calls.next().<ProviderAction>map(RecordedCallAnswers.AnsweredCall::call).or(record::end);
  }

  /// Compares the record with a turn that ended like this.
  synchronized RunReplays.ReplayReport report(TurnOutcome outcome) {
    ProviderAction end = ProviderAction.from(outcome);
    if (!over && !recorded().map(end::equals).orElse(true)) {
      stop(end);
    }
    return new RunReplays.ReplayReport(
        record.run().id(),
        record.run().agent(),
        divergence == null,
        record.end().isPresent(),
        step.get(),
        answered.get(),
        record.run().stopReason(),
        divergence);
  }
}
