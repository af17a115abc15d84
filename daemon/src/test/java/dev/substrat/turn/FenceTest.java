package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.message.AgentMessages.MessageRequest;
import dev.substrat.messaging.message.Message;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.ToolCaller;
import dev.substrat.turn.scheduling.Leases;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A turn that lost its lease cannot write.
@OnEveryDatabase
final class FenceTest {
  private static final String PLAYBOOK = "provider: {name: scripted, playbook: []}";

  /// After the team's clock, so that its dispatcher does not claim the events of this test.
  private final Instant later = Instant.now().plus(Duration.ofDays(1));

  private final TestTeam team;
  private final Agent mira;
  private final Leases leases;

  FenceTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
    this.mira = team.agent("{name: mira, " + PLAYBOOK + "}");
    team.agent("{name: ben, parent: mira, " + PLAYBOOK + "}");
    this.leases = new Leases("this daemon", TestTeam.LEASE, place.dialect());
    var mail =
        new InboxEvent("later", InboxEvent.InboxEventKind.NOTICE, null, Json.object(), 0, false);
    team.database.transact(tx -> {
      Inbox.put(tx, mira.id(), mail, false);
      return tx.update("update inbox_event set not_before = ?", later);
    });
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_turn_with_the_lease_may_write() {
    long turn = take(leases).orElseThrow();

    team.mail.send(caller(turn), new MessageRequest("ben", "hello", false, null), null);

    assertThat(team.messages.of(mira.id(), 10)).extracting(Message::text).containsExactly("hello");
  }

  @Test
  void a_turn_that_lost_its_lease_writes_nothing() {
    long old = take(leases).orElseThrow();
    team.database.transact(tx -> {
      leases.release(tx, new Leases.Lease(mira.id(), old));
      return leases.acquire(tx, mira.id(), later);
    });
    team.await(() -> team.count("agent_created") == 2);
    long before = team.events.last();

    assertThatThrownBy(() ->
            team.mail.send(caller(old), new MessageRequest("ben", "too late", false, null), null))
        .isInstanceOf(StaleTurn.class);

    assertThat(team.messages.of(mira.id(), 10)).isEmpty();
    assertThat(team.events.last()).isEqualTo(before);
  }

  @Test
  void exactly_one_of_many_concurrent_claims_gets_the_lease() {
    var other = new Leases("other daemon", TestTeam.LEASE, team.database.dialect());

    assertThat(take(leases)).isPresent();
    assertThat(take(other)).isEmpty();
    assertThat(take(leases)).isEmpty();
  }

  @Test
  void a_turn_cannot_release_the_lease_of_a_later_one() {
    long old = take(leases).orElseThrow();
    var first = new Leases.Lease(mira.id(), old);
    team.database.transact(tx -> leases.release(tx, first));
    long next = take(leases).orElseThrow();

    assertThat(team.database.<Boolean>transact(tx -> leases.release(tx, first))).isFalse();

    assertThat(team.database.<List<Leases.Lease>>read(leases::own))
        .containsExactly(new Leases.Lease(mira.id(), next));
  }

  private Optional<Long> take(Leases owner) {
    return team.database.transact(tx -> owner.acquire(tx, mira.id(), later));
  }

  private ToolCaller caller(long turn) {
    return new ToolCaller(mira, RunId.random(), leases.owner(), turn, 0, null);
  }
}
