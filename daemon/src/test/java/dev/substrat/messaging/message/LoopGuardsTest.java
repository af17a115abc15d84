package dev.substrat.messaging.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message.MessageKind;
import dev.substrat.messaging.message.MessageDraft.MessageSender;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The exact limits of the loop guards: the last message that passes and the first that is held.
@OnEveryDatabase
@Requirement("N2")
final class LoopGuardsTest {
  private final TestDatabase place;
  private final Database database;
  private @Nullable MessageId last;
  private int depth;

  LoopGuardsTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.database = place.open();
  }

  @AfterEach
  void close() throws IOException {
    place.close();
  }

  @Test
  void the_fourth_message_with_the_same_text_is_held() {
    for (int i = 0; i < LoopGuards.SAME_TEXT; i++) {
      assertThat(check("ada", "ben", "again")).as("number %d", i).isEmpty();
      send("ada", "ben", "again");
      send("ben", "cleo", "thanks " + i);
    }

    assertThat(check("ada", "ben", "again").orElseThrow())
        .startsWith("loop guard: the same text was already sent 3 times")
        .endsWith("→ ada → ben)");
    assertThat(check("ada", "ben", "something else")).isEmpty();
    assertThat(check("ada", "dora", "again")).as("to another recipient").isEmpty();
    assertThat(check("dora", "ben", "again")).as("from another sender").isEmpty();
  }

  @Test
  void the_shortest_loop_has_four_messages() {
    for (int i = 0; i < LoopGuards.SAME_TEXT; i++) {
      send("ada", "ben", "again");
    }
    assertThat(check("ada", "ben", "again")).as("shorter chains are not checked").isEmpty();
    send("ben", "cleo", "thanks");

    assertThat(check("ada", "ben", "again").orElseThrow()).startsWith("loop guard: the same text");
  }

  @Test
  void two_agents_exchange_no_more_messages_than_the_limit_with_each_other() {
    send("cleo", "ada", "go");
    for (int i = 0; i < LoopGuards.MAX_LOOP_LENGTH; i++) {
      boolean isEven = i % 2 == 0;
      assertThat(check(isEven ? "ada" : "ben", isEven ? "ben" : "ada", "ping " + i))
          .as("number %d", i)
          .isEmpty();
      send(isEven ? "ada" : "ben", isEven ? "ben" : "ada", "ping " + i);
    }

    assertThat(check("ada", "ben", "ping").orElseThrow())
        .startsWith("loop guard: two agents have written only to each other for 24 messages (");
    assertThat(check("ada", "cleo", "help")).as("to a third agent").isEmpty();
  }

  @Test
  void a_third_agent_interrupts_a_ping_pong() {
    for (int i = 0; i < LoopGuards.MAX_LOOP_LENGTH - 1; i++) {
      send("ada", "ben", "ping " + i);
    }
    send("ben", "cleo", "help");
    send("cleo", "ada", "done");

    assertThat(check("ada", "ben", "ping")).isEmpty();
  }

  @Test
  void the_longest_chain_has_64_messages() {
    String[] ring = {"ada", "ben", "cleo"};
    for (int i = 0; i < LoopGuards.DEEPEST; i++) {
      assertThat(check(ring[i % 3], ring[(i + 1) % 3], "text " + i)).as("depth %d", i).isEmpty();
      send(ring[i % 3], ring[(i + 1) % 3], "text " + i);
    }

    assertThat(check("ben", "cleo", "text").orElseThrow())
        .startsWith("chain depth: the chain is 64 messages deep, the limit is 64 (");
  }

  @Test
  void a_deep_message_without_a_cause_is_held() {
    assertThat(depth(LoopGuards.DEEPEST - 1)).isEmpty();
    assertThat(depth(LoopGuards.DEEPEST).orElseThrow()).startsWith("chain depth: ");
  }

  private Optional<String> depth(int deep) {
    var draft =
        MessageDraft.of(
            MessageKind.MESSAGE, new MessageSender("ada", "ada", null, deep), "ben", "text");
    return database.read(tx -> LoopGuards.check(tx, draft));
  }

  private MessageDraft draft(String from, String to, String text) {
    return MessageDraft.of(
        MessageKind.MESSAGE, new MessageSender(from, from, last, depth), to, text);
  }

  private Optional<String> check(String from, String to, String text) {
    return database.read(tx -> LoopGuards.check(tx, draft(from, to, text)));
  }

  private void send(String from, String to, String text) {
    MessageDraft next = draft(from, to, text);
    MessageId id = MessageId.random();
    assertThat(
            database.<Boolean>transact(
                tx -> MessageTable.insert(tx, id, next, null, Instant.EPOCH)))
        .isTrue();
    last = id;
    depth++;
  }
}
