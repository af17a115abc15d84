package dev.substrat.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.identity.Principal;
import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.space.Space.WakePolicy;
import dev.substrat.store.Dialect;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.ProviderConfig;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A turn ends while a person posts in one of its spaces. The poster locks the space first and then
/// its rows, so the turn must lock in the same order. Relevant only where transactions run
/// concurrently.
final class SpaceLocksTest {
  private static final SpaceGuardLimits ONE_IN_A_MINUTE =
      new SpaceGuardLimits(3, 1, Duration.ofSeconds(2), Duration.ofMinutes(2));

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final SpaceTeam team =
      new SpaceTeam(Dialect.POSTGRES, ONE_IN_A_MINUTE, new WaitingProvider(begun, mayEnd));
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /// A provider that waits until its turn may end.
  private record WaitingProvider(CountDownLatch begun, CountDownLatch mayEnd) implements Provider {
    @Override
    public String name() {
      return "patient";
    }

    @Override
    public ProviderConfig prepare(ProviderConfig settings) {
      return settings;
    }

    @Override
    public TurnOutcome runTurn(ProviderTurn turn) throws InterruptedException {
      begun.countDown();
      mayEnd.await();
      return new TurnOutcome.TurnFinished("");
    }
  }

  /// Ada's turn is about a message in `deck`, and about a held one there.
  @BeforeEach
  void begin() throws InterruptedException {
    Agent crier = team.external("crier");
    Agent ada = team.agent("{name: ada, toolsets: [channels], provider: {name: patient}}");
    team.room("deck", WakePolicy.ALL, crier, ada);
    team.call(crier, "send_message", "{'channelId':'deck','text':'land'}");
    team.call(crier, "send_message", "{'channelId':'deck','text':'land ahoy'}");
    assertThat(team.spaces.heldState(new Principal.OperatorPrincipal(), "deck").held())
        .isEqualTo(1);
    threads.execute(() -> team.turns.run(ada.id()));
    assertThat(begun.await(120, TimeUnit.SECONDS)).isTrue();
  }

  @AfterEach
  void close() throws IOException {
    mayEnd.countDown();
    threads.close();
    team.close();
  }

  @Test
  @Requirement("N1")
  void the_end_of_a_turn_locks_its_spaces_first() {
    whileDeckIsLocked(mayEnd::countDown);
  }

  @Test
  @Requirement("N1")
  void cancelling_a_turn_locks_its_spaces_first() {
    var ada = team.engine.agents().require("ada").id();
    var run = team.engine.runs().newest(ada, 1).getFirst();
    whileDeckIsLocked(
        () -> team.engine.cancellation().cancel(new Principal.OperatorPrincipal(), run));
  }

  private void whileDeckIsLocked(Runnable ending) {
    Future<?> ended =
        team.database.transact(tx -> {
          SpaceTable.lock(tx, "deck");
          Future<?> begun = threads.submit(ending);
          long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
          while (waiting(tx) == 0) {
            assertThat(System.nanoTime()).as("it must wait").isLessThan(limit);
          }
          assertThat(free(tx)).as("held in deck and not claimed").hasSize(1);
          return begun;
        });
    assertThat(ended).succeedsWithin(120, TimeUnit.SECONDS);
    team.await(() -> team.number("select count(*) as n from run where status = 'running'") == 0);
    assertThat(team.number("select count(*) as n from inbox_event")).isZero();
  }

  private static long waiting(Tx tx) {
    return tx.number("select count(*) as n from pg_locks where not granted");
  }

  private static List<String> free(Tx tx) {
    return tx.list(
        "select id from inbox_event where held = 1 for update skip locked", row -> row.text("id"));
  }
}
