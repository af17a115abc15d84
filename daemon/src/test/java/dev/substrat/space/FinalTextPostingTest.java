package dev.substrat.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.access.person.People;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.schedule.Plan;
import dev.substrat.space.Space.WakePolicy;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.team.ProviderConfig;
import dev.substrat.testkit.Requirement;
import dev.substrat.turn.LiveTurn;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Where the final text of a turn goes that a space message started.
@OnEveryDatabase
final class FinalTextPostingTest {
  private static final String DM = "dm-ada-operator";
  private static final String ENTER_GENERAL = "{ call: enter_space, with: { spaceId: general } }, ";

  private final JavaProvider agentProvider = new JavaProvider();
  private final SpaceTeam team;

  FinalTextPostingTest(TestDatabase kind) {
    this.team = new SpaceTeam(kind.dialect(), SpaceGuardLimits.DEFAULT, agentProvider);
  }

  private static final class SimulatedCrash extends Error {}

  /// A provider that is a function.
  private static final class JavaProvider implements Provider {
    private volatile Function<ProviderTurn, String> thinks = _ -> "";

    @Override
    public String name() {
      return "java";
    }

    @Override
    public ProviderConfig prepare(ProviderConfig settings) {
      return settings;
    }

    @Override
    public TurnOutcome runTurn(ProviderTurn turn) {
      turn.events().forEach(turn::show);
      return new TurnOutcome.TurnFinished(thinks.apply(turn));
    }
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"C19", "A20"})
  void the_final_text_of_a_turn_in_a_persons_dm_is_posted_there() {
    team.member("ada", "{ say: 'at noon' }");

    team.say(DM, "when?");
    team.settle();

    assertThat(team.said(DM)).containsExactly("operator: when?", "ada: at noon");
    JsonNode posted = team.told("message_created").getLast();
    assertThat(posted.path("author").asText()).isEqualTo("ada");
    assertThat(team.number("select depth as n from space_message where text = 'at noon'"))
        .as("one level deeper in the chain, as with send_message")
        .isEqualTo(1);
    assertThat(team.number("select count(*) as n from space_message where run_id is not null"))
        .as("the message names its run")
        .isEqualTo(1);
    assertThat(team.told("finished_without_posting")).isEmpty();
    assertThat(team.spaces.history().unread(new Principal.OperatorPrincipal()))
        .containsEntry(DM, 1L);
  }

  @Test
  @Requirement({"C19", "S4-9"})
  void the_final_text_is_not_posted_if_the_turn_posted_reacted_or_called_do_nothing() {
    team.member("ada", SpaceTeam.says("posted") + ", { say: 'done' }");
    team.member("ben", "{ call: send_message, with: { text: 'posted here' } }, { say: 'done' }");
    team.member(
        "cleo",
        "{ call: react_to_message, with: { messageId: '{{event.message_id}}', emoji: '👍' } },"
            + " { say: 'done' }");
    team.member("dan", "{ call: do_nothing }, { say: 'nothing to add' }");

    List.of("ada", "ben", "cleo", "dan").forEach(name -> team.say(dm(name), "hello"));
    team.settle();

    assertThat(team.said(dm("ada"))).containsExactly("operator: hello", "ada: posted");
    assertThat(team.said(dm("ben"))).containsExactly("operator: hello", "ben: posted here");
    assertThat(team.said(dm("cleo"))).containsExactly("operator: hello");
    assertThat(team.said(dm("dan"))).containsExactly("operator: hello");
    assertThat(team.told("finished_without_posting")).isEmpty();
  }

  @Test
  @Requirement("C19")
  void the_final_text_is_posted_if_the_turn_posted_only_in_another_space() {
    team.openSpace("general");
    MessageId notice = team.say("general", "notice").id();
    team.member(
        "ada",
        "{ call: send_message, with: { channelId: general, text: 'hi all' } }, { say: 'told them' }");
    team.member(
        "ben",
        "{ call: react_to_message, with: { messageId: '%s', emoji: '👍' } }, { say: 'reacted' }"
            .formatted(notice.value()));

    team.say(DM, "greet them");
    team.say(dm("ben"), "react to it");
    team.settle();

    assertThat(team.said("general")).containsExactly("operator: notice", "ada: hi all");
    assertThat(team.said(DM)).containsExactly("operator: greet them", "ada: told them");
    assertThat(team.said(dm("ben"))).containsExactly("operator: react to it", "ben: reacted");
  }

  @Test
  @Requirement("C19")
  void an_empty_final_text_is_not_posted() {
    team.member("ada", "{ say: '  ' }");
    team.openSpace("general", team.engine.agents().require("ada"));

    team.say(DM, "no need to answer");
    team.say("general", "here neither");
    team.settle();

    assertThat(team.said(DM)).hasSize(1);
    assertThat(team.said("general")).hasSize(1);
    assertThat(team.told("finished_without_posting")).isEmpty();
    assertThat(team.engine.runs().newest(null, 10)).extracting(Run::status).containsOnly("done");
  }

  @Test
  @Requirement("C19")
  void in_a_dm_of_agents_the_final_text_is_not_posted_and_wakes_no_agent() {
    team.member("ada", "{ say: 'thinking aloud' }");
    Agent ben = team.external("ben");

    team.call(ben, "send_message", "{'channelId':'dm-ada-ben','text':'ahoy'}");
    team.settle();

    assertThat(team.said("dm-ada-ben")).containsExactly("ben: ahoy");
    assertThat(team.told("finished_without_posting")).hasSize(1);
    assertThat(team.call(ben, "check_inbox", "{}").path("messages")).isEmpty();
  }

  @Test
  @Requirement("C19")
  void in_a_public_space_the_final_text_is_not_posted_and_space_and_run_show_it() {
    Agent ada = team.member("ada", "{ say: 'I would take the ferry' }");
    team.openSpace("general", ada);

    team.say("general", "how do we get there?");
    team.settle();

    assertThat(team.said("general")).containsExactly("operator: how do we get there?");
    JsonNode kept = team.told("finished_without_posting").getFirst();
    assertThat(kept.path("agent").asText()).isEqualTo("ada");
    assertThat(kept.path("space").asText()).isEqualTo("general");
    assertThat(kept.path("text").asText()).isEqualTo("I would take the ferry");
    assertThat(kept.path("afterSeq").asLong()).isEqualTo(1);
    Run run = team.engine.runs().newest(ada.id(), 1).getFirst();
    assertThat(run.spaceId()).isEqualTo("general");
    assertThat(run.finishedWithoutPosting()).isTrue();
    var range = new SpaceHistory.HistoryRange(10, null, null);
    var page = team.spaces.history().read(new Principal.OperatorPrincipal(), "general", range);
    assertThat(team.spaces.history().unposted(page, range))
        .extracting(
            UnpostedText::agent, UnpostedText::text, UnpostedText::afterSeq, UnpostedText::run)
        .containsExactly(tuple("ada", "I would take the ferry", 1L, new RunId(run.id())));
    JsonNode read = team.call(team.external("eve"), "read_messages", "{'spaceId':'general'}");
    assertThat(read.path("messages")).as("agents read messages only").hasSize(1);
  }

  @Test
  @Requirement("C19")
  void with_final_text_post_the_text_is_posted_in_every_space() {
    Agent ada =
        team.agent(
            """
            name: ada
            toolsets: [spaces, channels]
            spaces: { finalText: post }
            provider:
              name: scripted
              playbook: [ { when: { kind: space_message }, do: [ { say: 'here I am' } ] } ]
            """);
    Agent ben = team.external("ben");
    team.openSpace("general", ada);

    team.say("general", "ada?");
    team.settle();
    team.call(ben, "send_message", "{'channelId':'dm-ada-ben','text':'ahoy'}");
    team.settle();

    assertThat(team.said("general")).containsExactly("operator: ada?", "ada: here I am");
    assertThat(team.said("dm-ada-ben")).containsExactly("ben: ahoy", "ada: here I am");
    assertThat(team.call(ben, "check_inbox", "{}").at("/messages/0/text").asText())
        .as("it wakes others as any message does")
        .isEqualTo("here I am");
    assertThat(team.told("finished_without_posting")).isEmpty();
  }

  @Test
  @Requirement({"C19", "C8"})
  void a_posted_final_text_is_part_of_the_round_that_waits_for_it() {
    String speaks =
        """
        name: %s
        toolsets: [channels]
        spaces: { finalText: post }
        provider:
          name: scripted
          playbook: [ { when: { kind: space_message }, do: [ { say: 'heard {{event.text}}' } ] } ]
        """;
    Agent ada = team.agent(speaks.formatted("ada"));
    Agent ben = team.agent(speaks.formatted("ben"));
    team.room("round", WakePolicy.SEQUENTIAL, ada, ben);

    team.say("round", "go");
    team.settle();

    assertThat(team.said("round"))
        .containsExactly("operator: go", "ada: heard go", "ben: heard go\nheard heard go");
  }

  @Test
  @Requirement({"C19", "A12"})
  void a_turn_whose_daemon_died_with_the_final_text_posts_it_once() {
    agentProvider.thinks =
        _ -> {
          throw new SimulatedCrash();
        };
    Agent ada = team.agent("{name: ada, toolsets: [channels], provider: {name: java}}");
    team.say(DM, "go");
    assertThatThrownBy(() -> team.runAll()).isInstanceOf(SimulatedCrash.class);
    assertThat(team.said(DM)).containsExactly("operator: go");

    agentProvider.thinks = _ -> "here";
    team.turns.recover();
    team.settle();
    team.settle();

    assertThat(team.said(DM)).containsExactly("operator: go", "ada: here");
    assertThat(team.engine.runs().newest(ada.id(), 10)).hasSize(2);
  }

  /// The database refuses the end of the turn after the text was posted in the same transaction.
  @Test
  @Requirement({"C19", "A12"})
  void a_turn_whose_end_cannot_be_stored_has_posted_nothing_and_posts_once_when_retried() {
    agentProvider.thinks =
        _ -> {
          team.database.transact(tx -> tx.update("alter table subscription rename to missing"));
          return "first";
        };
    team.agent("{name: ada, toolsets: [channels], provider: {name: java}}");
    team.say(DM, "go");
    try {
      team.runAll();
    } catch (RuntimeException e) {
      // A turn that cannot be stored at all leaves its lease; the daemon starts again.
      team.turns.recover();
    }
    assertThat(team.said(DM)).containsExactly("operator: go");

    team.database.transact(tx -> tx.update("alter table missing rename to subscription"));
    agentProvider.thinks = _ -> "second";
    team.turns.recover();
    team.settle();

    assertThat(team.said(DM)).containsExactly("operator: go", "ada: second");
  }

  @Test
  @Requirement({"C19", "A12"})
  void a_post_of_a_dead_attempt_counts_as_the_answer_of_the_retry() {
    agentProvider.thinks =
        turn -> {
          turn.call("send_message", Json.object().put("channelId", DM).put("text", "posted"));
          throw new SimulatedCrash();
        };
    team.agent("{name: ada, toolsets: [channels], provider: {name: java}}");
    team.say(DM, "go");
    assertThatThrownBy(() -> team.runAll()).isInstanceOf(SimulatedCrash.class);

    agentProvider.thinks = _ -> "I have answered already";
    team.turns.recover();
    team.settle();

    assertThat(team.said(DM)).containsExactly("operator: go", "ada: posted");
  }

  @Test
  @Requirement({"C19", "A12"})
  void a_message_after_the_post_of_a_dead_attempt_is_answered_by_the_retry() {
    agentProvider.thinks =
        turn -> {
          turn.call("send_message", Json.object().put("channelId", DM).put("text", "posted"));
          throw new SimulatedCrash();
        };
    team.agent("{name: ada, toolsets: [channels], provider: {name: java}}");
    team.say(DM, "go");
    assertThatThrownBy(() -> team.runAll()).isInstanceOf(SimulatedCrash.class);
    team.say(DM, "and you?");

    agentProvider.thinks = _ -> "I am fine";
    team.turns.recover();
    team.settle();

    assertThat(team.said(DM))
        .containsExactly("operator: go", "ada: posted", "operator: and you?", "ada: I am fine");
  }

  @Test
  @Requirement({"C19", "C20"})
  void direct_messages_and_space_messages_are_not_in_the_same_turn() {
    agentProvider.thinks = turn -> "seen " + turn.events().size();
    Agent ada = team.agent("{name: ada, toolsets: [channels], provider: {name: java}}");
    team.room("room", WakePolicy.ALL, ada);

    poke(ada, "for you only");
    team.say("room", "for all");
    team.settle();

    assertThat(team.told("finished_without_posting")).hasSize(1);
    assertThat(team.engine.runs().newest(ada.id(), 10))
        .extracting(run -> run.response())
        .containsExactly("seen 1", "seen 1");
  }

  @Test
  @Requirement({"C19", "C20"})
  void a_reply_to_a_question_asked_in_a_space_starts_a_turn_in_that_space() {
    agentProvider.thinks =
        turn -> {
          var event = turn.events().getFirst();
          if (event.kind() == InboxEvent.InboxEventKind.SPACE_MESSAGE) {
            turn.call("send_message", Json.object().put("recipient", "ben").put("text", "well?"));
            return "";
          }
          turn.call("send_message", Json.object().put("text", "I asked"));
          return "ben says " + event.payload().path("text").asText();
        };
    Agent ada = team.agent("{name: ada, toolsets: [team, spaces], provider: {name: java}}");
    team.agent(
        "{name: ben, parent: ada, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");
    team.room("room", WakePolicy.ALL, ada);

    team.say("room", "ada?");
    team.settle();

    assertThat(team.said("room")).containsExactly("operator: ada?", "ada: I asked");
    assertThat(active(ada)).isEqualTo("nowhere");
  }

  @Test
  @Requirement({"C19", "C20"})
  void the_final_text_after_a_reminder_set_in_a_space_is_shown_in_that_space() {
    agentProvider.thinks =
        turn -> {
          if (turn.events().getFirst().kind() == InboxEvent.InboxEventKind.SPACE_MESSAGE) {
            turn.call("remind_me", Json.object().put("text", "tea").put("in_seconds", 60));
            return "";
          }
          return "tea is ready";
        };
    Agent ada = team.agent("{name: ada, toolsets: [team, spaces], provider: {name: java}}");
    team.room("room", WakePolicy.ALL, ada);

    team.say("room", "ada?");
    team.settle();

    assertThat(team.told("finished_without_posting")).hasSize(1);
  }

  /// The turn is started by something else that belongs to the DM, such as a reply.
  @Test
  @Requirement({"C19", "C20"})
  void a_turn_about_a_dm_runs_in_that_dm_whatever_started_it() {
    agentProvider.thinks =
        turn -> {
          var caller = ((LiveTurn) turn).caller();
          var turns = team.spaces.turns();
          team.database.transact(tx -> {
            turns.begin(tx, caller, "dm:" + DM, List.of());
            return true;
          });
          return "the answer is 42";
        };
    Agent ada = team.agent("{name: ada, toolsets: [channels], provider: {name: java}}");
    team.spaces.create(
        new Principal.OperatorPrincipal(),
        Spaces.SpaceDefinition.of(DM, Space.SpaceKind.DM, List.of("ada")));

    poke(ada, "a reply from elsewhere");
    team.settle();

    assertThat(team.said(DM)).containsExactly("ada: the answer is 42");
  }

  @Test
  @Requirement({"C19", "A12"})
  void a_failed_turn_posts_nothing() {
    team.member("ada", "{ say: 'half' }, { fail: no coffee }");

    team.say(DM, "go");
    team.settle();

    assertThat(team.said(DM)).containsExactly("operator: go");
  }

  @Test
  @Requirement({"C19", "C5"})
  void a_turn_runs_in_the_space_that_started_it_and_the_agents_active_space_is_unchanged() {
    team.openSpace("general");
    Agent ada =
        team.agent(
            """
            name: ada
            toolsets: [spaces, team]
            provider:
              name: scripted
              playbook:
                - when: { kind: space_message, text: 'go there' }
                  do: [ { call: enter_space, with: { spaceId: general } } ]
                - when: { kind: space_message, text: 'leave' }
                  do:
                    - { call: leave_space }
                    - { call: send_message, with: { text: 'to nobody' } }
                - do: [ { call: send_message, with: { text: 'to {{event.text}}' } } ]
            """);

    team.say(DM, "go there");
    team.settle();
    team.say(DM, "you");
    team.settle();
    assertThat(team.said(DM)).containsExactly("operator: go there", "operator: you", "ada: to you");
    assertThat(active(ada)).isEqualTo("general");

    poke(ada, "all");
    team.settle();
    assertThat(team.said("general"))
        .as("where it is without a space")
        .containsExactly("ada: to all");

    team.say(DM, "leave");
    team.settle();
    assertThat(active(ada)).isEqualTo("nowhere");
    assertThat(team.said(DM)).doesNotContain("ada: to nobody");
    assertThat(team.said("general")).doesNotContain("ada: to nobody");
  }

  @Test
  @Requirement({"C19", "C5"})
  void entering_another_space_moves_the_turn_but_not_its_final_text() {
    team.openSpace("general");
    Agent ada =
        team.member(
            "ada",
            ENTER_GENERAL
                + "{ call: send_message, with: { text: 'hi all' } }, { say: 'I am there' }");

    team.say(DM, "go to general");
    team.settle();

    assertThat(team.said("general")).containsExactly("ada: hi all");
    assertThat(team.said(DM)).containsExactly("operator: go to general", "ada: I am there");
    assertThat(active(ada)).isEqualTo("general");
  }

  @Test
  @Requirement("C19")
  void two_concurrent_dms_are_each_answered_in_their_own_dm() {
    team.member("ada", "{ say: 'for {{event.from}}' }");
    new People(team.database, team.events, team.engine.credentials(), team.clock)
        .create("ana", "Ana");
    var ana = new Principal.PersonPrincipal("ana");

    team.say(DM, "one");
    team.spaces.messages().post(ana, new SpaceMessages.PostRequest("dm-ada-ana", "two"), null);
    team.settle();

    assertThat(team.said(DM)).containsExactly("operator: one", "ada: for operator");
    assertThat(team.said("dm-ada-ana")).containsExactly("ana: two", "ada: for ana");
  }

  @Test
  @Requirement("C19")
  void the_final_texts_of_plans_and_reminders_are_recorded_and_shown() {
    Agent ada =
        team.agent(
            """
            name: ada
            toolsets: [team, goals]
            provider:
              name: scripted
              playbook:
                - when: { kind: message }
                  do:
                    - { call: remind_me, with: { in_seconds: 60, text: 'look up' } }
                    - { say: '' }
                - do: [ { say: '{{event.kind}}: {{event.text}}' } ]
            """);
    poke(ada, "go");
    team.settle();
    assertThat(lastSaid(ada)).isEqualTo("reminder: look up");

    String at = team.clock.instant().plusSeconds(60).toString();
    var soon = new Plan.PlanDraft(null, "soon", "sail", null, at, null, null);
    team.engine.goalsAndPlans().plans().set("ada", List.of(soon));
    team.settle();

    assertThat(lastSaid(ada)).isEqualTo("plan: sail");
    assertThat(team.engine.runs().newest(ada.id(), 1).getFirst().response())
        .isEqualTo("plan: sail");
  }

  private String lastSaid(Agent agent) {
    var said = team.engine.inspection().of(agent).lastSaid();
    return said == null ? "" : said.text();
  }

  @Test
  @Requirement("C19")
  void an_agent_that_left_the_space_during_its_turn_does_not_post() {
    agentProvider.thinks =
        _ -> {
          team.spaces.remove(new Principal.OperatorPrincipal(), "room", "ada");
          return "too late";
        };
    Agent ada =
        team.agent(
            """
            {name: ada, toolsets: [channels], spaces: {finalText: post}, provider: {name: java}}
            """);
    team.room("room", WakePolicy.ALL, ada);

    team.say("room", "ada?");
    team.settle();

    assertThat(team.said("room")).containsExactly("operator: ada?");
    assertThat(team.spaces.members(new Principal.OperatorPrincipal(), "room"))
        .extracting(Membership::handle)
        .doesNotContain("ada");
    assertThat(team.told("finished_without_posting")).isEmpty();
  }

  private String active(Agent agent) {
    return team.database.read(tx ->
        tx.find(
                "select active_space from agent where id = ? and active_space is not null",
                row -> row.text("active_space"),
                agent.id().value())
            .orElse("nowhere"));
  }

  private void poke(Agent agent, String text) {
    team.engine
        .messages()
        .fromOperator(agent.handle(), new Messages.PersonMessage(text, false, null), null);
  }

  private static String dm(String agent) {
    return "dm-" + agent + "-operator";
  }
}
