package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Message.MessageStatus;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCall;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Agents that change between an external and another provider.
@OnEveryDatabase
@Requirement("N1")
final class ProviderChangeTest {
  private static final String EXTERNAL = "{name: ada, provider: {name: external}}";
  private static final String SCRIPTED =
      "{name: ada, provider: {name: scripted, playbook: [{do: [{say: 'got {{event.text}}'}]}]}}";

  private final TestTeam team;

  ProviderChangeTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_message_read_as_external_agent_is_not_shown_in_a_turn() {
    team.agent(EXTERNAL);
    tell("old news");
    assertThat(inbox("first")).contains("old news");
    team.messages.externalReads().confirmRead(ada().id(), "second");

    become(SCRIPTED);

    assertThat(team.answer(team.ask("ada", "something new"))).isEqualTo("got something new");
    var runs = team.runs.newest(ada().id(), 10);
    assertThat(runs).filteredOn(run -> run.turn() > 0).hasSize(1);
    assertThat(team.runs.given(new RunId(runs.getFirst().id()))).hasSize(1);
  }

  @Test
  void an_event_of_an_interrupted_turn_is_in_the_inbox_of_the_now_external_agent() {
    team.agent(SCRIPTED);
    team.database.transact(tx -> tx.update("update agent set gated = 1"));
    tell("do not forget");
    // As a daemon that died in the middle of the turn leaves it.
    team.database.transact(tx -> tx.update("update inbox_event set turn_no = 7"));

    become(EXTERNAL);

    assertThat(inbox("first")).contains("do not forget");
  }

  @Test
  void an_agent_that_becomes_external_again_can_call_tools() {
    team.agent(EXTERNAL);
    inbox("first");
    become(SCRIPTED);
    team.answer(team.ask("ada", "a turn here"));

    become(EXTERNAL);

    tell("welcome back");
    assertThat(inbox("second")).contains("welcome back");
  }

  @Test
  void a_question_read_externally_stays_read_when_a_later_turn_about_it_fails() {
    team.agent(EXTERNAL);
    Message question = team.ask("ada", "Is the ship ready?");
    assertThat(inbox("first")).contains("Is the ship ready?");
    team.messages.externalReads().confirmRead(ada().id(), "second");
    assertThat(team.status(question)).isEqualTo(MessageStatus.READ);

    become("{name: ada, provider: {name: scripted, playbook: [{do: [{fail: no model}]}]}}");

    team.await(() -> team.count("turn_ended") == 1);
    assertThat(team.status(question)).isEqualTo(MessageStatus.READ);
    team.clock.pass(Duration.ofSeconds(1));
    team.await(() -> team.count("turn_ended") == 2);
    assertThat(team.messages.require(question.id()).history())
        .extracting(Message.StatusChange::status)
        .as("in the order in which it got there")
        .containsExactly(
            MessageStatus.STORED,
            MessageStatus.CLAIMED,
            MessageStatus.INJECTED,
            MessageStatus.READ);
    assertThat(team.messages.require(question.id()).history())
        .extracting(Message.StatusChange::at)
        .isSorted();
  }

  private Agent ada() {
    return team.agents.require("ada");
  }

  private void become(String yaml) {
    AgentConfig config = Json.as(Yaml.own(yaml), AgentConfig.class);
    team.database.transact(
        tx -> team.agents.update(tx, "ada", team.engine.providers().prepare(config)));
  }

  private void tell(String text) {
    team.messages.fromOperator("ada", new Messages.PersonMessage(text, false, null), null);
  }

  private String inbox(String key) {
    var caller = team.engine.externalRuns().caller(ada());
    var call = new ToolCall(caller, 0, MessageId.random().value(), key);
    return team.engine
        .pipeline()
        .call(call, "check_inbox", Json.object())
        .reply()
        .json()
        .toString();
  }
}
