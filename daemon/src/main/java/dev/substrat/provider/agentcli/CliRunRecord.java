package dev.substrat.provider.agentcli;

import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.Log;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.agentcli.AgentCli.Counting;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.transcript.ModelUsage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Collects the output of one process. It publishes progress as it arrives, and stores usage at
/// once so that it survives the process.
public final class CliRunRecord implements AutoCloseable {
  /// A little more than most models need for a token.
  private static final int BYTES_PER_TOKEN = 3;

  private static final Log LOG = Log.of(CliRunRecord.class);

  private final Counting counting;
  private final ProviderTurn turn;
  private final @Nullable String model;
  private CliConversation conversation;
  private ProviderEvent.@Nullable TurnEnded ended;
  private ProviderEvent.@Nullable Text last;
  private final ToolNameMapping ours;
  private ModelUsage along = ModelUsage.NONE;
  private boolean hasSettled;
  private boolean hasWorked;
  private boolean hasCost;
  private long heard;

  public CliRunRecord(
      Counting counting, ProviderTurn turn, @Nullable String model, CliConversation conversation) {
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
      case ProviderEvent.UsageSoFar _ -> {
        // It counts only if nothing better comes.
      }
      case ProviderEvent.TurnEnded end -> end(end);
      case ProviderEvent.Text text -> {
        tellLast();
        last = text;
      }
      // Calls of our own tools are on record where they are made.
      case ProviderEvent.ToolStarted started when ours.has(started.tool()) -> tellLast();
      case ProviderEvent.ToolFinished finished when ours.has(finished.tool()) -> tellLast();
      case ProviderEvent.McpStatus _,
          ProviderEvent.TextDelta _,
          ProviderEvent.Thinking _,
          ProviderEvent.ToolInputDelta _,
          ProviderEvent.ToolStarted _,
          ProviderEvent.ToolFinished _,
          ProviderEvent.Withdrawn _,
          ProviderEvent.Unsandboxed _,
          ProviderEvent.Unknown _ -> {
        tellLast();
        turn.publish(event);
      }
    }
  }

  /// How much it has done, in case that it never says what it used.
  private void weigh(ProviderEvent event) {
    switch (event) {
      case ProviderEvent.UsageSoFar using -> {
        along = sum(along, using.usage());
        hasCost |= along.tokens() > 0;
      }
      case ProviderEvent.Text text -> work(text.text());
      case ProviderEvent.Thinking thinking -> work(thinking.text());
      case ProviderEvent.ToolStarted started -> {
        work(Json.text(started.input()));
        hasCost = true;
      }
      // What comes in pieces is counted when it is whole.
      case ProviderEvent.TextDelta _ -> hasWorked = true;
      case ProviderEvent.SessionStarted _,
          ProviderEvent.McpStatus _,
          ProviderEvent.Unsandboxed _,
          ProviderEvent.ToolInputDelta _,
          ProviderEvent.ToolFinished _,
          ProviderEvent.UsageTotal _,
          ProviderEvent.TurnEnded _,
          ProviderEvent.Withdrawn _,
          ProviderEvent.Unknown _ -> {
        // No model has thought for that.
      }
    }
  }

  private void work(String said) {
    hasWorked = true;
    heard += said.length();
  }

  /// True once it has done something that was not for nothing. Words alone may be its complaint.
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

  private void settle(ModelUsage told) {
    hasSettled = true;
    ModelUsage used = conversation.since(told, counting);
    hasCost |= used.tokens() > 0;
    conversation = conversation.having(told);
    conversation.keep(turn);
    turn.publish(new ProviderEvent.UsageTotal(used));
    turn.endStep(model, used);
  }

  /// The first one counts. What it said last is the turn's own text, and recorded as such.
  private void end(ProviderEvent.TurnEnded end) {
    if (ended == null) {
      ended = end;
      if (!end.ok() || last == null || !last.text().equals(end.text())) {
        tellLast();
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

  private void tellLast() {
    if (last != null) {
      turn.publish(last);
      last = null;
    }
  }

  /// How it ended, by its own account.
  Optional<ProviderEvent.TurnEnded> ended() {
    return Optional.ofNullable(ended);
  }
}
