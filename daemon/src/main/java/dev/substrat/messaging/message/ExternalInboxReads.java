package dev.substrat.messaging.message;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.UnclaimedEvents;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.ToolCall;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Inbox reads of external agents. They have no turns that could consume events: a batch counts as
/// read with the agent's next request of any kind, and a repeated request returns the same batch,
/// in case the response was lost.
public final class ExternalInboxReads {
  private final Database database;
  private final TurnDelivery delivery;
  private final InstantSource clock;

  ExternalInboxReads(Database database, TurnDelivery delivery, InstantSource clock) {
    this.database = database;
    this.delivery = delivery;
    this.clock = clock;
  }

  /// The agent has asked for something, so it has read what it was given before.
  public void confirmRead(AgentId agent, @Nullable String idempotencyKey) {
    database.transact(tx -> {
      markRead(tx, agent, batch(idempotencyKey));
      return true;
    });
  }

  /// Whether there is anything that it has read by coming back.
  public static boolean hasUnconfirmed(Tx tx, AgentId agent, @Nullable String idempotencyKey) {
    return !Inbox.handedOutBefore(tx, agent, batch(idempotencyKey)).isEmpty();
  }

  private static String batch(@Nullable String idempotencyKey) {
    return idempotencyKey == null ? "" : idempotencyKey;
  }

  private void markRead(Tx tx, AgentId agent, String batch) {
    List<InboxEvent> read = Inbox.handedOutBefore(tx, agent, batch);
    delivery.read(tx, read);
    read.forEach(event -> Inbox.readBatch(tx, event));
  }

  List<InboxEvent> handOut(Tx tx, ToolCall call, Predicate<InboxEvent> wanted) {
    AgentId agent = call.caller().agent().id();
    String batch = call.idempotencyKey() == null ? call.id() : call.idempotencyKey();
    List<InboxEvent> again = Inbox.handedOutTo(tx, agent, batch);
    if (!again.isEmpty()) {
      return again;
    }
    markRead(tx, agent, batch);
    Inbox.forgetBatches(tx, agent);
    Inbox.releaseClaims(tx, agent);
    var fresh = UnclaimedEvents.list(tx, agent, clock.instant(), wanted);
    fresh.forEach(event -> Inbox.handOut(tx, event, batch));
    delivery.fetched(tx, call, fresh);
    return fresh;
  }
}
