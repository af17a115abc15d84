package dev.substrat.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.pending.PendingCall;
import dev.substrat.pending.PendingCalls;
import dev.substrat.store.Database;
import dev.substrat.tool.Call;
import dev.substrat.tool.ToolReply;
import java.util.Map;

/// The work of a tool that hands its call to a service, which brings the result later, at an
/// address it is given. The agent waits for the hand-over and no longer.
record HandOver(
    Database database, PendingCalls calls, Question question, HttpWork http, Callbacks callbacks)
    implements Work {

  /// The call is kept before the service hears of it: it may answer at once.
  @Override
  public ToolReply run(Call call, ObjectNode arguments) {
    PendingCall kept = database.<PendingCall>transact(tx -> question.open(tx, call, arguments));
    var told = Map.of("Substrat-Callback-Url", callbacks.url(kept), "Substrat-Call-Id", kept.id());
    ToolReply reply;
    try {
      reply = http.run(call, arguments, told);
    } catch (RuntimeException e) {
      if (isOff(kept)) {
        throw e;
      }
      return new ToolReply.Pending(kept);
    }
    boolean isTaken = !(reply instanceof ToolReply.Failed);
    return isTaken || !isOff(kept) ? new ToolReply.Pending(kept) : reply;
  }

  /// Nobody waits for it any more. A service that fails after it has brought the result has brought
  /// it.
  private boolean isOff(PendingCall kept) {
    return database.transact(tx -> calls.cancel(tx, kept.id()));
  }
}
