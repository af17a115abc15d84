package dev.substrat.turn.replay;

import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.platform.identity.RunId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.transcript.AgentHistory;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.tool.transcript.Transcript.TranscriptLine;
import dev.substrat.turn.run.Run;
import dev.substrat.turn.run.Runs;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The complete record of an ended run: configuration of its agent, events, answers, number of
/// steps and result. Immutable.
record RunRecord(
    Run run,
    Agent agent,
    List<InboxEvent> events,
    Prompt prompt,
    AgentHistory past,
    List<RecordedCallAnswers.AnsweredCall> calls,
    int steps) {

  static RunRecord require(Tx tx, String id) {
    Run run = Runs.require(tx, id);
    var runId = new RunId(id);
    if (run.status().equals("open")) {
      throw external();
    }
    if (run.endedAt() == null) {
      throw ErrorCode.CONFLICT.fault(
          "run " + id + " is still running", "wait until the run ends, or cancel the run");
    }
    AgentConfig config = Runs.config(tx, runId).orElseThrow(() -> nothingToReplay(id));
    Agent agent = AgentTree.find(tx, run.agentId()).orElseThrow();
    List<InboxEvent> events =
        RunInputEvents.of(tx, runId).stream()
            .filter(given -> given.step() == 0)
            .map(RunInputEvents.RecordedEvent::event)
            .toList();
    List<RecordedCallAnswers.AnsweredCall> calls = RecordedCallAnswers.of(tx, runId);
    return new RunRecord(
        run,
        agent.with(config),
        events,
        prompt(tx, runId),
        AgentHistory.before(tx, agent.id(), run.turn()),
        calls,
        steps(tx, id, calls));
  }

  /// The recorded prompt; empty if the provider never asked for it.
  private static Prompt prompt(Tx tx, RunId run) {
    List<TranscriptLine> lines = Transcript.of(tx, run);
    return new Prompt(first(lines, Transcript.SYSTEM), first(lines, Transcript.USER));
  }

  private static String first(List<TranscriptLine> lines, String type) {
    return lines.stream()
        .filter(line -> line.type().equals(type))
        .map(TranscriptLine::content)
        .findFirst()
        .orElse("");
  }

  private static int steps(Tx tx, String run, List<RecordedCallAnswers.AnsweredCall> calls) {
    long kept = tx.number("select coalesce(max(step), 0) as n from run_step where run_id = ?", run);
    return Stream.concat(
            Stream.of(1, Math.toIntExact(kept)),
            calls.stream().map(RecordedCallAnswers.AnsweredCall::step))
        .max(Integer::compare)
        .orElse(1);
  }

  private static Fault nothingToReplay(String id) {
    return ErrorCode.NOT_REPLAYABLE.fault(
        "the record of run " + id + " does not contain its agent's configuration",
        "an older version of Substrat recorded the run; only newer runs can be replayed and"
            + " forked");
  }

  static Fault external() {
    return ErrorCode.NOT_REPLAYABLE.fault(
        "runs of external agents cannot be replayed or forked: the daemon does not run their model",
        "list the calls (GET /api/runs/{id}/messages, ./substrat run show RUN)");
  }

  /// How the provider ended the turn; empty if it was ended from outside.
  Optional<ProviderAction> end() {
    if (run.cutShort()) {
      return Optional.empty();
    }
    return Optional.of(
        run.status().equals("done")
            ? new ProviderAction.TurnEndAction(run.response() == null ? "" : run.response())
            : new ProviderAction.TurnFailure(run.stopReason() == null ? "" : run.stopReason()));
  }
}
