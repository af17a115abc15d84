package dev.substrat.tool.pending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventLog;
import dev.substrat.testkit.SettableClock;
import dev.substrat.tool.pending.PendingCall.PendingCallStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@OnEveryDatabase
@Timeout(300)
final class PendingCallsTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final SettableClock clock = new SettableClock(NOON);
  private final TestDatabase place;
  private final Database database;
  private final EventLog events;
  private final PendingCalls calls;

  PendingCallsTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.database = place.open();
    this.events = new EventLog(database, clock);
    this.calls = new PendingCalls(database, events, clock);
  }

  @AfterEach
  void close() throws IOException {
    events.close();
    place.close();
  }

  @Test
  void a_pending_call_is_visible_only_to_its_owner() {
    PendingCall call = open("ada", "{}", Duration.ofHours(1));

    assertThat(call.status()).isEqualTo(PendingCallStatus.PENDING);
    assertThat(calls.find("ada", call.id())).contains(call);
    assertThat(call.createdAt()).isEqualTo(NOON);
    assertThat(call.expiresAt()).isEqualTo(NOON.plus(Duration.ofHours(1)));
    assertThat(calls.find("ben", call.id())).isEmpty();
    assertThat(answer("ben", call.id(), "{}")).isNull();
  }

  @Test
  void an_uncommitted_call_does_not_exist() {
    var ids = new ArrayList<String>();
    assertThatThrownBy(() ->
            database.transact(tx -> {
              ids.add(calls.open(tx, opening("ada", "{}", null)).id());
              throw new IllegalStateException("changed my mind");
            }))
        .hasMessage("changed my mind");

    assertThat(calls.find("ada", ids.getFirst())).isEmpty();
  }

  @Test
  void a_call_with_several_questions_continues_after_the_last_answer() {
    String id = open("ada", "{\"name\":{},\"color\":{}}", null).id();

    PendingCall half = answer("ada", id, "{\"name\":\"Ada\",\"age\":36}");
    assertThat(half).isNotNull();
    assertThat(half.status()).isEqualTo(PendingCallStatus.ASKING);
    assertThat(half.questions()).isEqualTo(json("{\"color\":{}}"));
    assertThat(half.answers()).isEqualTo(json("{\"name\":\"Ada\"}"));

    PendingCall whole = answer("ada", id, "{\"name\":\"Eve\",\"color\":\"red\"}");
    assertThat(whole).isNotNull();
    assertThat(whole.status()).isEqualTo(PendingCallStatus.PENDING);
    assertThat(whole.questions()).isEmpty();
    assertThat(whole.answers()).isEqualTo(json("{\"name\":\"Ada\",\"color\":\"red\"}"));
  }

  @Test
  void a_call_ends_once_and_keeps_its_outcome() {
    String id = open("ada", "{\"name\":{}}", Duration.ofMinutes(1)).id();
    clock.pass(Duration.ofSeconds(5));

    assertThat(complete(id, "{\"sum\":3}")).isTrue();
    assertThat(complete(id, "{\"sum\":4}")).isFalse();
    assertThat(fail(id)).isFalse();
    assertThat(cancel(id)).isFalse();
    clock.pass(Duration.ofHours(1));
    assertThat(expire()).isZero();
    answer("ada", id, "{\"name\":\"Ada\"}");

    PendingCall over = calls.find("ada", id).orElseThrow();
    assertThat(over.status()).isEqualTo(PendingCallStatus.COMPLETED);
    assertThat(over.result()).isEqualTo(json("{\"sum\":3}"));
    assertThat(over.answers()).isEmpty();
    assertThat(over.updatedAt()).isEqualTo(NOON.plusSeconds(5));
  }

  @Test
  void a_cancelled_or_failed_call_accepts_no_result() {
    String unwanted = open("ada", "{}", null).id();
    String broken = open("ada", "{}", null).id();
    cancel(unwanted);
    fail(broken);

    assertThat(complete(unwanted, "{}")).isFalse();
    assertThat(complete(broken, "{}")).isFalse();
    assertThat(calls.find("ada", unwanted).orElseThrow().status())
        .isEqualTo(PendingCallStatus.CANCELLED);
    assertThat(calls.find("ada", broken).orElseThrow().result())
        .isEqualTo(json("{\"reason\":\"no line\"}"));
  }

  @Test
  void a_call_past_its_deadline_expires_and_one_without_a_deadline_does_not() {
    String patient = open("ada", "{}", null).id();
    var hasty = new ArrayList<String>();
    for (int i = 0; i < 150; i++) {
      hasty.add(open("ada", "{}", Duration.ofMinutes(1)).id());
    }
    String later = open("ada", "{}", Duration.ofMinutes(3)).id();
    clock.pass(Duration.ofSeconds(59));
    assertThat(expire()).isZero();

    clock.pass(Duration.ofSeconds(1));
    assertThat(expire() + expire() + expire()).isEqualTo(150);

    assertThat(hasty)
        .allSatisfy(id ->
            assertThat(calls.find("ada", id).orElseThrow().status())
                .isEqualTo(PendingCallStatus.EXPIRED));
    assertThat(calls.find("ada", patient).orElseThrow().status())
        .isEqualTo(PendingCallStatus.PENDING);
    assertThat(calls.find("ada", later).orElseThrow().status())
        .isEqualTo(PendingCallStatus.PENDING);
  }

  @Test
  void two_concurrent_answers_to_different_questions_both_count() throws Exception {
    for (int i = 0; i < 10; i++) {
      String id = open("ada", "{\"a\":{},\"b\":{}}", null).id();

      atOnce(() -> answer("ada", id, "{\"a\":1}"), () -> answer("ada", id, "{\"b\":2}"));

      PendingCall call = calls.find("ada", id).orElseThrow();
      assertThat(call.status()).isEqualTo(PendingCallStatus.PENDING);
      assertThat(call.answers()).isEqualTo(json("{\"a\":1,\"b\":2}"));
    }
  }

  @Test
  void of_two_concurrent_results_exactly_one_is_recorded() throws Exception {
    for (int i = 0; i < 10; i++) {
      String id = open("ada", "{}", null).id();

      List<Boolean> believed = atOnce(() -> complete(id, "{\"by\":\"first\"}"), () -> cancel(id));

      assertThat(believed).containsExactlyInAnyOrder(true, false);
      PendingCall call = calls.find("ada", id).orElseThrow();
      assertThat(call.status())
          .isEqualTo(believed.get(0) ? PendingCallStatus.COMPLETED : PendingCallStatus.CANCELLED);
    }
  }

  @Test
  void every_state_change_is_one_event() throws Exception {
    String id = open("ada", "{\"name\":{}}", null).id();
    answer("ada", id, "{\"name\":\"Ada\"}");
    complete(id, "{}");
    complete(id, "{}");

    List<Event> told = List.of();
    while (told.size() < 3) {
      told = events.after(0, Event.EventFilter.NONE, 100);
      Thread.onSpinWait();
    }
    assertThat(told)
        .extracting(event -> event.payload().path("status").asText())
        .containsExactly("pending", "pending", "resolved");
    assertThat(told).extracting(Event::agent).containsOnly("ada");
  }

  /// Results of tasks that start together.
  private static <T> List<T> atOnce(Callable<T> one, Callable<T> other) throws Exception {
    var start = new CyclicBarrier(2);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = threads.submit(() -> after(start, one));
      var second = threads.submit(() -> after(start, other));
      return List.of(first.get(), second.get());
    }
  }

  private static <T> T after(CyclicBarrier start, Callable<T> work) throws Exception {
    start.await();
    return work.call();
  }

  private PendingCall open(String owner, String questions, @Nullable Duration patience) {
    return database.transact(tx -> calls.open(tx, opening(owner, questions, patience)));
  }

  private static PendingCalls.NewPendingCall opening(
      String owner, String questions, @Nullable Duration patience) {
    return new PendingCalls.NewPendingCall(
        owner, null, "compute", Json.object(), json(questions), patience);
  }

  private @Nullable PendingCall answer(String owner, String id, String answers) {
    return database.transact(tx -> calls.answer(tx, owner, id, json(answers))).orElse(null);
  }

  private boolean complete(String id, String result) {
    return database.transact(tx -> calls.complete(tx, id, json(result)));
  }

  private boolean fail(String id) {
    return database.transact(tx -> calls.fail(tx, id, "no line"));
  }

  private boolean cancel(String id) {
    return database.transact(tx -> calls.cancel(tx, id));
  }

  private static ObjectNode json(String text) {
    return (ObjectNode) Json.own(text);
  }

  private int expire() {
    return database.transact(
        tx -> (int) calls.due(tx).stream().filter(id -> calls.expire(tx, id)).count());
  }
}
