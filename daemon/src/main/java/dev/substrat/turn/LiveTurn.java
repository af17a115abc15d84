package dev.substrat.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.id.MessageId;
import dev.substrat.id.RunId;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.json.Json;
import dev.substrat.provider.TurnView;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.tool.Call;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Fence;
import dev.substrat.tool.Toolbox;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/// A turn under way, as its provider may use it.
///
/// Its calls are numbered from the first attempt at the same events on: the same call at the same
/// place has the same idempotency key, so that a retried turn does not send the same message twice.
final class LiveTurn implements TurnView {
  private final Database database;
  private final TurnParts parts;
  private final Caller caller;
  private final RunId origin;
  private final List<InboxEvent> events;
  private final AtomicInteger calls = new AtomicInteger();

  LiveTurn(
      Database database, TurnParts parts, Caller caller, RunId origin, List<InboxEvent> events) {
    this.database = database;
    this.parts = parts;
    this.caller = caller;
    this.origin = origin;
    this.events = List.copyOf(events);
  }

  @Override
  public Agent agent() {
    return caller.agent();
  }

  @Override
  public List<InboxEvent> events() {
    return events;
  }

  @Override
  public void show(InboxEvent event) {
    database.transact(tx -> {
      Fence.require(tx, caller);
      parts.delivery().shown(tx, event);
      Runs.shown(tx, caller, event, parts.clock().instant());
      return true;
    });
  }

  @Override
  public Toolbox.Answer call(String tool, ObjectNode arguments) {
    return parts.toolbox().call(new Call(caller, callId(), key(tool, arguments)), tool, arguments);
  }

  private static String callId() {
    return MessageId.random().value();
  }

  private String key(String tool, ObjectNode arguments) {
    String what = tool + Json.text(arguments);
    return origin
        + "/"
        + calls.incrementAndGet()
        + "/"
        + UUID.nameUUIDFromBytes(what.getBytes(StandardCharsets.UTF_8));
  }
}
