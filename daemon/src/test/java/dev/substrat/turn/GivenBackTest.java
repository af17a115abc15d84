package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Message.Status;
import dev.substrat.messaging.message.Messages;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Mail that is in the hands of a failing turn for the first time, while other mail is there for
/// the last time.
@OnEveryDatabase
final class GivenBackTest {
  private final PromptedMind mind = new PromptedMind();
  private final TestTeam team;

  GivenBackTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1, List.of(mind));
    team.agent("{name: ben, provider: {name: prompted}}");
    mind.reacts((_, prompt) -> {
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
  void a_question_that_is_tried_again_does_not_die_with_an_older_message() {
    Message poison = tell("poison");
    failTimes(4);
    gate(true);
    team.clock.pass(Duration.ofSeconds(8));
    Message question = team.ask("ben", "how are you?");
    gate(false);

    team.await(() -> team.status(poison) == Status.DEAD);
    assertThat(team.status(question)).isEqualTo(Status.STORED);
    team.clock.pass(Duration.ofSeconds(2));

    assertThat(team.answer(question)).isEqualTo("fine");
  }

  @Test
  @Requirement("N2")
  void what_was_held_and_then_seen_is_tried_again_like_anything_else() {
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

    team.await(() -> team.status(poison) == Status.DEAD);
    team.clock.pass(Duration.ofSeconds(2));

    team.await(() -> team.status(held) == Status.READ);
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
    return team.messages.fromOperator("ben", new Messages.Note(text, false, null), null);
  }
}
