package dev.substrat.message;

import dev.substrat.id.Principal;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.inbox.Unclaimed;
import dev.substrat.json.Json;
import dev.substrat.store.Database;
import dev.substrat.tool.Caller;
import dev.substrat.tool.InboxNews;
import java.time.InstantSource;
import java.util.List;

/// What has arrived during a turn and was not shown yet.
public final class UnreadMail implements InboxNews.Source {
  /// Enough to know what it is about; check_inbox has the rest.
  private static final int EXCERPT = 200;

  private final Database database;
  private final InstantSource clock;

  public UnreadMail(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  @Override
  public InboxNews of(Caller caller) {
    var now = clock.instant();
    long count = database.read(tx -> Unclaimed.count(tx, caller.agent().id(), now));
    if (count == 0) {
      return InboxNews.NONE;
    }
    List<InboxEvent> unread = database.read(tx -> Unclaimed.list(tx, caller.agent().id(), now));
    var urgent = Json.object().putArray("urgent");
    unread.stream()
        .filter(UnreadMail::isUrgent)
        .limit(5)
        .forEach(event ->
            urgent
                .addObject()
                .put("from", event.payload().path("from").asText())
                .put("text", excerpt(event.payload().path("text").asText())));
    return new InboxNews(count, urgent);
  }

  private static boolean isUrgent(InboxEvent event) {
    return event.kind() == InboxEvent.Kind.NOTICE
        || event.payload().path("from").asText().equals(Principal.OPERATOR_NAME);
  }

  private static String excerpt(String text) {
    return text.length() <= EXCERPT ? text : text.substring(0, EXCERPT) + "…";
  }
}
