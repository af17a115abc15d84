package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ProgressSink;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// External calls that are repeated with the same idempotency key.
@OnEveryDatabase
@Requirement("N1")
@Timeout(300)
final class RepeatedCallsTest {
  private static final Executor ASIDE = task -> Thread.ofVirtual().start(task);
  private static final String TOOLS =
      """
      - { name: pay, description: Pays., executionType: internal,
          execution: { url: SERVICE/pay, method: POST } }
      """;

  private final CustomToolTeam team;

  RepeatedCallsTest(TestDatabase kind) {
    this.team = new CustomToolTeam(kind.dialect());
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private JsonNode pay(Agent agent, String key) {
    return team.call(agent, "pay", "{}", key, ProgressSink.UNHEARD);
  }

  @Test
  void two_concurrent_calls_with_one_key_are_executed_once() {
    Agent ada = team.external(TOOLS);
    var over = new CountDownLatch(1);
    team.service.before("/pay", _ -> await(over));
    var first = CompletableFuture.supplyAsync(() -> pay(ada, "k1"), ASIDE);
    Await.until(() -> team.service.requests.size() == 1);

    var second = CompletableFuture.supplyAsync(() -> pay(ada, "k1"), ASIDE);
    Await.until(() -> second.isDone() || team.service.requests.size() > 1);
    assertThat(team.service.requests).hasSize(1);
    JsonNode refused = second.join();
    assertThat(refused.path("code").asText()).isEqualTo("CONFLICT");
    assertThat(refused.path("retryAfterMs").asLong()).isPositive();
    assertThat(refused.path("hint").asText()).contains("repeat the call with the same key");

    over.countDown();
    assertThat(first.join().path("ok").asBoolean()).isTrue();
    assertThat(pay(ada, "k1")).isEqualTo(first.join());
    assertThat(team.service.requests).hasSize(1);
    assertThat(pay(ada, "k2").path("ok").asBoolean()).isTrue();
    assertThat(team.service.requests).hasSize(2);
  }

  @Test
  void the_same_key_of_another_agent_is_another_key() {
    Agent ada = team.external(TOOLS);
    Agent ben = team.agent("name: ben\nprovider: { name: external }\ntools:\n" + TOOLS.indent(2));
    var over = new CountDownLatch(1);
    team.service.before("/pay", _ -> await(over));
    var hers = CompletableFuture.supplyAsync(() -> pay(ada, "k1"), ASIDE);
    var his = CompletableFuture.supplyAsync(() -> pay(ben, "k1"), ASIDE);
    Await.until(() -> team.service.requests.size() == 2);
    over.countDown();
    assertThat(hers.join()).isEqualTo(his.join());
  }

  @Test
  void idempotency_keys_expire_after_a_day() {
    Agent ada = team.external(TOOLS);
    pay(ada, "k1");
    team.clock.pass(Duration.ofHours(23));
    pay(ada, "k2");
    sweep();
    pay(ada, "k1");
    assertThat(team.service.requests).hasSize(2);

    team.clock.pass(Duration.ofHours(2));
    sweep();
    pay(ada, "k2");
    assertThat(team.service.requests).as("k2 is known").hasSize(2);
    assertThat(keys()).isEqualTo(1);
    pay(ada, "k1");
    assertThat(team.service.requests).as("k1 is not").hasSize(3);
  }

  @Test
  @Requirement("A12")
  void keys_of_a_turn_with_pending_retries_do_not_expire() {
    Agent ada =
        team.agent(
            """
            name: ada
            provider:
              name: scripted
              playbook: [{ when: { kind: message }, do: [{ call: pay, with: {} }, { fail: "not yet" }] }]
            tools:
            """
                + TOOLS.indent(2));
    team.engine
        .messages()
        .fromOperator("ada", new Messages.PersonMessage("pay the pilot", false, null), null);
    AgentId id = ada.id();
    team.turns.run(id);
    assertThat(team.service.requests).hasSize(1);

    team.clock.pass(Duration.ofDays(2));
    sweep();
    assertThat(keys()).isEqualTo(1);
    team.turns.run(id);
    assertThat(team.service.requests).as("paid once").hasSize(1);

    for (int attempt = 0; attempt < 3; attempt++) {
      team.clock.pass(Duration.ofDays(2));
      team.turns.run(id);
    }
    sweep();
    assertThat(keys()).as("no retry is pending").isZero();
  }

  private void sweep() {
    int done = team.engine.sweeps().stream().mapToInt(IntSupplier::getAsInt).sum();
    assertThat(done).isNotNegative();
  }

  private long keys() {
    return team.database.<Long>read(tx -> tx.number("select count(*) as n from call_done"));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
