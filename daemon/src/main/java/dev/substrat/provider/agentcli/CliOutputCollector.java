package dev.substrat.provider.agentcli;

import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.Log;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.agentcli.AgentCli.UsageCounting;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.transcript.ModelUsage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Collects the output of one process. It publishes progress as it arrives, and stores usage
/// immediately so that it survives the process.
public final class CliOutputCollector implements AutoCloseable {
  /// For estimates; most models need slightly fewer tokens for a text.
  private static final int BYTES_PER_TOKEN = 3;

  private static final Log LOG = Log.of(CliOutputCollector.class);

  private final UsageCounting counting;
  private final ProviderTurn turn;
  private final @Nullable String model;
  private CliConversation conversation;
  private ProviderEvent.@Nullable TurnEnded ended;
  private ProviderEvent.@Nullable CompleteText last;
  private final ToolNameMapping ours;
  private ModelUsage along = ModelUsage.NONE;
  private boolean hasSettled;
  private boolean hasWorked;
  private boolean hasCost;
  private long heard;

  public CliOutputCollector(
      UsageCounting counting,
      ProviderTurn turn,
      @Nullable String model,
      CliConversation conversation) {
    this.counting = counting;
    this.turn = turn;
    this.model = model;
    this.conversation = conversation;
    this.ours = ToolNameMapping.of(turn);
  }

  public void record(List<ProviderEvent> events) {
    events.forEach(this::record);
  }

  private void record(ProviderEvent event) {
    weigh(event);
    switch (event) {
      case ProviderEvent.SessionStarted started -> keep(conversation.called(started.id()));
      case ProviderEvent.UsageTotal used -> settle(used.usage());
      case ProviderEvent.PartialUsage _ -> {
        // Used only if no total is reported.
      }
      case ProviderEvent.TurnEnded end -> end(end);
      case ProviderEvent.CompleteText text -> {
        publishLastText();
        last = text;
      }
      // Calls of the agent's tools are recorded when they are executed.
      case ProviderEvent.ToolStarted started when ours.has(started.tool()) -> publishLastText();
      case ProviderEvent.ToolFinished finished when ours.has(finished.tool()) -> publishLastText();
      case ProviderEvent.McpServerStatus _,
          ProviderEvent.TextDelta _,
          ProviderEvent.ReasoningText _,
          ProviderEvent.ToolInputDelta _,
          ProviderEvent.ToolStarted _,
          ProviderEvent.ToolFinished _,
          ProviderEvent.OutputDiscarded _,
          ProviderEvent.SandboxUnavailable _,
          ProviderEvent.UnknownEvent _ -> {
        publishLastText();
        turn.publish(event);
      }
    }
  }

  /// Estimates the work done, in case no usage is reported.
  private void weigh(ProviderEvent event) {
    switch (event) {
      case ProviderEvent.PartialUsage using -> {
        along = sum(along, using.usage());
        hasCost |= along.tokens() > 0;
      }
      case ProviderEvent.CompleteText text -> work(text.text());
      case ProviderEvent.ReasoningText thinking -> work(thinking.text());
      case ProviderEvent.ToolStarted started -> {
        work(Json.text(started.input()));
        hasCost = true;
      }
      // Counted when the text is complete.
      case ProviderEvent.TextDelta _ -> hasWorked = true;
      case ProviderEvent.SessionStarted _,
          ProviderEvent.McpServerStatus _,
          ProviderEvent.SandboxUnavailable _,
          ProviderEvent.ToolInputDelta _,
          ProviderEvent.ToolFinished _,
          ProviderEvent.UsageTotal _,
          ProviderEvent.TurnEnded _,
          ProviderEvent.OutputDiscarded _,
          ProviderEvent.UnknownEvent _ -> {
        // Not written by a model.
      }
    }
  }

  private void work(String said) {
    hasWorked = true;
    heard += said.length();
  }

  /// True once the turn has probably had costs. A text alone may be an error message.
  public boolean hasCost() {
    return hasCost;
  }

  private void keep(CliConversation now) {
    if (!now.equals(conversation) || !now.id().equals(CliConversation.of(turn).id())) {
      conversation = now;
      now.keep(turn);
      now.id().ifPresent(id -> turn.publish(new ProviderEvent.SessionStarted(id)));
    }
  }

  private void settle(ModelUsage reported) {
    hasSettled = true;
    ModelUsage used = conversation.since(reported, counting);
    hasCost |= used.tokens() > 0;
    conversation = conversation.having(reported);
    conversation.keep(turn);
    turn.publish(new ProviderEvent.UsageTotal(used));
    turn.endStep(model, used);
  }

  /// Only the first one counts. Its text is the final text, which is recorded with the turn.
  private void end(ProviderEvent.TurnEnded end) {
    if (ended == null) {
      ended = end;
      if (!end.ok() || last == null || !last.text().equals(end.text())) {
        publishLastText();
      }
      last = null;
      turn.publish(end);
    }
  }

  /// The process has ended. If it was killed or reported no total, the usage reported so far
  /// counts, or else an estimate from prompt and output.
  @Override
  public void close() {
    if (hasSettled || !hasWorked) {
      return;
    }
    hasSettled = true;
    long prompt = (long) turn.prompt().system().length() + turn.prompt().turn().length();
    ModelUsage used =
        along.tokens() > 0
            ? along
            : new ModelUsage(prompt / BYTES_PER_TOKEN, heard / BYTES_PER_TOKEN + 1, 0);
    try {
      conversation = conversation.after(used);
      conversation.keep(turn);
      turn.endStep(model, used);
    } catch (StaleTurn e) {
      // Another turn has the lease by now.
      LOG.debug("usage of a turn without a lease is not recorded", "agent", turn.agent().handle());
    }
  }

  private static ModelUsage sum(ModelUsage one, ModelUsage other) {
    return new ModelUsage(
        one.inputTokens() + other.inputTokens(),
        one.outputTokens() + other.outputTokens(),
        one.costMicros() + other.costMicros());
  }

  private void publishLastText() {
    if (last != null) {
      turn.publish(last);
      last = null;
    }
  }

  /// The reported end of the turn, if there is one.
  Optional<ProviderEvent.TurnEnded> ended() {
    return Optional.ofNullable(ended);
  }
}
