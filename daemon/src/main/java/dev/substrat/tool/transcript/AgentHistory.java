package dev.substrat.tool.transcript;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// History of an agent before a turn: a summary of the oldest part, if there is one, and the later
/// successful turns, oldest first. `began` is the start of the turn itself.
///
/// It is derived from the record alone, so a failed turn leaves nothing in it that must be undone.
public record AgentHistory(
    @Nullable HistorySummary summary, List<PastTurn> turns, @Nullable Instant began) {
  public static final AgentHistory NONE = new AgentHistory(null, List.of(), null);

  /// An agent with more turns than this without a summary has a provider with its own memory.
  private static final int MAX_TURNS = 500;

  private static final String SUMMARY =
      """
      select through_turn, text from summary where agent_id = ? and through_turn < ?
      order by through_turn desc limit 1
      """;

  private static final String BEGAN =
      "select started_at from run where agent_id = ? and turn_no = ?";

  private static final String ORIGIN =
      """
      select run.agent_id, run.turn_no
      from agent join run on run.id = agent.forked_from_run
      where agent.id = ?
      """;

  private static final String OLDEST =
      """
      select coalesce(min(turn_no), 0) as n from (
        select turn_no from run
        where agent_id = ? and status = 'done' and turn_no < ? and turn_no > ?
        order by turn_no desc limit ?
      ) as newest
      """;

  private static final String LINES =
      """
      select run.turn_no, run.started_at, run_message.id, step, type, tool_name, tool_call_id,
        tool_input, content, at, beside, replayed, client_meta
      from run join run_message on run_message.run_id = run.id
      where run.agent_id = ? and run.status = 'done' and run.turn_no < ? and run.turn_no >= ?
        and type <> 'system_message'
      order by run.turn_no, run_message.id
      """;

  public AgentHistory {
    turns = List.copyOf(turns);
  }

  /// Summary of all turns up to one, written by the agent's model.
  public record HistorySummary(long throughTurn, String text) {}

  /// A successful turn, with its prompt, texts and calls.
  public record PastTurn(long number, Instant at, List<Transcript.TranscriptLine> lines) {
    public PastTurn {
      lines = List.copyOf(lines);
    }
  }

  /// History of an agent before this turn. A fork has the history of its original up to the forked
  /// turn; the last turn before that has the number -1.
  public static AgentHistory before(Tx tx, AgentId agent, long turn) {
    AgentHistory own = own(tx, agent, turn);
    HistorySummary known = own.summary();
    long after = known == null ? Long.MIN_VALUE : known.throughTurn();
    if (after >= 0) {
      return own;
    }
    return tx.find(ORIGIN, AgentHistory::origin, agent.value())
        .map(origin -> before(tx, origin.agent(), origin.turn()).shifted(-origin.turn(), after))
        .map(own::following)
        .orElse(own);
  }

  private static AgentHistory own(Tx tx, AgentId agent, long turn) {
    Optional<HistorySummary> summary =
        tx.find(
            SUMMARY,
            row -> new HistorySummary(row.number("through_turn"), row.text("text")),
            agent.value(),
            turn);
    long after = summary.map(HistorySummary::throughTurn).orElse(0L);
    long oldest = tx.number(OLDEST, agent.value(), turn, after, MAX_TURNS);
    List<TurnLine> lines =
        tx.list(LINES, AgentHistory::lines, agent.value(), turn, Math.max(1, oldest)).stream()
            .flatMap(List::stream)
            .toList();
    Optional<Instant> began = tx.find(BEGAN, row -> row.instant("started_at"), agent.value(), turn);
    return new AgentHistory(
        summary.orElse(null), oldest == 0 ? List.of() : turns(lines), began.orElse(null));
  }

  private record HistoryOrigin(AgentId agent, long turn) {}

  private static HistoryOrigin origin(ResultRow row) {
    return new HistoryOrigin(new AgentId(row.text("agent_id")), row.number("turn_no"));
  }

  /// With other numbers, without the summarised turns.
  private AgentHistory shifted(long by, long after) {
    return new AgentHistory(
        summary == null ? null : new HistorySummary(summary.throughTurn() + by, summary.text()),
        turns.stream()
            .map(turn -> new PastTurn(turn.number() + by, turn.at(), turn.lines()))
            .filter(turn -> turn.number() > after)
            .toList(),
        null);
  }

  private AgentHistory following(AgentHistory earlier) {
    return new AgentHistory(
        summary == null ? earlier.summary() : summary,
        Stream.concat(earlier.turns().stream(), turns.stream()).toList(),
        began);
  }

  /// Stores the summary of all turns up to one.
  public static void saveSummary(Tx tx, AgentId agent, HistorySummary summary, Instant now) {
    tx.update(
        """
        insert into summary (agent_id, through_turn, text, at) values (?, ?, ?, ?)
        on conflict (agent_id, through_turn) do update set text = excluded.text, at = excluded.at
        """,
        agent.value(),
        summary.throughTurn(),
        summary.text(),
        now);
  }

  private record TurnLine(long turn, Instant at, Transcript.TranscriptLine line) {}

  private static List<TurnLine> lines(ResultRow row) {
    long turn = row.number("turn_no");
    Instant began = row.instant("started_at");
    return Transcript.lines(row).stream().map(line -> new TurnLine(turn, began, line)).toList();
  }

  private static List<PastTurn> turns(List<TurnLine> lines) {
    var turns = new ArrayList<PastTurn>();
    var current = new ArrayList<Transcript.TranscriptLine>();
    for (int i = 0; i < lines.size(); i++) {
      TurnLine one = lines.get(i);
      current.add(one.line());
      if (i + 1 == lines.size() || lines.get(i + 1).turn() != one.turn()) {
        turns.add(new PastTurn(one.turn(), one.at(), current));
        current.clear();
      }
    }
    return turns;
  }
}
