package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Message.MessageStatus;
import dev.substrat.messaging.message.Messages;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// New messages in a failing turn together with messages at their last attempt.
@OnEveryDatabase
final class RetriedEventsTest {
  private final PromptedProvider provider = new PromptedProvider();
  private final TestTeam team;

  RetriedEventsTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1, List.of(provider));
    team.agent("{name: ben, provider: {name: prompted}}");
    provider.reacts((_, prompt) -> {
      if (prompt.turn().contains("poison")) {
        throw new IllegalStateException("ben cannot stand it");
      }
      return "fine";
    });
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"A4", "N1"})
  void a_retried_question_does_not_become_dead_with_an_older_message() {
    Message poison = tell("poison");
    failTimes(4);
    gate(true);
    team.clock.pass(Duration.ofSeconds(8));
    Message question = team.ask("ben", "how are you?");
    gate(false);

    team.await(() -> team.status(poison) == MessageStatus.DEAD);
    assertThat(team.status(question)).isEqualTo(MessageStatus.STORED);
    team.clock.pass(Duration.ofSeconds(2));

    assertThat(team.answer(question)).isEqualTo("fine");
  }

  @Test
  @Requirement("N2")
  void a_held_message_shown_in_a_failed_turn_is_retried_like_any_other() {
    Message poison = tell("poison");
    failTimes(4);
    gate(true);
    team.clock.pass(Duration.ofSeconds(8));
    Message held = tell("round and round");
    team.database.transact(tx -> {
      tx.update("update message set held_reason = 'a circle' where id = ?", held.id().value());
      return tx.update("update inbox_event set held = 1 where id = ?", held.id().value());
    });
    gate(false);

    team.await(() -> team.status(poison) == MessageStatus.DEAD);
    team.clock.pass(Duration.ofSeconds(2));

    team.await(() -> team.status(held) == MessageStatus.READ);
  }

  private void failTimes(int attempts) {
    for (int attempt = 1; attempt <= attempts; attempt++) {
      int soFar = attempt;
      if (attempt > 1) {
        team.clock.pass(Duration.ofSeconds(8));
      }
      team.await(() -> team.count("turn_ended") == soFar);
    }
  }

  private void gate(boolean gated) {
    team.database.transact(tx -> tx.update("update agent set gated = ?", gated));
    team.events.signal().notifyWaiters();
  }

  private Message tell(String text) {
    return team.messages.fromOperator("ben", new Messages.PersonMessage(text, false, null), null);
  }
}
