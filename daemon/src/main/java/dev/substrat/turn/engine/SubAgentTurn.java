package dev.substrat.turn.engine;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.access.credential.Token;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.team.Agent;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.UnreadSummary;
import dev.substrat.tool.transcript.ModelUsage;
import dev.substrat.toolset.custom.SubAgentRunner;
import dev.substrat.turn.TurnSleep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The only turn of a sub-agent: one question, one answer, no record.
final class SubAgentTurn implements ProviderTurn {
  private final Agent agent;
  private final InboxEvent question;
  private final Prompt prompt;
  private final SubAgentBudget budget;
  private final TurnSleep pace;
  private volatile int step;

  SubAgentTurn(
      SubAgentRunner.SubAgentTask task, String context, SubAgentBudget budget, TurnSleep pace) {
    var config = task.config();
    this.agent =
        new Agent(
            AgentId.random(),
            "sub-agent",
            config.name(),
            "worker",
            null,
            config,
            true,
            Instant.EPOCH,
            null);
    String text = text(task.input());
    var payload =
        Json.object()
            .put("kind", InboxEvent.InboxEventKind.MESSAGE.toString())
            .put("from", task.call().caller().agent().name())
            .put("text", text)
            .put("context", context)
            .put("depth", 0);
    payload.set("payload", task.input());
    String id = MessageId.random().value();
    this.question = new InboxEvent(id, InboxEvent.InboxEventKind.MESSAGE, null, payload, 0, false);
    this.prompt =
        new Prompt(
            config.systemPrompt() == null ? "" : config.systemPrompt(),
            context.isEmpty() ? text : "Context of your caller:\n" + context + "\n\n" + text);
    this.budget = budget;
    this.pace = pace;
  }

  /// The only text there is, or everything.
  private static String text(ObjectNode input) {
    return input.size() == 1 && input.elements().next().isTextual()
        ? input.elements().next().asText()
        : Json.text(input);
  }

  @Override
  public Agent agent() {
    return agent;
  }

  @Override
  public long number() {
    return 1;
  }

  @Override
  public List<InboxEvent> events() {
    return List.of(question);
  }

  @Override
  public void show(InboxEvent event) {
    // Read marks have no effect.
  }

  @Override
  public Prompt prompt() {
    return prompt;
  }

  @Override
  public void beginStep(BudgetReservation most) {
    step = budget.open(most);
  }

  @Override
  public void endStep(@Nullable String model, ModelUsage usage) {
    budget.close(step, model, usage);
  }

  @Override
  public void withdrawStep() {
    budget.takeBack(step);
  }

  @Override
  public void pause(Duration time) throws InterruptedException {
    pace.pause(time);
  }

  @Override
  public Token credential() {
    throw ErrorCode.INVALID_CONFIG.fault(
        "a sub-agent has no tools, so it cannot use a provider that calls tools over MCP",
        "choose another provider");
  }

  @Override
  public List<Tool> tools() {
    return List.of();
  }

  @Override
  public Optional<String> storedState() {
    return Optional.empty();
  }

  @Override
  public void storeState(String state) {
    // A sub-agent has no later turns.
  }

  @Override
  public void publish(ProviderEvent event) {
    // Progress is not published.
  }

  @Override
  public ToolPipeline.ResultWithUnread call(String tool, ObjectNode arguments) {
    var refusal = ErrorCode.UNKNOWN_TOOL.fault("you have no tool " + tool, "you have no tools");
    return new ToolPipeline.ResultWithUnread(
        ToolResult.Failed.because(refusal), UnreadSummary.NONE);
  }
}
