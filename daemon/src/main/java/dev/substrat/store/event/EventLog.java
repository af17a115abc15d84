package dev.substrat.store.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.RequestActor;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The event log: append-only, written in the same transaction as the change it reports, numbered
/// without gaps, readable from any number on.
///
/// Safe for many threads. On PostgreSQL an [EventSequencer] assigns the numbers after the commit;
/// on SQLite the row numbers of the one writer already are the order.
public final class EventLog implements AutoCloseable {
  /// An intermediate result of a tool. One call may have thousands of them.
  public static final String TOOL_PROGRESS = "tool-result";

  /// The label of the token with which an operator acted: for operators only.
  public static final String BY_TOKEN = "byToken";

  private static final String BY = "by";

  private static final String CHANNEL = "substrat_event";

  private static final String COLUMNS = "at, kind, agent_id, peer_id, space_id, run_id, payload";

  /// See the view of this name.
  private static final String SELECT = "select seq, " + COLUMNS + " from event_log";

  private static final String APPEND =
      """
      insert into event (at, kind, agent_no, peer_no, space_no, run_no, payload)
      values (?, ?, ENTITY, ENTITY, ENTITY, ENTITY, ?)
      """
          .replace("ENTITY", "(select no from event_entity where id = ?)");

  private static final String STAGE =
      "insert into event_staging (" + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?)";

  private static final String IS_ENTITY = " = (select no from event_entity where id = ?)";

  /// Ids that are known to have a number; more are looked up.
  private static final int MOST_KNOWN = 10_000;

  /// Maximum characters of a long text in an overview.
  private static final int BRIEF = 1_000;

  /// Keys whose full values are in the records of the run.
  private static final List<String> ABRIDGED_KEYS = List.of("arguments", "response", "metadata");

  private final Database database;
  private final InstantSource clock;
  private final EventSignal signal = new EventSignal();
  private final EventSignals signals = new EventSignals(signal);
  private final EventSignal commits;
  private final @Nullable EventSequencer sequencer;
  private final AutoCloseable others;
  private final Map<String, EventDetails> details = new ConcurrentHashMap<>();

  /// Ids whose row in `event_entity` is committed, on SQLite.
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  public EventLog(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
    this.sequencer =
        switch (database.dialect()) {
          case SQLITE -> null;
          case POSTGRES -> new EventSequencer(database, CHANNEL, signals::ringAll);
        };
    this.commits = sequencer == null ? signal : sequencer.commits();
    this.others = database.listen(CHANNEL, _ -> signals.ringAll());
  }

  /// Rings after new events can be read, whichever daemon wrote them.
  public EventSignal signal() {
    return signal;
  }

  /// Rings after each commit of this daemon that reports an event. On PostgreSQL the event can be
  /// read a little later.
  public EventSignal commits() {
    return commits;
  }

  /// Rings like [#signal()], but not for events of other kinds, as far as these are this daemon's
  /// own.
  public EventSignal signal(Set<String> kinds) {
    return signals.of(kinds);
  }

  /// Events of this kind get their missing values from `source` when they are read.
  public void complete(String kind, EventDetails source) {
    details.put(kind, source);
  }

  public void append(Tx tx, NewEvent event) {
    if (sequencer == null) {
      keepEntities(tx, event);
    }
    tx.update(
        sequencer == null ? APPEND : STAGE,
        clock.instant(),
        event.kind(),
        event.agent(),
        event.peer(),
        event.space(),
        event.run(),
        Json.text(byActor(event).payload()));
    tx.afterCommit(sequencer == null ? signals.ringing(event.kind()) : sequencer.waking());
  }

  /// Gives a number to each id that the event names; the sequencer does it on PostgreSQL.
  private void keepEntities(Tx tx, NewEvent event) {
    for (String id : Arrays.asList(event.agent(), event.peer(), event.space(), event.run())) {
      if (id != null && !known.contains(id)) {
        tx.update("insert into event_entity (id) values (?) on conflict do nothing", id);
        tx.afterCommit(() -> remember(id));
      }
    }
  }

  private void remember(String id) {
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    known.add(id);
  }

  /// Actions of an operator are recorded with the acting person and token.
  private static NewEvent byActor(NewEvent event) {
    RequestActor actor = RequestActor.current();
    if (actor == null) {
      return event;
    }
    NewEvent known = event.payload().has(BY) ? event : event.with(BY, actor.key());
    return actor.token().isEmpty() ? known : known.with(BY_TOKEN, actor.token());
  }

  /// The number of the newest event, 0 before the first.
  public long last() {
    return database.read(tx -> tx.number("select coalesce(max(seq), 0) as n from event"));
  }

  /// Up to `limit` events after number `seq`, oldest first.
  public List<Event> after(long seq, Event.EventFilter filter, int limit) {
    var sql = new StringBuilder(SELECT + " where seq > ?");
    var values = new ArrayList<@Nullable Object>(List.of(seq));
    if (filter.agent() != null) {
      sql.append(" and (agent_no" + IS_ENTITY + " or peer_no" + IS_ENTITY + ")");
      values.add(filter.agent());
      values.add(filter.agent());
    }
    if (filter.space() != null) {
      sql.append(" and space_no" + IS_ENTITY);
      values.add(filter.space());
    }
    if (filter.run() != null) {
      sql.append(" and run_no" + IS_ENTITY);
      values.add(filter.run());
    }
    sql.append(" order by seq limit ?");
    values.add(limit);
    return database.read(tx -> list(tx, sql.toString(), values.toArray()));
  }

  /// The rows of a query, with the values that they were stored without.
  private List<Event> list(Tx tx, String sql, @Nullable Object... values) {
    List<Event> found = tx.list(sql, EventLog::event, values);
    var complete = new TreeMap<Long, Event>();
    found.forEach(event -> complete.put(event.seq(), event));
    found.stream()
        .filter(event -> details.containsKey(event.kind()))
        .collect(Collectors.groupingBy(Event::kind))
        .forEach((kind, events) ->
            Objects.requireNonNull(details.get(kind))
                .add(tx, events)
                .forEach(event -> complete.put(event.seq(), event)));
    return found.stream().map(event -> complete.getOrDefault(event.seq(), event)).toList();
  }

  /// Up to `limit` events of these kinds after number `seq`, oldest first. The others cost no more
  /// than a glance at their rows.
  public List<Event> ofKinds(Set<String> kinds, long seq, int limit) {
    String marks = kinds.stream().map(_ -> "?").collect(Collectors.joining(", "));
    var values = new ArrayList<@Nullable Object>(List.of(seq));
    values.addAll(new TreeSet<>(kinds));
    values.add(limit);
    String sql = SELECT + " where seq > ? and kind in (%s) order by seq limit ?".formatted(marks);
    return database.read(tx -> list(tx, sql, values.toArray()));
  }

  /// Up to `limit` events after number `seq`, oldest first, long ones in brief.
  public List<Event> listAbridged(long seq, int limit) {
    return database.read(
        tx -> listAbridged(tx, abridged(tx) + " where seq > ? order by seq limit ?", seq, limit));
  }

  private List<Event> listAbridged(Tx tx, String sql, @Nullable Object... values) {
    return list(tx, sql, values).stream()
        .map(event -> details.containsKey(event.kind()) ? abridged(event) : event)
        .toList();
  }

  private static Event abridged(Event event) {
    if (Json.text(event.payload()).length() <= BRIEF) {
      return event;
    }
    ObjectNode brief = event.payload().deepCopy().without(ABRIDGED_KEYS);
    String text = brief.path("text").asText();
    return event.with(text.length() <= BRIEF ? brief : brief.put("text", text.substring(0, BRIEF)));
  }

  /// Without large values: otherwise a page of events could be as large as the texts they are
  /// about.
  private static String abridged(Tx tx) {
    return SELECT.replace(
        "payload", tx.dialect().abridged("payload", BRIEF, ABRIDGED_KEYS) + " as payload");
  }

  /// The newest `limit` events of an agent, oldest first, with long ones abridged; without progress
  /// of its tools, which would displace all others.
  public List<Event> newest(String agent, int limit) {
    return database.read(tx -> {
      var found = new TreeMap<Long, Event>();
      for (String column : List.of("agent_no", "peer_no")) {
        String which = " where " + column + IS_ENTITY + " and kind <> ? order by seq desc limit ?";
        listAbridged(tx, abridged(tx) + which, agent, TOOL_PROGRESS, limit)
            .forEach(event -> found.put(event.seq(), event));
      }
      var all = List.copyOf(found.values());
      return all.subList(Math.max(0, all.size() - limit), all.size());
    });
  }

  private static Event event(ResultRow row) {
    return new Event(
        row.number("seq"),
        row.instant("at"),
        row.text("kind"),
        row.textOrNull("agent_id"),
        row.textOrNull("peer_id"),
        row.textOrNull("space_id"),
        row.textOrNull("run_id"),
        (ObjectNode) Json.own(row.text("payload")));
  }

  @Override
  public void close() {
    if (sequencer != null) {
      sequencer.close();
    }
    try {
      others.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
