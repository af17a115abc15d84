package dev.substrat.store.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
final class EventLogTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final TestDatabase place;
  private final Database database;
  private final EventLog log;

  EventLogTest(TestDatabase place) {
    this.place = place;
    this.database = place.open();
    this.log = new EventLog(database, InstantSource.fixed(NOON));
  }

  @BeforeEach
  void empty() {
    database.transact(tx ->
        switch (tx.dialect()) {
          case SQLITE -> tx.update("delete from event");
          case POSTGRES ->
              // The counter first, as the sequencer locks it first.
              tx.update("update event_counter set last = 0")
                  + tx.update("delete from event_staging")
                  + tx.update("delete from event");
        });
  }

  @AfterEach
  void close() {
    log.close();
    database.close();
  }

  @Test
  void an_event_is_written_with_its_change_or_not_at_all() throws Exception {
    assertThatThrownBy(() ->
            database.transact(tx -> {
              log.append(tx, NewEvent.of("never_happened"));
              throw new IllegalStateException("changed my mind");
            }))
        .hasMessage("changed my mind");
    append(NewEvent.of("happened"));

    assertThat(await(1)).extracting(Event::kind).containsExactly("happened");
    assertThat(log.last()).isEqualTo(1);
  }

  @Test
  void progress_of_tools_is_not_among_the_newest_events_of_an_agent() throws Exception {
    append(NewEvent.of("turn_started").about("ada"));
    append(NewEvent.of("tool-result").about("ada"));
    append(NewEvent.of("tool-result").about("ada"));
    assertThat(await(3)).hasSize(3);
    assertThat(log.newest("ada", 2)).extracting(Event::kind).containsExactly("turn_started");
  }

  @Test
  void a_listener_for_some_kinds_is_not_woken_by_others() throws Exception {
    EventSignal some = log.signal(Set.of("wanted"));
    append(NewEvent.of("other"));
    append(NewEvent.of("wanted"));

    assertThat(await(2)).hasSize(2);
    some.awaitMoreThan(0, LIMIT);
    assertThat(log.ofKinds(Set.of("wanted"), 0, 10)).hasSize(1);
    // On PostgreSQL the kinds of events of another daemon are unknown.
    if (place.dialect() == Dialect.SQLITE) {
      assertThat(some.count()).isEqualTo(1);
      assertThat(log.signal().count()).isEqualTo(2);
    }
  }

  @Test
  void numbers_start_with_one_and_leave_no_gap_where_a_transaction_failed() throws Exception {
    for (int i = 0; i < 60; i++) {
      int number = i;
      if (i % 3 == 0) {
        assertThatThrownBy(() -> appendAndFail(number)).isInstanceOf(IllegalStateException.class);
      } else {
        append(NewEvent.of("step").with("number", number));
      }
    }
    assertThat(await(40))
        .extracting(Event::seq)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 40).boxed().toList());
    assertThat(log.after(0, Event.EventFilter.NONE, 100))
        .extracting(event -> event.payload().path("number").asInt())
        .isSorted()
        .noneMatch(number -> number % 3 == 0);
  }

  private void appendAndFail(int number) {
    database.transact(tx -> {
      log.append(tx, NewEvent.of("step").with("number", number));
      throw new IllegalStateException();
    });
  }

  @Test
  void events_are_read_as_written() throws Exception {
    append(NewEvent.of("said").about("ada").and("ben").during("run-1").with("text", "ahoy"));

    Event event = await(1).getFirst();
    assertThat(event.at()).isEqualTo(NOON);
    assertThat(event.kind()).isEqualTo("said");
    assertThat(event.agent()).isEqualTo("ada");
    assertThat(event.peer()).isEqualTo("ben");
    assertThat(event.run()).isEqualTo("run-1");
    assertThat(event.payload().path("text").asText()).isEqualTo("ahoy");
  }

  @Test
  void a_reader_resumes_page_by_page_after_its_last_event() throws Exception {
    for (int i = 0; i < 25; i++) {
      append(NewEvent.of("step"));
    }
    await(25);
    var seen = new ArrayList<Long>();
    for (var page = log.after(0, Event.EventFilter.NONE, 10);
        !page.isEmpty();
        page = log.after(seen.getLast(), Event.EventFilter.NONE, 10)) {
      page.forEach(event -> seen.add(event.seq()));
    }
    assertThat(seen).containsExactlyElementsOf(LongStream.rangeClosed(1, 25).boxed().toList());
  }

  @Test
  void a_filter_returns_events_of_one_agent_or_run() throws Exception {
    append(NewEvent.of("one").about("ada").during("run-1"));
    append(NewEvent.of("two").about("ben").and("ada"));
    append(NewEvent.of("three").about("ben").during("run-2"));
    await(3);

    assertThat(kinds(new Event.EventFilter("ada", null, null))).containsExactly("one", "two");
    assertThat(kinds(new Event.EventFilter("ben", null, null))).containsExactly("two", "three");
    assertThat(kinds(new Event.EventFilter(null, null, "run-2"))).containsExactly("three");
    assertThat(kinds(new Event.EventFilter("ada", null, "run-1"))).containsExactly("one");
    assertThat(kinds(new Event.EventFilter("noor", null, null))).isEmpty();
  }

  @Test
  void events_of_a_daemon_that_died_before_numbering_them_are_numbered_by_another()
      throws Exception {
    assumeThat(place.dialect()).as("SQLite has one daemon").isEqualTo(Dialect.POSTGRES);
    Database dead = place.open();
    var unnumbered = new EventLog(dead, InstantSource.system());
    unnumbered.close();
    // No daemon is left to number it, and there is no signal.
    dead.transact(tx -> {
      unnumbered.append(tx, NewEvent.of("last_words"));
      return true;
    });
    dead.close();

    assertThat(await(1)).extracting(Event::kind).containsExactly("last_words");
  }

  @Test
  void events_of_another_daemon_wake_the_signal() throws Exception {
    assumeThat(place.dialect()).as("SQLite has one daemon").isEqualTo(Dialect.POSTGRES);
    Database other = place.open();
    try (var writing = new EventLog(other, InstantSource.system())) {
      awaitListening(writing);
      long start = System.nanoTime();
      for (int i = 1; i <= 100; i++) {
        long seen = log.signal().count();
        other.transact(tx -> {
          writing.append(tx, NewEvent.of("news"));
          return true;
        });
        log.signal().awaitMoreThan(seen, LIMIT);
        assertThat(log.signal().count()).isGreaterThan(seen);
      }
      // A hundred polls once a second would take a hundred seconds.
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(60));
    } finally {
      other.close();
    }
  }

  /// Until the listener has its connection; it rings once when it has.
  private void awaitListening(EventLog writing) throws InterruptedException {
    writing.signal().awaitMoreThan(0, LIMIT);
    log.signal().awaitMoreThan(0, LIMIT);
  }

  private void append(NewEvent event) {
    database.transact(tx -> {
      log.append(tx, event);
      return true;
    });
  }

  private List<String> kinds(Event.EventFilter filter) {
    return log.after(0, filter, 100).stream().map(Event::kind).toList();
  }

  /// All events, once there are `count`.
  private List<Event> await(int count) throws InterruptedException {
    return EventTailer.read(log, count, LIMIT);
  }
}
