package dev.substrat.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.space.Space.WakePolicy;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which agents a space message wakes.
@OnEveryDatabase
final class SpaceWakeupsTest {
  private final SpaceTeam team;

  SpaceWakeupsTest(TestDatabase kind) {
    this.team =
        new SpaceTeam(
            kind.dialect(),
            new SpaceGuardLimits(3, 10, Duration.ofSeconds(2), Duration.ofMinutes(2)));
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement("C8")
  void policy_all_wakes_every_other_agent_on_every_post() {
    team.room(
        "room",
        WakePolicy.ALL,
        team.member("ada", SpaceTeam.says("ada heard {{event.from}}")),
        silent("ben"));

    team.say("room", "hello");
    team.settle();

    assertThat(team.said("room")).containsExactly("operator: hello", "ada: ada heard operator");
    assertThat(turns("ada")).isEqualTo(1);
    assertThat(turns("ben"))
        .as("the operator's message and ada's, in one turn or two")
        .isBetween(1L, 2L);
    assertThat(team.shown("ben")).containsExactly("hello", "ada heard operator");
  }

  @Test
  @Requirement("C8")
  void policy_mention_wakes_mentioned_agents_and_none_wakes_no_agent() {
    Agent lars = silent("Lars");
    Agent tall = silent("Lars the Tall");
    Agent ben = silent("ben");
    team.room("named", WakePolicy.MENTION, lars, tall, ben, silent("ben-2"));
    team.room("quiet", WakePolicy.NONE, ben);

    team.say("named", "who? mail me at x@y");
    team.say("quiet", "@ben are you there?");
    assertThat(team.runAll()).isZero();
    team.say("named", "@lars the tall, and @BEN!");
    team.say("named", "@Lars: hi");
    team.runAll();

    assertThat(team.shown("lars-the-tall")).containsExactly("@lars the tall, and @BEN!");
    assertThat(team.shown("ben")).containsExactly("@lars the tall, and @BEN!");
    assertThat(team.shown("lars")).containsExactly("@Lars: hi");
    assertThat(turns("ben-2")).isZero();
    assertThat(team.said("quiet")).hasSize(1);
  }

  @Test
  @Requirement("A6")
  void a_burst_is_one_turn() {
    Agent crier = team.external("crier");
    team.room("room", WakePolicy.ALL, crier, silent("ben"));

    for (int i = 1; i <= 5; i++) {
      team.call(crier, "send_message", "{'channelId':'room','text':'%d'}".formatted(i));
      team.runAll();
    }
    assertThat(team.shown("ben")).containsExactly("1");
    team.settle();

    assertThat(team.shown("ben")).containsExactly("1", "2", "3", "4", "5");
    assertThat(turns("ben")).isEqualTo(2);
  }

  @Test
  @Requirement("C2")
  void an_agent_that_waits_for_a_reply_is_woken_by_a_person_and_not_by_an_agent() {
    Agent crier = team.external("crier");
    Agent ben =
        team.agent(
            """
            name: ben
            toolsets: [team, spaces]
            provider:
              name: scripted
              playbook:
                - when: { kind: message }
                  do: [ { call: send_message, with: { recipient: USER, text: "why?", sync: true } } ]
            """);
    team.room("room", WakePolicy.ALL, crier, ben);
    team.engine.messages().fromOperator("ben", new Messages.PersonMessage("go", false, null), null);
    team.runAll();

    team.call(crier, "send_message", "{'channelId':'room','text':'psst'}");
    assertThat(team.runAll()).isZero();
    team.say("room", "ben?");
    team.runAll();

    assertThat(team.shown("ben")).containsExactly("go", "psst", "ben?");
  }

  @Test
  @Requirement({"S3-47", "C8"})
  void external_agents_get_space_messages_in_their_inbox_and_system_messages_wake_no_agent() {
    Agent ada = team.external("ada");
    Agent ben = team.external("ben");
    team.room("room", WakePolicy.ALL, ada, ben);

    team.call(ada, "send_message", "{'channelId':'room','text':'hi ben'}");

    assertThat(team.runAll()).isZero();
    var inbox = team.call(ben, "check_inbox", "{}").path("messages");
    assertThat(inbox).hasSize(1);
    assertThat(inbox.at("/0/kind").asText()).isEqualTo("space_message");
    assertThat(inbox.at("/0/space").asText()).isEqualTo("room");
    assertThat(inbox.at("/0/from").asText()).isEqualTo("ada");
    assertThat(team.call(ada, "check_inbox", "{}").path("messages")).isEmpty();
  }

  @Test
  @Requirement({"A12", "N1"})
  void a_retried_turn_posts_once() {
    Agent ada = team.member("ada", SpaceTeam.says("once") + ", { fail: no coffee }");
    team.room("room", WakePolicy.ALL, ada, silent("ben"));

    team.say("room", "go");
    team.settle();

    assertThat(turns("ada")).as("five attempts").isEqualTo(5);
    assertThat(team.said("room")).containsExactly("operator: go", "ada: once");
    assertThat(team.shown("ben")).containsExactly("go", "once");
  }

  @Test
  void messages_shown_to_a_turn_are_marked_as_read_up_to_the_first_gap() {
    team.room("room", WakePolicy.MENTION, silent("ben"));
    team.say("room", "@ben one");
    team.runAll();
    assertThat(team.spaces.history().unread(member("ben"))).isEmpty();

    team.say("room", "not for ben");
    team.say("room", "@ben three");
    team.runAll();

    assertThat(team.spaces.history().unread(member("ben"))).containsEntry("room", 2L);
  }

  @Test
  @Requirement("N1")
  void a_former_member_is_not_woken() {
    Agent crier = team.external("crier");
    team.room("room", WakePolicy.ALL, crier, silent("ben"));
    team.say("room", "one");
    team.spaces.remove(new Principal.OperatorPrincipal(), "room", "ben");

    assertThat(team.runAll()).isZero();
    assertThat(team.number("select count(*) as n from inbox_event where held = 0")).isEqualTo(1);
  }

  @Test
  void agents_with_a_turn_about_or_in_a_space_are_shown_as_typing() {
    Agent ben = silent("ben");
    Agent ada = silent("ada");
    team.room("room", WakePolicy.ALL, ben, ada);
    assertThat(team.spaces.typing(new Principal.OperatorPrincipal(), "room")).isEmpty();
    team.say("room", "hi");

    lease(ben.id());
    assertThat(team.spaces.typing(new Principal.OperatorPrincipal(), "room"))
        .as("it has another work")
        .isEmpty();
    team.database.transact(tx -> tx.update("update inbox_event set turn_no = 1"));
    assertThat(team.spaces.typing(new Principal.OperatorPrincipal(), "room"))
        .containsExactly("ben");
    team.database.transact(tx -> tx.update("delete from inbox_event"));
    lease(ada.id());
    team.enter(ada, "room");
    assertThat(team.spaces.typing(new Principal.OperatorPrincipal(), "room"))
        .containsExactly("ada");
  }

  private void lease(AgentId agent) {
    team.database.transact(tx ->
        tx.update(
            "update agent set turn_no = 1, lease_owner = 'x', lease_until = "
                + tx.dialect().now()
                + " + 60000 where id = ?",
            agent.value()));
  }

  private Agent silent(String name) {
    return team.member(name, "{ say: heard }");
  }

  private Principal member(String handle) {
    return new Principal.AgentPrincipal(team.engine.agents().require(handle).id());
  }

  private long turns(String handle) {
    return team.engine.runs().newest(team.engine.agents().require(handle).id(), 100).size();
  }
}
