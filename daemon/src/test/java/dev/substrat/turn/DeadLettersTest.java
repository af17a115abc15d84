package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Message.MessageStatus;
import dev.substrat.messaging.message.MessageHistory.MessageFolder;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.toolset.team.BlockedReason;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Dead letters can be delivered again.
@OnEveryDatabase
final class DeadLettersTest {
  private final TestTeam team;

  DeadLettersTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
    team.agent("{name: ada, provider: {name: scripted, playbook: []}}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private Message dead() {
    Message question = team.ask("ada", "Are you there?");
    team.await(() -> team.messages.require(question.id()).status() == MessageStatus.DEAD);
    return question;
  }

  private ErrorCode refusal(Message message) {
    return catchThrowableOfType(Fault.class, () -> team.messages.deadLetters().retry(message.id()))
        .code();
  }

  @Test
  @Requirement("N1")
  void a_retried_dead_letter_is_delivered_and_its_sender_gets_a_new_outcome() {
    Message question = dead();
    assertThat(team.messages.history().page(MessageFolder.LOST, "", 10))
        .extracting(Message::id)
        .containsExactly(question.id());
    assertThat(team.messages.history().count(MessageFolder.LOST)).isEqualTo(1);

    Message again = team.messages.deadLetters().retry(question.id());

    assertThat(again.status()).isEqualTo(MessageStatus.STORED);
    assertThat(again.deadReason()).isNull();
    assertThat(again.history()).hasSize(1);
    team.await(() -> team.messages.require(question.id()).status() == MessageStatus.DEAD);
    assertThat(team.count("message_retried")).isEqualTo(1);
    assertThat(team.messages.newestToOperator(10))
        .as("a notice for each time")
        .hasSize(2)
        .allSatisfy(notice -> assertThat(notice.inReplyTo()).isEqualTo(question.id()));
  }

  @Test
  @Requirement("N1")
  void a_retried_dead_letter_starts_without_failed_attempts() {
    team.agent("{name: flop, provider: {name: scripted, playbook: [{do: [{fail: no model}]}]}}");
    Message question = team.ask("flop", "Are you there?");
    team.await(() -> {
      team.clock.pass(Duration.ofSeconds(10));
      return team.messages.require(question.id()).status() == MessageStatus.DEAD;
    });
    team.database.transact(tx -> tx.update("update agent set gated = 1 where handle = ?", "flop"));

    team.messages.deadLetters().retry(question.id());

    var agent = new AgentId(question.recipient());
    Optional<BlockedReason> ofMessage =
        team.database.read(tx -> BlockedReason.afterFailure(tx, agent, question.id()));
    Optional<BlockedReason> ofAgent =
        team.database.read(tx -> BlockedReason.afterFailure(tx, agent));
    assertThat(ofMessage).isEmpty();
    assertThat(ofAgent).isEmpty();
  }

  @Test
  @Requirement("N1")
  void a_delivered_message_or_one_to_a_terminated_agent_cannot_be_retried() {
    Message question = dead();
    Message notice = team.messages.newestToOperator(1).getFirst();
    assertThat(refusal(notice)).as("it is in a person's inbox").isEqualTo(ErrorCode.CONFLICT);

    team.agents.terminate("ada");

    assertThat(refusal(question)).isEqualTo(ErrorCode.CONFLICT);
    assertThat(team.messages.require(question.id()).status()).isEqualTo(MessageStatus.DEAD);
  }

  @Test
  void messages_are_listed_in_pages() {
    Message first = dead();
    Message second = dead();
    var history = team.messages.history();

    assertThat(history.page(MessageFolder.LOST, "", 1))
        .extracting(Message::id)
        .containsExactly(second.id());
    assertThat(history.page(MessageFolder.LOST, second.id().value(), 5))
        .extracting(Message::id)
        .containsExactly(first.id());
    assertThat(history.page(MessageFolder.INBOX, "", 10)).hasSize(2);
    assertThat(history.page(MessageFolder.ALL, "", 10)).hasSize(4);
    assertThat(history.page(MessageFolder.HELD, "", 10)).isEmpty();
  }
}
