package dev.substrat.toolset.team;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.execution.RepeatedCalls;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Subscriptions of agents to the ends of other agents' turns, as an alternative to polling.
///
/// A turn that only processed such notices causes no notice itself: two agents that subscribe to
/// each other would otherwise never stop.
public final class TurnSubscriptions {
  /// Marks these notices.
  private static final String ABOUT = "about";

  /// Enough to decide whether to read more.
  private static final int MAX_LENGTH = 500;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  public TurnSubscriptions(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// Subscribes to a parent, child or sibling; idempotent.
  Agent add(ToolCall call, String name) {
    return database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      Agent subject = near(tx, call.caller().agent(), name);
      if (RepeatedCalls.isFirst(tx, call, "subscribe", clock.instant())) {
        tx.update(
            """
            insert into subscription (watcher, subject, created_at) values (?, ?, ?)
            on conflict do nothing
            """,
            call.caller().agent().id().value(),
            subject.id().value(),
            clock.instant());
      }
      return subject;
    });
  }

  Agent remove(ToolCall call, String name) {
    return database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      Agent subject = near(tx, call.caller().agent(), name);
      if (RepeatedCalls.isFirst(tx, call, "unsubscribe", clock.instant())
          && !end(tx, call, subject)) {
        throw ErrorCode.NOT_FOUND.fault(
            "you are not subscribed to " + subject.name(), "subscribe with subscribe");
      }
      return subject;
    });
  }

  private static boolean end(Tx tx, ToolCall call, Agent subject) {
    return tx.update(
            "delete from subscription where watcher = ? and subject = ?",
            call.caller().agent().id().value(),
            subject.id().value())
        == 1;
  }

  private static Agent near(Tx tx, Agent watcher, String name) {
    List<Agent> reachable = AgentTree.reachable(tx, watcher);
    return reachable.stream()
        .filter(other -> other.isCalled(name))
        .findFirst()
        .orElseThrow(() ->
            ErrorCode.RECIPIENT_UNREACHABLE.fault(
                "you cannot subscribe to \"" + name + "\"",
                "you can subscribe to: "
                    + String.join(", ", reachable.stream().map(Agent::name).toList())));
  }

  /// An ended turn: agent, position in a chain of messages, and events.
  public record EndedTurn(
      Agent agent, RunInputEvents.ChainPosition chain, List<InboxEvent> events) {}

  /// Notifies subscribers of the agent how its turn ended. The notices continue the turn's chain,
  /// so the loop guards apply to messages that follow from them.
  public void turnEnded(Tx tx, EndedTurn turn, String status, @Nullable String text) {
    List<InboxEvent> given = turn.events();
    if (!given.isEmpty() && given.stream().allMatch(event -> event.payload().has(ABOUT))) {
      return;
    }
    String notice = turn.agent().name() + " ended a turn: " + status;
    notifySubscribers(
        tx,
        turn.agent(),
        turn.chain(),
        text == null || text.isBlank() ? notice : notice + "\n" + cut(text));
  }

  /// Called when an agent is terminated: notifies its subscribers and deletes its subscriptions.
  public void ended(Tx tx, AgentId agent) {
    AgentTree.find(tx, agent.value())
        .ifPresent(gone ->
            notifySubscribers(
                tx,
                gone,
                new RunInputEvents.ChainPosition(-1, null, null),
                gone.name() + " was terminated"));
    tx.update(
        "delete from subscription where watcher = ? or subject = ?", agent.value(), agent.value());
  }

  private void notifySubscribers(
      Tx tx, Agent subject, RunInputEvents.ChainPosition chain, String text) {
    List<TurnSubscriber> watchers =
        tx.list(
            """
            select watcher, handle from subscription join agent on agent.id = watcher
            where subject = ? and agent.terminated_at is null
            """,
            row -> new TurnSubscriber(new AgentId(row.text("watcher")), row.text("handle")),
            subject.id().value());
    for (TurnSubscriber watcher : watchers) {
      var payload =
          Json.object()
              .put("kind", InboxEvent.InboxEventKind.NOTICE.toString())
              .put("from", "substrat")
              .put("text", text)
              .put(ABOUT, subject.name())
              .put("depth", chain.depth() + 1);
      if (chain.cause() != null) {
        payload.put(InboxEvent.CAUSE, chain.cause().value());
      }
      var notice =
          new InboxEvent(
              MessageId.random().value(), InboxEvent.InboxEventKind.NOTICE, null, payload, 0, true);
      Inbox.put(tx, watcher.id(), notice, false, clock.instant());
      events.append(
          tx,
          NewEvent.of("notice_given")
              .about(watcher.id().value())
              .and(subject.id().value())
              .with("agent", watcher.handle())
              .with("subject", subject.handle())
              .with("text", text));
    }
  }

  private record TurnSubscriber(AgentId id, String handle) {}

  private static String cut(String text) {
    return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + " …";
  }
}
