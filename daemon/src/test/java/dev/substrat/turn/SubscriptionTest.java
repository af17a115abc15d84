package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Subscriptions of agents to the turns of neighbours.
@OnEveryDatabase
final class SubscriptionTest {
  private final TestTeam team;

  SubscriptionTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
    watcher("mira", null, "ben");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_subscriber_is_notified_of_the_end_of_a_turn() {
    team.agent(
        "{name: ben, parent: mira, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");
    team.answer(team.ask("mira", "watch"));

    team.answer(team.ask("ben", "ready?"));

    assertThat(heard()).isEqualTo("ben ended a turn: done\naye");
  }

  @Test
  void subscribers_are_notified_of_failed_turns_and_terminations() {
    Agent ben =
        team.agent(
            "{name: ben, parent: mira, provider: {name: scripted, playbook: [{do: [{fail: tired}]}]}}");
    team.answer(team.ask("mira", "watch"));

    team.ask("ben", "ready?");
    assertThat(heard()).isEqualTo("ben ended a turn: failed\ntired");
    team.agents.terminate(ben.handle());
    assertThat(heard()).isEqualTo("ben was terminated");
  }

  @Test
  void subscribers_are_notified_of_turns_that_reached_a_limit() {
    team.agent(
        """
        name: ben
        parent: mira
        limits: { maxStepsPerTurn: 1 }
        provider:
          name: scripted
          playbook: [ { do: [ { call: list_children }, { call: list_children } ] } ]
        """);
    team.answer(team.ask("mira", "watch"));

    team.ask("ben", "ready?");

    assertThat(heard()).startsWith("ben ended a turn: failed\nLIMIT_REACHED");
  }

  @Test
  void two_agents_subscribed_to_each_other_become_idle() {
    watcher("ben", "mira", "mira");
    team.answer(team.ask("mira", "watch"));
    team.answer(team.ask("ben", "watch"));
    comeToRest();

    team.answer(team.ask("ben", "hello"));

    assertThat(heard()).startsWith("ben ended a turn");
    comeToRest();
  }

  @Test
  @Requirement("N2")
  void messages_sent_because_of_notices_are_held_as_a_loop() {
    team.agent("{name: lead}");
    team.agent(
        """
        name: ada
        parent: lead
        provider:
          name: scripted
          playbook:
            - when: { text: ^watch }
              do:
                - { call: subscribe, with: { name: ben } }
                - { call: send_message, with: { recipient: ben, text: more, sync: false } }
            - when: { kind: notice }
              do: [ { call: send_message, with: { recipient: ben, text: more, sync: false } } ]
        """);
    team.agent("{name: ben, parent: lead, provider: {name: scripted, playbook: []}}");

    team.ask("ada", "watch");

    team.await(() -> !team.messages.held(10).isEmpty());
    assertThat(team.messages.held(10).getFirst().text()).isEqualTo("more");
  }

  @Test
  void only_neighbours_can_be_subscribed_to_and_a_subscription_can_end() {
    team.agent("{name: stranger}");
    watcher("ben", "mira", "stranger");
    assertThat(team.answer(team.ask("ben", "watch"))).isEqualTo("RECIPIENT_UNREACHABLE");

    assertThat(team.answer(team.ask("mira", "watch"))).isEqualTo("subscribed");
    assertThat(team.answer(team.ask("mira", "stop"))).isEqualTo("unsubscribed");
    assertThat(team.answer(team.ask("mira", "stop"))).isEqualTo("NOT_FOUND");
    team.answer(team.ask("ben", "hello"));
    comeToRest();
    assertThat(team.messages.unreadByOperator(10)).noneMatch(SubscriptionTest::isNews);
  }

  private void watcher(String name, @Nullable String parent, String whom) {
    team.agent(
        """
        name: %s
        %s
        provider:
          name: scripted
          playbook:
            - when: { text: ^watch }
              do:
                - { call: subscribe, with: { name: %s }, save: done }
                - { say: '{{done.status}}{{done.code}}' }
            - when: { text: ^stop }
              do:
                - { call: unsubscribe, with: { name: %s }, save: done }
                - { say: '{{done.status}}{{done.code}}' }
            - when: { kind: notice }
              do:
                - { call: send_message, with: { recipient: USER, text: '{{event.text}}', sync: false } }
            - do: [ { say: hm } ]
        """
            .formatted(name, parent == null ? "" : "parent: " + parent, whom, whom));
  }

  /// The latest message of mira to the operator; waits for the next one.
  private String heard() {
    team.await(
        () -> team.messages.unreadByOperator(10).stream().anyMatch(SubscriptionTest::isNews));
    var news =
        team.messages.unreadByOperator(10).stream().filter(SubscriptionTest::isNews).toList();
    team.messages.readByOperator(news.getFirst().id());
    return news.getFirst().text();
  }

  /// Notices are written in the transaction that ends a turn: while two agents kept each other
  /// busy, one of these would never be zero.
  private void comeToRest() {
    team.await(() -> team.count("turn_ended") == team.count("turn_started") && waiting() == 0);
  }

  private long waiting() {
    return team.database.read(tx -> tx.number("select count(*) as n from inbox_event"));
  }

  private static boolean isNews(Message message) {
    return message.inReplyTo() == null;
  }
}
