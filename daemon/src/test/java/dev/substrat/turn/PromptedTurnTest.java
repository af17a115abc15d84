package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.TurnClaim;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.provider.scripted.ScriptedProvider;
import dev.substrat.space.SpaceMessages;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.transcript.Transcript.Line;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Turns of minds that are told in words what they are about.
@OnEveryDatabase
final class PromptedTurnTest {
  private final PromptedMind mind = new PromptedMind();
  private final TestTeam team;

  PromptedTurnTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 2, List.of(new ScriptedProvider(), mind));
    team.agent("{name: mira, systemPrompt: You lead., provider: {name: prompted}}");
    team.agent(
        "{name: ada, parent: mira, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"S0-12", "S0-13", "S1-10"})
  void a_reply_starts_the_next_turn_in_exactly_the_promised_form() {
    mind.reacts((turn, prompt) -> {
      if (prompt.turn().startsWith("Reply from ")) {
        return prompt.turn();
      }
      call(turn, "{\"recipient\":\"ada\",\"text\":\"ready?\"}");
      return "";
    });

    String answer = team.answer(team.ask("mira", "go"));

    var toAda = team.messages.of(team.agents.require("ada").id(), 10).getFirst();
    assertThat(answer)
        .startsWith("Reply from ada (to message " + toAda.id() + "):\naye\n\n<turn-")
        .containsOnlyOnce("\nYou are answering: message ")
        .containsOnlyOnce("\ngo\n");
  }

  @Test
  @Requirement({"S0-13", "A12"})
  void a_retried_turn_also_begins_with_the_reply() {
    mind.reacts((turn, prompt) -> {
      if (prompt.turn().contains("Reply from ")) {
        return tellAdaAndDie(turn, prompt);
      }
      call(turn, "{\"recipient\":\"ada\",\"text\":\"ready?\"}");
      return "";
    });
    var question = team.ask("mira", "go");
    team.await(() -> team.count("turn_ended") >= 3);
    mind.reacts((_, _) -> "done");
    team.clock.pass(Duration.ofSeconds(2));

    assertThat(team.answer(question)).isEqualTo("done");
    assertThat(mind.told().getLast().turn())
        .startsWith("Reply from ada (to message ")
        .contains("):\naye\n\n<turn-", "\nAn earlier turn for this ended");
  }

  @Test
  @Requirement({"S0-13", "C19"})
  void a_reply_about_direct_messages_also_comes_first() {
    mind.reacts((turn, prompt) -> {
      if (prompt.turn().contains("Reply from ")) {
        return "aye aye";
      }
      call(turn, "{\"recipient\":\"ada\",\"text\":\"ready?\"}");
      return "";
    });
    team.engine
        .spaces()
        .messages()
        .post(new Principal.Operator(), new SpaceMessages.Post("dm-mira-operator", "go"), null);
    team.await(() -> mind.told().size() == 2);

    assertThat(mind.told().getLast().turn())
        .startsWith("Reply from ada (to message ")
        .contains("\nYou are answering: the direct messages of operator in space dm-mira-operator")
        .contains("\nYou are in space dm-mira-operator, your direct messages with operator.");
  }

  @Test
  @Requirement("N10")
  void what_a_mind_is_told_is_recorded_once() {
    mind.reacts((turn, prompt) -> turn.prompt().equals(prompt) ? "same" : "other");

    assertThat(team.answer(team.ask("mira", "go"))).isEqualTo("same");
    assertThat(team.answer(team.ask("ada", "go"))).isEqualTo("aye");

    Prompt told = mind.told().getFirst();
    assertThat(transcript("mira"))
        .extracting(Line::type, Line::content)
        .containsExactly(
            tuple("system_message", told.system()),
            tuple("user_message", told.turn()),
            tuple("assistant_message", "same"));
    // A script is not told anything in words.
    assertThat(transcript("ada")).extracting(Line::type).containsExactly("assistant_message");
  }

  @Test
  void the_system_prompt_stays_while_the_team_does() {
    mind.reacts((_, _) -> "ok");
    team.answer(team.ask("mira", "one"));
    team.answer(team.ask("mira", "two"));
    team.agent("{name: noor, role: reviewer, parent: mira}");
    team.answer(team.ask("mira", "three"));

    List<String> told = mind.told().stream().map(Prompt::system).toList();
    assertThat(told.get(1)).isEqualTo(told.getFirst()).contains("You lead.", "- ada: your child");
    String newcomer = "- noor: your child, reviewer\n";
    assertThat(told.get(2)).contains(newcomer);
    assertThat(told.get(2).replace(newcomer, "")).isEqualTo(told.getFirst());
  }

  @Test
  @Requirement("A12")
  void a_retried_turn_is_told_what_the_dead_attempt_did() {
    mind.reacts(PromptedTurnTest::tellAdaAndDie);
    var question = team.ask("mira", "go");
    team.await(() -> team.count("turn_ended") >= 2);
    mind.reacts((_, _) -> "done");
    team.clock.pass(Duration.ofSeconds(2));

    assertThat(team.answer(question)).isEqualTo("done");
    assertThat(mind.told()).hasSize(2);
    assertThat(mind.told().getLast().turn())
        .contains("You are answering: message " + question.id(), "\nAn earlier turn for this ended")
        .contains("\nsend_message {\"recipient\":\"ada\"", "-> {\"status\":\"sent\"")
        .contains("(the turn ended because: the provider failed unexpectedly: oh)")
        .startsWith("message from operator (message_id " + question.id());
    team.answer(team.ask("mira", "and now?"));
    assertThat(mind.told().getLast().turn()).doesNotContain("An earlier turn for this ended");
  }

  @Test
  @Requirement("A12")
  void also_what_is_no_message_is_recognised_when_it_is_tried_again() {
    mind.reacts(PromptedTurnTest::tellAdaAndDie);
    var payload = Json.object().put("kind", "reminder").put("from", "yourself").put("text", "tide");
    var event =
        new InboxEvent(
            MessageId.random().value(), InboxEvent.Kind.REMINDER, null, payload, 0, false);
    var mira = team.agents.require("mira").id();
    team.database.transact(tx -> {
      Inbox.put(tx, mira, event, false);
      return true;
    });
    team.await(() -> team.count("turn_ended") >= 2);
    mind.reacts((_, _) -> "done");
    team.clock.pass(Duration.ofSeconds(2));
    team.await(() -> mind.told().size() == 2);

    assertThat(mind.told().getLast().turn()).contains("\nsend_message {\"recipient\":\"ada\"");
  }

  @Test
  void a_turn_that_lost_its_lease_is_told_nothing_and_leaves_no_record() {
    var failed = new AtomicReference<Throwable>();
    mind.beforehand(turn -> {
      team.cancellation.cancel(
          new Principal.Operator(), team.runs.newest(turn.agent().id(), 1).getFirst());
      failed.set(catchThrowable(turn::prompt));
    });
    team.ask("mira", "go");
    team.await(() -> failed.get() != null);

    assertThat(failed.get()).isInstanceOf(StaleTurn.class);
    assertThat(transcript("mira")).isEmpty();
  }

  @Test
  void looking_ahead_consumes_nothing_and_shows_what_will_be_told() {
    mind.reacts((_, _) -> "ok");
    occupySlots();
    var question = team.ask("mira", "how many?");
    var before = team.prompts.next("mira");
    assertThat(team.prompts.next("mira")).isEqualTo(before);
    assertThat(team.status(question)).isEqualTo(Message.Status.STORED);
    assertThat(before.events()).isEqualTo(1);
    gate(true);
    assertThat(team.prompts.next("mira"))
        .satisfies(paused -> {
          assertThat(paused.turn()).as("a turn that will not start").isNull();
          assertThat(paused.waits()).startsWith("the agent is paused (gated)");
        });
    gate(false);

    freeSlots();
    team.answer(question);

    assertThat(mind.told())
        .containsExactly(new Prompt(before.system(), Objects.requireNonNull(before.turn())));
    assertThat(team.prompts.next("mira").turn()).isNull();
  }

  @Test
  void more_than_can_be_shown_at_once_comes_in_the_next_turn() {
    mind.reacts((_, _) -> "ok");
    occupySlots();
    var sent = new ArrayList<Message>();
    for (int i = 0; i < 80; i++) {
      sent.add(team.messages.fromOperator("mira", new Messages.Note("n" + i, false, null), null));
    }
    assertThat(team.prompts.next("mira").events()).isEqualTo(TurnClaim.PER_TURN);

    freeSlots();
    team.await(() -> team.status(sent.getLast()) == Message.Status.READ);

    assertThat(mind.told()).hasSize(2);
    assertThat(mind.told().getFirst().turn()).contains("\nn0\n", "\nn49\n").doesNotContain("n50");
    assertThat(mind.told().getLast().turn()).contains("\nn50\n", "\nn79\n");
    assertThat(sent).allSatisfy(m -> assertThat(team.status(m)).isEqualTo(Message.Status.READ));
  }

  private static String tellAdaAndDie(ProviderTurn turn, Prompt prompt) {
    call(turn, "{\"recipient\":\"ada\",\"text\":\"ready?\",\"sync\":false}");
    throw new IllegalStateException("oh");
  }

  private static void call(ProviderTurn turn, String arguments) {
    turn.call("send_message", (ObjectNode) Json.own(arguments));
  }

  private List<Line> transcript(String agent) {
    var run = team.runs.newest(team.agents.require(agent).id(), 1).getFirst();
    return team.transcript.of(new RunId(run.id()), "", 100);
  }

  /// A paused agent's mail waits. Lets two agents hang in their turns, so that everything else
  /// waits for a slot.
  private void occupySlots() {
    for (String name : List.of("cy", "dora")) {
      team.agent(
          "{name: %s, provider: {name: scripted, playbook: [{do: [{hang: true}]}]}}"
              .formatted(name));
      team.messages.fromOperator(name, new Messages.Note("hang", false, null), null);
    }
    team.await(() -> team.count("turn_started") == 2);
  }

  private void freeSlots() {
    for (String name : List.of("cy", "dora")) {
      team.cancellation.cancel(
          new Principal.Operator(), team.runs.newest(team.agents.require(name).id(), 1).getFirst());
    }
  }

  private void gate(boolean closed) {
    team.database.transact(
        tx -> tx.update("update agent set gated = ? where handle = 'mira'", closed));
    team.events.signal().notifyWaiters();
  }
}
