package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCall;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A message is sent to an agent during its termination: no sender waits for an answer.
@OnEveryDatabase
@Requirement({"A4", "N2"})
final class ConcurrentTerminationTest {
  private final TestDatabase place;
  private final TestTeam team;

  ConcurrentTerminationTest(TestDatabase place) {
    this.place = place;
    this.team = new TestTeam(place.dialect(), 1);
    team.agent("{name: mira, provider: {name: external}}");
    team.agent("{name: ben, parent: mira, provider: {name: external}}");
  }

  @BeforeEach
  void onlyWhereTransactionsRunSideBySide() {
    assumeThat(place.dialect()).isEqualTo(Dialect.POSTGRES);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_message_of_a_person_to_an_agent_being_terminated_is_rejected() throws Exception {
    Future<?> asked = whileBenEnds(() -> team.ask("ben", "are you there?"));

    assertThatThrownBy(() -> result(asked))
        .isInstanceOfSatisfying(
            Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.AGENT_NOT_FOUND));
    assertThat(waits()).isZero();
  }

  @Test
  void a_message_of_an_agent_to_an_agent_being_terminated_is_rejected() throws Exception {
    var caller = team.engine.externalRuns().caller(team.agents.require("mira"));
    var call = new ToolCall(caller, 0, MessageId.random().value(), "key");
    var message = Json.object().put("recipient", "ben").put("text", "are you there?");

    Future<String> asked =
        whileBenEnds(() -> {
          var answer = team.engine.pipeline().call(call, "send_message", message);
          return answer.reply().json().path("code").asText();
        });

    assertThat(result(asked)).isEqualTo("RECIPIENT_UNREACHABLE");
    assertThat(waits()).isZero();
  }

  /// Starts `work` when ben's termination is not yet committed, and commits it once the work waits
  /// for it.
  private <T> Future<T> whileBenEnds(Callable<T> work) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        var other = team.another()) {
      var ben = team.agents.require("ben");
      return other.transact(tx -> {
        team.agents.terminate(tx, ben);
        Future<T> begun = threads.submit(work);
        while (tx.number("select count(*) as n from pg_locks where not granted") == 0) {
          assertThat(begun).isNotDone();
          Thread.onSpinWait();
        }
        return begun;
      });
    }
  }

  private static <T> T result(Future<T> future) {
    return switch (future.state()) {
      case FAILED -> throw unchecked(future.exceptionNow());
      default -> future.resultNow();
    };
  }

  private static RuntimeException unchecked(Throwable failure) {
    return failure instanceof RuntimeException known ? known : new CompletionException(failure);
  }

  private long waits() {
    return team.database.read(tx -> tx.number("select count(*) as n from pending_reply"));
  }
}
