package dev.substrat.messaging.message;

import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.UnclaimedEvents;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import dev.substrat.store.ReadThroughCache;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.UnreadSummary;
import java.time.InstantSource;
import java.util.Set;

/// Inbox events that arrived during a turn and were not shown yet.
public final class UnreadMessages implements UnreadSummary.UnreadSource {
  /// Enough to recognise the topic; check_inbox returns the rest.
  private static final int EXCERPT = 200;

  /// Further ones are only counted.
  private static final int MAX_COUNT = 5;

  /// More than the number of agents that call tools at the same time.
  private static final int MAX_KNOWN_EVENTS = 1_000;

  private final Database database;
  private final InstantSource clock;
  private final ReadThroughCache<AgentId, Boolean> hasMail;

  public UnreadMessages(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
    this.hasMail =
        new ReadThroughCache<>(
            database, Set.of("inbox_event"), MAX_KNOWN_EVENTS, UnclaimedEvents::isThereAny);
  }

  @Override
  public UnreadSummary of(ToolCaller caller) {
    if (!hasMail.get(caller.agent().id())) {
      return UnreadSummary.NONE;
    }
    var now = clock.instant();
    long count = database.read(tx -> UnclaimedEvents.count(tx, caller.agent().id(), now));
    if (count == 0) {
      return UnreadSummary.NONE;
    }
    var urgent = Json.object().putArray("urgent");
    for (InboxEvent event :
        database.read(tx -> UnclaimedEvents.urgent(tx, caller.agent().id(), now, MAX_COUNT))) {
      urgent
          .addObject()
          .put("from", event.payload().path("from").asText())
          .put("text", excerpt(event.payload().path("text").asText()));
    }
    return new UnreadSummary(count, urgent);
  }

  private static String excerpt(String text) {
    return text.length() <= EXCERPT ? text : text.substring(0, EXCERPT) + "…";
  }
}
