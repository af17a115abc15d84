package dev.substrat.provider.llm;

import dev.substrat.platform.log.Log;
import dev.substrat.provider.llm.wire.ConversationEntry;
import dev.substrat.tool.transcript.AgentHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Builds the history of earlier turns for a model, within the available context.
///
/// The last ten turns stay complete as long as they fit; older ones are summarised by the model
/// itself. If that fails, the oldest turns are omitted, with a note.
final class HistoryBuilder {
  private static final Log LOG = Log.of(HistoryBuilder.class);
  private static final int WHOLE_TURNS = 10;

  /// With fewer turns a summary is not worth a request; until then they are omitted.
  private static final int FEWEST_TO_SUMMARISE = 5;

  private static final int SHORT_RESULT = 1_000;

  private final SummaryWriter writer;
  private AgentHistory.@Nullable HistorySummary summary;
  private List<HistoryTurn> turns;
  private boolean hasSummarised;

  /// Writes and stores summaries.
  interface SummaryWriter {
    AgentHistory.HistorySummary summarise(
        AgentHistory.@Nullable HistorySummary before, List<HistoryTurn> turns)
        throws InterruptedException;
  }

  HistoryBuilder(AgentHistory history, SummaryWriter writer) {
    this.writer = writer;
    this.summary = history.summary();
    this.turns = history.turns().stream().map(HistoryTurn::of).toList();
  }

  /// The history in at most `limit` tokens (estimated).
  List<ConversationEntry> within(long limit) throws InterruptedException {
    if (tokens(turns) > limit) {
      int split = Math.max(0, turns.size() - WHOLE_TURNS);
      List<HistoryTurn> older = shortened(turns.subList(0, split));
      turns = join(older, turns.subList(split, turns.size()));
      if (tokens(turns) > limit && older.size() >= FEWEST_TO_SUMMARISE && !hasSummarised) {
        sumUp(older);
      }
    }
    return fitting(limit);
  }

  private void sumUp(List<HistoryTurn> older) throws InterruptedException {
    hasSummarised = true;
    try {
      summary = writer.summarise(summary, older);
      turns = turns.subList(older.size(), turns.size());
    } catch (ModelFailure trouble) {
      LOG.warn("a model could not summarise the history of its agent", "reason", trouble.words());
    }
  }

  /// Shortens results in the last turns, too, then omits the oldest turns.
  private List<ConversationEntry> fitting(long limit) {
    List<HistoryTurn> kept = tokens(turns) > limit ? shortened(turns) : turns;
    int omitted = 0;
    while (omitted < kept.size() && tokens(kept.subList(omitted, kept.size())) > limit) {
      omitted++;
    }
    var entries = new ArrayList<ConversationEntry>();
    if (summary != null) {
      entries.add(new ConversationEntry.UserText(words(summary)));
    }
    if (omitted > 0) {
      entries.add(
          new ConversationEntry.UserText(
              "[%d turns are omitted here: the history is too long]".formatted(omitted)));
    }
    kept.subList(omitted, kept.size()).forEach(turn -> entries.addAll(turn.entries()));
    return entries;
  }

  private static String words(AgentHistory.HistorySummary summary) {
    return "[your own summary of all earlier turns]\n" + summary.text();
  }

  private long tokens(List<HistoryTurn> some) {
    long before = summary == null ? 0 : TokenEstimate.of(summary.text());
    return before + some.stream().mapToLong(HistoryTurn::tokens).sum();
  }

  private static List<HistoryTurn> shortened(List<HistoryTurn> some) {
    return some.stream().map(turn -> turn.shortened(SHORT_RESULT)).toList();
  }

  private static List<HistoryTurn> join(List<HistoryTurn> first, List<HistoryTurn> then) {
    return Stream.concat(first.stream(), then.stream()).toList();
  }
}
