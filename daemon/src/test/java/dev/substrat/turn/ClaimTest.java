package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.TurnClaim;
import dev.substrat.messaging.message.AgentMessages.MessageRequest;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCaller;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which inbox events a turn gets, and how many.
@OnEveryDatabase
final class ClaimTest {
  /// After the team's clock, so that its dispatcher does not claim the events of this test.
  private final Instant later = Instant.now().plus(Duration.ofDays(1));

  private final TestTeam team;
  private final Agent mira;

  ClaimTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
    this.mira = team.agent("{name: mira, provider: {name: external}}");
    team.agent("{name: ben, parent: mira, provider: {name: external}}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_turn_gets_the_oldest_events_and_a_retry_gets_the_same() {
    put(0, 120, true);

    assertThat(claim(1)).isEqualTo(numbers(0, 50));
    assertThat(claim(2)).as("the first attempt died").isEqualTo(numbers(0, 50));
    consume(2);
    assertThat(claim(3)).isEqualTo(numbers(50, 100));
    consume(3);
    assertThat(claim(4)).isEqualTo(numbers(100, 120));
  }

  @Test
  @Requirement("S0-14")
  void a_waiting_agent_gets_the_reply_before_messages_that_do_not_wake_it() {
    var caller = ToolCaller.external(mira, RunId.random());
    team.mail.send(caller, new MessageRequest("ben", "ready?", true, null), null);
    put(0, 60, true);
    put(60, 61, false);

    assertThat(claim(1)).hasSize(50).contains("060").endsWith("048", "060");
  }

  private void put(int from, int to, boolean soft) {
    team.database.transact(tx -> {
      for (String id : numbers(from, to)) {
        var kind = InboxEvent.InboxEventKind.MESSAGE;
        Inbox.put(tx, mira.id(), new InboxEvent(id, kind, null, Json.object(), 0, soft), false);
      }
      return true;
    });
  }

  private static List<String> numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj("%03d"::formatted).toList();
  }

  private List<String> claim(long turn) {
    return team.database.transact(tx ->
        TurnClaim.take(tx, mira.id(), turn, later).events().stream().map(InboxEvent::id).toList());
  }

  private void consume(long turn) {
    team.database.transact(tx -> {
      Inbox.claimedBy(tx, mira.id(), turn).forEach(event -> Inbox.consume(tx, event, turn));
      return true;
    });
  }
}
