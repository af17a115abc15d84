package dev.substrat.tool.execution;

import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.UnreadSummary;

/// Puts calls on record, with what their agents are told, as long as they may still call.
public final class CallRecorder {
  private final Database database;
  private final CallRecord calls;
  private final UnreadSummary.Source news;

  public CallRecorder(Database database, CallRecord calls, UnreadSummary.Source news) {
    this.database = database;
    this.calls = calls;
    this.news = news;
  }

  public ToolPipeline.Answer record(CallRecord.Made made, ToolResult reply) {
    return fenced(made, tx -> record(tx, made, reply));
  }

  ToolPipeline.Answer record(Tx tx, CallRecord.Made made, ToolResult reply) {
    ToolPipeline.Answer answer = withNews(tx, made, reply);
    calls.calledAndReturned(tx, made, answer);
    return answer;
  }

  /// News are asked for before anything is recorded, so that the record has what the agent gets.
  ToolPipeline.Answer withNews(Tx tx, CallRecord.Made made, ToolResult reply) {
    return tx.including(() -> withNews(made, reply));
  }

  ToolPipeline.Answer withNews(CallRecord.Made made, ToolResult reply) {
    return new ToolPipeline.Answer(reply, news.of(made.call().caller()));
  }

  public ToolPipeline.Answer known(
      CallRecord.Made made, ToolPipeline.Answer answer, boolean replayed) {
    return fenced(
        made,
        tx -> {
          calls.known(tx, made, answer, replayed);
          return answer;
        });
  }

  /// A turn that has lost its lease leaves no trace.
  public <T> T fenced(CallRecord.Made made, Database.Work<T> work) {
    return database.transact(tx -> {
      TurnFence.require(tx, made.call().caller());
      return work.in(tx);
    });
  }
}
