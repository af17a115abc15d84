package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.substrat.protocol.Fault;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ProgressSink;
import dev.substrat.tool.transcript.Transcript;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// When an external call is recorded: write calls before they are executed, read-only calls later.
@OnEveryDatabase
@Requirement({"S3-6", "S4-20"})
final class CallRecordingTest {
  private static final String TOOLS =
      """
      - { name: tides, description: Reads., executionType: internal, execution: { url: "SERVICE/tides" } }
      - { name: sail, description: Sails., executionType: internal, execution: { url: "SERVICE/sail", method: POST } }
      """;

  private final CustomToolTeam team;
  private final Agent ada;
  private final List<String> seen = new ArrayList<>();

  CallRecordingTest(TestDatabase kind) {
    this.team = new CustomToolTeam(kind.dialect());
    this.ada = team.external(TOOLS);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_reader_sees_the_row_of_a_write_before_it_is_executed() {
    team.service.before("/sail", _ -> seen.addAll(record()));

    team.callOnce(ada, "sail", "{}");

    assertThat(seen).containsExactly(Transcript.CALL);
    assertThat(record()).containsExactly(Transcript.CALL, Transcript.RETURN);
  }

  @Test
  void a_call_with_an_idempotency_key_is_durable_before_it_is_executed()
      throws InterruptedException {
    assumeThat(team.database.hasOneWriter()).isTrue();
    team.callOnce(ada, "sail", "{}");
    int before = team.service.requests.size();
    whileNothingIsWritten(() -> {
      Thread calling =
          Thread.ofVirtual().start(() -> team.call(ada, "sail", "{}", "key", ProgressSink.UNHEARD));
      Await.until(() -> calling.getState() == Thread.State.WAITING);
      assertThat(team.service.requests).hasSize(before);
      return calling;
    });

    assertThat(record()).hasSize(4);
  }

  @Test
  void an_external_agent_gets_the_result_of_a_write_after_the_commit() throws InterruptedException {
    assumeThat(team.database.hasOneWriter()).isTrue();
    team.callOnce(ada, "sail", "{}");
    var arrived = new CountDownLatch(1);
    team.service.before("/sail", _ -> arrived.countDown());
    whileNothingIsWritten(() -> {
      Thread calling = Thread.ofVirtual().start(() -> team.callOnce(ada, "sail", "{}"));
      assertThat(awaited(arrived)).isTrue();
      Await.until(() -> calling.getState() == Thread.State.WAITING);
      return calling;
    });

    assertThat(record()).hasSize(4);
    assertThat(team.told("tool_called")).hasSize(2);
  }

  @Test
  void after_a_failed_row_no_write_is_executed_until_a_row_is_stored() {
    assumeThat(team.database.hasOneWriter()).isTrue();
    team.callOnce(ada, "sail", "{}");
    team.database.transact(tx -> tx.update("alter table run_message rename to gone"));
    assertThatThrownBy(() -> team.callOnce(ada, "sail", "{}"))
        .isInstanceOf(Fault.class)
        .hasMessageContaining("sail was executed");
    int sailed = team.service.requests.size();

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> team.callOnce(ada, "sail", "{}")).isInstanceOf(Fault.class);
    }
    assertThat(team.service.requests).hasSize(sailed);

    team.database.transact(tx -> tx.update("alter table gone rename to run_message"));
    team.callOnce(ada, "sail", "{}");
    assertThat(record()).hasSize(4);
  }

  @Test
  void a_slow_read_is_recorded_while_it_runs() {
    team.service.before(
        "/tides", _ -> Await.until(() -> record().equals(List.of(Transcript.CALL))));

    team.call(ada, "tides", "{}");

    assertThat(record()).containsExactly(Transcript.CALL, Transcript.RETURN);
    assertThat(team.told("tool_called")).hasSize(1);
  }

  @Test
  void every_read_is_recorded_once() {
    for (int i = 0; i < 20; i++) {
      team.call(ada, "tides", "{}");
    }

    assertThat(record()).hasSize(40);
    assertThat(team.told("tool_called")).hasSize(20);
  }

  @Test
  void a_repeated_read_returns_the_current_value() {
    team.service.answers("/tides", 200, "application/json", "{\"high\":1}");
    team.call(ada, "tides", "{}", "key", ProgressSink.UNHEARD);
    team.service.answers("/tides", 200, "application/json", "{\"high\":2}");

    var again = team.call(ada, "tides", "{}", "key", ProgressSink.UNHEARD);

    assertThat(again.path("high").asInt()).isEqualTo(2);
  }

  @Test
  void a_read_of_an_external_agent_does_not_wait_for_the_commit() throws InterruptedException {
    assumeThat(team.database.hasOneWriter()).isTrue();
    team.call(ada, "tides", "{}");
    assertThat(record()).hasSize(2);
    whileNothingIsWritten(() -> {
      Thread calling = Thread.ofVirtual().start(() -> team.call(ada, "tides", "{}"));
      Await.until(() -> calling.getState() == Thread.State.TERMINATED);
      return calling;
    });

    assertThat(record()).hasSize(4);
    assertThat(team.told("tool_called")).hasSize(2);
  }

  @Test
  void a_read_with_a_large_result_waits_for_its_record() {
    assumeThat(team.database.hasOneWriter()).isTrue();
    team.service.answers("/tides", 200, "text/plain", "x".repeat(100_000));
    team.database.transact(tx -> tx.update("alter table run_message rename to gone"));

    assertThatThrownBy(() -> team.call(ada, "tides", "{}")).isInstanceOf(Fault.class);

    team.database.transact(tx -> tx.update("alter table gone rename to run_message"));
  }

  @Test
  void a_failed_record_is_reported_to_the_next_read() {
    assumeThat(team.database.hasOneWriter()).isTrue();
    team.call(ada, "tides", "{}");
    team.database.transact(tx -> tx.update("alter table run_message rename to gone"));
    team.call(ada, "tides", "{}");

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> team.call(ada, "tides", "{}")).isInstanceOf(Fault.class);
    }

    team.database.transact(tx -> tx.update("alter table gone rename to run_message"));
    team.call(ada, "tides", "{}");
    assertThat(record()).hasSize(4);
  }

  /// Keeps the writer of the database busy during `work`, and then waits for the threads that
  /// `work` started.
  private void whileNothingIsWritten(Supplier<Thread> work) throws InterruptedException {
    var held = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    Thread writing =
        Thread.ofVirtual()
            .start(() ->
                team.database.transact(_ -> {
                  held.countDown();
                  return awaited(go);
                }));
    assertThat(awaited(held)).isTrue();
    Thread busy;
    try {
      busy = work.get();
    } finally {
      go.countDown();
    }
    assertThat(writing.join(Duration.ofMinutes(2))).isTrue();
    assertThat(busy.join(Duration.ofMinutes(2))).isTrue();
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(120, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> record() {
    return team.rows("select type from run_line order by id, type", "type");
  }
}
