package dev.substrat.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.substrat.fault.Fault;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.Progress;
import dev.substrat.transcript.Transcript;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// When a call beyond the daemon is on record: before it leaves, unless it only looks.
@OnEveryDatabase
@Requirement({"S3-6", "S4-20"})
final class LookingToolTest {
  private static final String TOOLS =
      """
      - { name: tides, description: Reads., executionType: internal, execution: { url: "SERVICE/tides" } }
      - { name: sail, description: Sails., executionType: internal, execution: { url: "SERVICE/sail", method: POST } }
      """;

  private final GatewayTeam team;
  private final Agent ada;
  private final List<String> seen = new ArrayList<>();

  LookingToolTest(TestDatabase kind) {
    this.team = new GatewayTeam(kind.dialect());
    this.ada = team.external(TOOLS);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void what_changes_something_is_on_record_before_it_leaves() {
    team.service.before("/sail", _ -> seen.addAll(record()));

    team.call(ada, "sail", "{}");

    assertThat(seen).containsExactly(Transcript.CALL);
    assertThat(record()).containsExactly(Transcript.CALL, Transcript.RETURN);
  }

  @Test
  void a_look_that_takes_long_is_on_record_while_it_lasts() {
    team.service.before(
        "/tides", _ -> Await.until(() -> record().equals(List.of(Transcript.CALL))));

    team.call(ada, "tides", "{}");

    assertThat(record()).containsExactly(Transcript.CALL, Transcript.RETURN);
    assertThat(team.told("tool_called")).hasSize(1);
  }

  @Test
  void every_look_is_on_record_once() {
    for (int i = 0; i < 20; i++) {
      team.call(ada, "tides", "{}");
    }

    assertThat(record()).hasSize(40);
    assertThat(team.told("tool_called")).hasSize(20);
  }

  @Test
  void who_repeats_a_look_sees_what_is_there_now() {
    team.service.answers("/tides", 200, "application/json", "{\"high\":1}");
    team.call(ada, "tides", "{}", "key", Progress.UNHEARD);
    team.service.answers("/tides", 200, "application/json", "{\"high\":2}");

    var again = team.call(ada, "tides", "{}", "key", Progress.UNHEARD);

    assertThat(again.path("high").asInt()).isEqualTo(2);
  }

  @Test
  void whose_mind_is_elsewhere_does_not_wait_for_the_disk_to_look() throws InterruptedException {
    assumeThat(team.database.hasOneWriter()).isTrue();
    team.call(ada, "tides", "{}");
    assertThat(record()).hasSize(2);
    var held = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    Thread writing =
        Thread.ofVirtual()
            .start(() ->
                team.database.transact(_ -> {
                  held.countDown();
                  return awaited(go);
                }));
    awaited(held);

    team.call(ada, "tides", "{}");
    assertThat(go.getCount()).isEqualTo(1);
    go.countDown();

    assertThat(record()).hasSize(4);
    assertThat(team.told("tool_called")).hasSize(2);
    assertThat(writing.join(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void what_is_large_is_waited_for() {
    assumeThat(team.database.hasOneWriter()).isTrue();
    team.service.answers("/tides", 200, "text/plain", "x".repeat(100_000));
    team.database.transact(tx -> tx.update("alter table run_message rename to gone"));

    assertThatThrownBy(() -> team.call(ada, "tides", "{}")).isInstanceOf(Fault.class);

    team.database.transact(tx -> tx.update("alter table gone rename to run_message"));
  }

  @Test
  void what_could_not_be_put_on_record_is_told_at_the_next_look() {
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

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> record() {
    return team.rows("select type from run_message order by id", "type");
  }
}
