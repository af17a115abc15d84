package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Message.MessageStatus;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Turns whose end cannot be stored.
@OnEveryDatabase
final class TurnEndFailureTest {
  private final TestTeam team;

  TurnEndFailureTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
    team.agent("{name: ada, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement("N1")
  void an_end_that_cannot_be_stored_is_not_retried_forever() {
    // Stands for any bug: the second turn with an equal response violates this index.
    team.database.transact(tx -> tx.update("create unique index bug on run (response)"));
    assertThat(team.answer(team.ask("ada", "first"))).isEqualTo("aye");

    Message second = team.ask("ada", "second");
    for (int attempt = 1; attempt <= 5; attempt++) {
      int ended = 1 + attempt;
      team.await(() -> team.count("turn_ended") == ended);
      team.clock.pass(Duration.ofSeconds(9));
    }

    Message dead = team.messages.require(second.id());
    assertThat(dead.status()).isEqualTo(MessageStatus.DEAD);
    assertThat(dead.deadReason()).startsWith("the result of the turn could not be stored");
  }
}
