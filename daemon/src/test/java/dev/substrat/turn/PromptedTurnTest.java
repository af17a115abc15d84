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
import dev.substrat.tool.transcript.Transcript.TranscriptLine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Prompts of real turns.
@OnEveryDatabase
final class PromptedTurnTest {
  private final PromptedProvider agentProvider = new PromptedProvider();
  private final TestTeam team;

  PromptedTurnTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 2, List.of(new ScriptedProvider(), agentProvider));
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
  void a_reply_starts_the_next_turn_in_exactly_the_documented_format() {
    agentProvider.reacts((turn, prompt) -> {
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
    agentProvider.reacts((turn, prompt) -> {
      if (prompt.turn().contains("Reply from ")) {
        return tellAdaAndDie(turn, prompt);
      }
      call(turn, "{\"recipient\":\"ada\",\"text\":\"ready?\"}");
      return "";
    });
    var question = team.ask("mira", "go");
    team.await(() -> team.count("turn_ended") >= 3);
    agentProvider.reacts((_, _) -> "done");
    team.clock.pass(Duration.ofSeconds(2));

    assertThat(team.answer(question)).isEqualTo("done");
    assertThat(agentProvider.told().getLast().turn())
        .startsWith("Reply from ada (to message ")
        .contains("):\naye\n\n<turn-", "\nAn earlier turn for the same input ended");
  }

  @Test
  @Requirement({"S0-13", "C19"})
  void a_reply_about_direct_messages_also_comes_first() {
    agentProvider.reacts((turn, prompt) -> {
      if (prompt.turn().contains("Reply from ")) {
        return "aye aye";
      }
      call(turn, "{\"recipient\":\"ada\",\"text\":\"ready?\"}");
      return "";
    });
    team.engine
        .spaces()
        .messages()
        .post(
            new Principal.OperatorPrincipal(),
            new SpaceMessages.PostRequest("dm-mira-operator", "go"),
            null);
    team.await(() -> agentProvider.told().size() == 2);

    assertThat(agentProvider.told().getLast().turn())
        .startsWith("Reply from ada (to message ")
        .contains("\nYou are answering: the direct messages of operator in space dm-mira-operator")
        .contains(
            "\nThis turn is in space `dm-mira-operator`, your direct messages with operator.");
  }

  @Test
  @Requirement("N10")
  void the_prompt_of_a_turn_is_recorded_once() {
    agentProvider.reacts((turn, prompt) -> turn.prompt().equals(prompt) ? "same" : "other");

    assertThat(team.answer(team.ask("mira", "go"))).isEqualTo("same");
    assertThat(team.answer(team.ask("ada", "go"))).isEqualTo("aye");

    Prompt told = agentProvider.told().getFirst();
    assertThat(transcript("mira"))
        .extracting(TranscriptLine::type, TranscriptLine::content)
        .containsExactly(
            tuple("system_message", told.system()),
            tuple("user_message", told.turn()),
            tuple("assistant_message", "same"));
    // A scripted agent gets no prompt.
    assertThat(transcript("ada"))
        .extracting(TranscriptLine::type)
        .containsExactly("assistant_message");
  }

  @Test
  void the_system_prompt_is_unchanged_while_the_team_is() {
    agentProvider.reacts((_, _) -> "ok");
    team.answer(team.ask("mira", "one"));
    team.answer(team.ask("mira", "two"));
    team.agent("{name: noor, role: reviewer, parent: mira}");
    team.answer(team.ask("mira", "three"));

    List<String> told = agentProvider.told().stream().map(Prompt::system).toList();
    assertThat(told.get(1)).isEqualTo(told.getFirst()).contains("You lead.", "- ada: your child");
    String newcomer = "- noor: your child, reviewer\n";
    assertThat(told.get(2)).contains(newcomer);
    assertThat(told.get(2).replace(newcomer, "")).isEqualTo(told.getFirst());
  }

  @Test
  @Requirement("A12")
  void the_prompt_of_a_retried_turn_lists_calls_of_the_dead_attempt() {
    agentProvider.reacts(PromptedTurnTest::tellAdaAndDie);
    var question = team.ask("mira", "go");
    team.await(() -> team.count("turn_ended") >= 2);
    agentProvider.reacts((_, _) -> "done");
    team.clock.pass(Duration.ofSeconds(2));

    assertThat(team.answer(question)).isEqualTo("done");
    assertThat(agentProvider.told()).hasSize(2);
    assertThat(agentProvider.told().getLast().turn())
        .contains(
            "You are answering: message " + question.id(),
            "\nAn earlier turn for the same input ended")
        .contains("\nsend_message {\"recipient\":\"ada\"", "-> {\"status\":\"sent\"")
        .contains("(the turn ended because: the provider failed unexpectedly: oh)")
        .startsWith("message from operator (message_id " + question.id());
    team.answer(team.ask("mira", "and now?"));
    assertThat(agentProvider.told().getLast().turn())
        .doesNotContain("An earlier turn for the same input ended");
  }

  @Test
  @Requirement("A12")
  void a_retried_turn_recognizes_events_that_are_not_messages() {
    agentProvider.reacts(PromptedTurnTest::tellAdaAndDie);
    var payload = Json.object().put("kind", "reminder").put("from", "yourself").put("text", "tide");
    var event =
        new InboxEvent(
            MessageId.random().value(),
            InboxEvent.InboxEventKind.REMINDER,
            null,
            payload,
            0,
            false);
    var mira = team.agents.require("mira").id();
    team.database.transact(tx -> {
      Inbox.put(tx, mira, event, false);
      return true;
    });
    team.await(() -> team.count("turn_ended") >= 2);
    agentProvider.reacts((_, _) -> "done");
    team.clock.pass(Duration.ofSeconds(2));
    team.await(() -> agentProvider.told().size() == 2);

    assertThat(agentProvider.told().getLast().turn())
        .contains("\nsend_message {\"recipient\":\"ada\"");
  }

  @Test
  void a_turn_that_lost_its_lease_gets_no_prompt_and_no_record() {
    var failed = new AtomicReference<Throwable>();
    agentProvider.beforehand(turn -> {
      team.cancellation.cancel(
          new Principal.OperatorPrincipal(), team.runs.newest(turn.agent().id(), 1).getFirst());
      failed.set(catchThrowable(turn::prompt));
    });
    team.ask("mira", "go");
    team.await(() -> failed.get() != null);

    assertThat(failed.get()).isInstanceOf(StaleTurn.class);
    assertThat(transcript("mira")).isEmpty();
  }

  @Test
  void a_prompt_preview_consumes_nothing_and_equals_the_prompt() {
    agentProvider.reacts((_, _) -> "ok");
    occupySlots();
    var question = team.ask("mira", "how many?");
    var before = team.prompts.next("mira");
    assertThat(team.prompts.next("mira")).isEqualTo(before);
    assertThat(team.status(question)).isEqualTo(Message.MessageStatus.STORED);
    assertThat(before.events()).isEqualTo(1);
    gate(true);
    assertThat(team.prompts.next("mira"))
        .satisfies(paused -> {
          assertThat(paused.turn()).as("a turn that will not start").isNull();
          assertThat(paused.waits()).startsWith("the agent is paused");
        });
    gate(false);

    freeSlots();
    team.answer(question);

    assertThat(agentProvider.told())
        .containsExactly(new Prompt(before.system(), Objects.requireNonNull(before.turn())));
    assertThat(team.prompts.next("mira").turn()).isNull();
  }

  @Test
  void events_over_the_limit_are_shown_in_the_next_turn() {
    agentProvider.reacts((_, _) -> "ok");
    occupySlots();
    var sent = new ArrayList<Message>();
    for (int i = 0; i < 80; i++) {
      sent.add(
          team.messages.fromOperator(
              "mira", new Messages.PersonMessage("n" + i, false, null), null));
    }
    assertThat(team.prompts.next("mira").events()).isEqualTo(TurnClaim.PER_TURN);

    freeSlots();
    team.await(() -> team.status(sent.getLast()) == Message.MessageStatus.READ);

    assertThat(agentProvider.told()).hasSize(2);
    assertThat(agentProvider.told().getFirst().turn())
        .contains("\nn0\n", "\nn49\n")
        .doesNotContain("n50");
    assertThat(agentProvider.told().getLast().turn()).contains("\nn50\n", "\nn79\n");
    assertThat(sent)
        .allSatisfy(m -> assertThat(team.status(m)).isEqualTo(Message.MessageStatus.READ));
  }

  private static String tellAdaAndDie(ProviderTurn turn, Prompt prompt) {
    call(turn, "{\"recipient\":\"ada\",\"text\":\"ready?\",\"sync\":false}");
    throw new IllegalStateException("oh");
  }

  private static void call(ProviderTurn turn, String arguments) {
    turn.call("send_message", (ObjectNode) Json.own(arguments));
  }

  private List<TranscriptLine> transcript(String agent) {
    var run = team.runs.newest(team.agents.require(agent).id(), 1).getFirst();
    return team.transcript.of(new RunId(run.id()), "", 100);
  }

  /// Blocks both slots with two hanging turns, so that everything else waits for a slot.
  private void occupySlots() {
    for (String name : List.of("cy", "dora")) {
      team.agent(
          "{name: %s, provider: {name: scripted, playbook: [{do: [{hang: true}]}]}}"
              .formatted(name));
      team.messages.fromOperator(name, new Messages.PersonMessage("hang", false, null), null);
    }
    team.await(() -> team.count("turn_started") == 2);
  }

  private void freeSlots() {
    for (String name : List.of("cy", "dora")) {
      team.cancellation.cancel(
          new Principal.OperatorPrincipal(),
          team.runs.newest(team.agents.require(name).id(), 1).getFirst());
    }
  }

  private void gate(boolean closed) {
    team.database.transact(
        tx -> tx.update("update agent set gated = ? where handle = 'mira'", closed));
    team.events.signal().notifyWaiters();
  }
}
