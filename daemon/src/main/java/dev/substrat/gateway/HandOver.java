package dev.substrat.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.pending.PendingCall;
import dev.substrat.store.Database;
import dev.substrat.tool.Call;
import dev.substrat.tool.ToolReply;
import java.util.Map;

/// The work of a tool that hands its call to a service, which brings the result later, at an
/// address it is given.
record HandOver(Database database, Question question, HttpWork http, Callbacks callbacks)
    implements Work {

  /// The call is kept before the service hears of it: it may answer at once.
  @Override
  public ToolReply run(Call call, ObjectNode arguments) {
    PendingCall kept = database.<PendingCall>transact(tx -> question.open(tx, call, arguments));
    call.inlineWait().keptAs(kept);
    var told = Map.of("Substrat-Callback-Url", callbacks.url(kept), "Substrat-Call-Id", kept.id());
    ToolReply reply = http.run(call, arguments, told);
    return reply instanceof ToolReply.Failed ? reply : new ToolReply.Pending(kept);
  }
}
