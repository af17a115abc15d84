package dev.substrat.tool.execution;

import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.Fence;
import dev.substrat.tool.InboxNews;
import dev.substrat.tool.ToolReply;
import dev.substrat.tool.Toolbox;

/// Puts calls on record, with what their agents are told, as long as they may still call.
public final class Recorder {
  private final Database database;
  private final CallRecord calls;
  private final InboxNews.Source news;

  public Recorder(Database database, CallRecord calls, InboxNews.Source news) {
    this.database = database;
    this.calls = calls;
    this.news = news;
  }

  public Toolbox.Answer record(CallRecord.Made made, ToolReply reply) {
    return fenced(made, tx -> record(tx, made, reply));
  }

  Toolbox.Answer record(Tx tx, CallRecord.Made made, ToolReply reply) {
    Toolbox.Answer answer = withNews(tx, made, reply);
    calls.calledAndReturned(tx, made, answer);
    return answer;
  }

  /// News are asked for before anything is recorded, so that the record has what the agent gets.
  Toolbox.Answer withNews(Tx tx, CallRecord.Made made, ToolReply reply) {
    return tx.including(() -> withNews(made, reply));
  }

  Toolbox.Answer withNews(CallRecord.Made made, ToolReply reply) {
    return new Toolbox.Answer(reply, news.of(made.call().caller()));
  }

  public Toolbox.Answer known(CallRecord.Made made, Toolbox.Answer answer, boolean replayed) {
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
      Fence.require(tx, made.call().caller());
      return work.in(tx);
    });
  }
}
