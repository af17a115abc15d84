package dev.substrat.agentcli;

import dev.substrat.agentcli.AgentCli.Counting;
import dev.substrat.provider.MindEvent;
import dev.substrat.provider.TurnView;
import dev.substrat.transcript.Usage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What one process has said so far. It is told on as it comes, and what must outlive the process
/// is kept at once.
final class Account {
  private final Counting counting;
  private final TurnView turn;
  private final @Nullable String model;
  private Conversation conversation;
  private MindEvent.@Nullable TurnEnded ended;
  private MindEvent.@Nullable Text last;

  Account(Counting counting, TurnView turn, @Nullable String model, Conversation conversation) {
    this.counting = counting;
    this.turn = turn;
    this.model = model;
    this.conversation = conversation;
  }

  void hear(List<MindEvent> events) {
    events.forEach(this::hear);
  }

  private void hear(MindEvent event) {
    switch (event) {
      case MindEvent.SessionStarted started -> keep(conversation.called(started.id()));
      case MindEvent.Used used -> settle(used.usage());
      case MindEvent.TurnEnded end -> end(end);
      case MindEvent.Text text -> {
        tellLast();
        last = text;
      }
      case MindEvent.McpStatus _,
          MindEvent.TextDelta _,
          MindEvent.Thinking _,
          MindEvent.ToolInputDelta _,
          MindEvent.ToolStarted _,
          MindEvent.ToolFinished _,
          MindEvent.TakenBack _,
          MindEvent.Unwalled _,
          MindEvent.Unknown _ -> {
        tellLast();
        turn.tell(event);
      }
    }
  }

  private void keep(Conversation now) {
    if (!now.equals(conversation) || !now.id().equals(Conversation.of(turn).id())) {
      conversation = now;
      now.keep(turn);
      now.id().ifPresent(id -> turn.tell(new MindEvent.SessionStarted(id)));
    }
  }

  private void settle(Usage told) {
    Usage used = conversation.since(told, counting);
    conversation = conversation.having(told);
    conversation.keep(turn);
    turn.tell(new MindEvent.Used(used));
    turn.endStep(model, used);
  }

  /// The first one counts. What it said last is the turn's own text, and recorded as such.
  private void end(MindEvent.TurnEnded end) {
    if (ended == null) {
      ended = end;
      if (!end.ok() || last == null || !last.text().equals(end.text())) {
        tellLast();
      }
      last = null;
      turn.tell(end);
    }
  }

  private void tellLast() {
    if (last != null) {
      turn.tell(last);
      last = null;
    }
  }

  /// How it ended, by its own account.
  Optional<MindEvent.TurnEnded> ended() {
    return Optional.ofNullable(ended);
  }
}
