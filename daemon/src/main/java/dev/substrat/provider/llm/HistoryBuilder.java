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

  /// Fewer are not worth asking a model; until there are more they are left out.
  private static final int FEWEST_SUMMED_UP = 5;

  private static final int SHORT_RESULT = 1_000;

  private final Writer writer;
  private AgentHistory.@Nullable Summary summary;
  private List<HistoryTurn> chapters;
  private boolean isSummedUp;

  /// Writes and stores summaries.
  interface Writer {
    AgentHistory.Summary summarise(
        AgentHistory.@Nullable Summary before, List<HistoryTurn> chapters)
        throws InterruptedException;
  }

  HistoryBuilder(AgentHistory past, Writer writer) {
    this.writer = writer;
    this.summary = past.summary();
    this.chapters = past.turns().stream().map(HistoryTurn::of).toList();
  }

  /// The past in at most `room` tokens or so.
  List<ConversationEntry> within(long room) throws InterruptedException {
    if (tokens(chapters) > room) {
      int split = Math.max(0, chapters.size() - WHOLE_TURNS);
      List<HistoryTurn> older = shortened(chapters.subList(0, split));
      chapters = join(older, chapters.subList(split, chapters.size()));
      if (tokens(chapters) > room && older.size() >= FEWEST_SUMMED_UP && !isSummedUp) {
        sumUp(older);
      }
    }
    return fitting(room);
  }

  private void sumUp(List<HistoryTurn> older) throws InterruptedException {
    isSummedUp = true;
    try {
      summary = writer.summarise(summary, older);
      chapters = chapters.subList(older.size(), chapters.size());
    } catch (ModelFailure trouble) {
      LOG.warn("a model could not summarise the history of its agent", "reason", trouble.words());
    }
  }

  /// Shorter results in the last turns too, and then without the oldest.
  private List<ConversationEntry> fitting(long room) {
    List<HistoryTurn> told = tokens(chapters) > room ? shortened(chapters) : chapters;
    int left = 0;
    while (left < told.size() && tokens(told.subList(left, told.size())) > room) {
      left++;
    }
    var entries = new ArrayList<ConversationEntry>();
    if (summary != null) {
      entries.add(new ConversationEntry.UserText(words(summary)));
    }
    if (left > 0) {
      entries.add(
          new ConversationEntry.UserText(
              "[%d turns are omitted here: they do not fit]".formatted(left)));
    }
    told.subList(left, told.size()).forEach(chapter -> entries.addAll(chapter.entries()));
    return entries;
  }

  private static String words(AgentHistory.Summary summary) {
    return "[your own summary of all earlier turns]\n" + summary.text();
  }

  private long tokens(List<HistoryTurn> some) {
    long before = summary == null ? 0 : TokenEstimate.of(summary.text());
    return before + some.stream().mapToLong(HistoryTurn::tokens).sum();
  }

  private static List<HistoryTurn> shortened(List<HistoryTurn> some) {
    return some.stream().map(chapter -> chapter.shortened(SHORT_RESULT)).toList();
  }

  private static List<HistoryTurn> join(List<HistoryTurn> first, List<HistoryTurn> then) {
    return Stream.concat(first.stream(), then.stream()).toList();
  }
}
