package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetCaps;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.SendMessageTool;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.turn.run.Run;
import dev.substrat.turn.scheduling.Leases;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// An agent stops when its budget is exhausted, and every affected principal gets the reason.
@OnEveryDatabase
@Requirement({"N6", "S0-35", "S1-22"})
final class BudgetTest {
  /// Asks the sender of every new message, forever.
  private static final String ASKS =
      "{call: send_message, with: {recipient: '%s', text: 'and {{event.message_id}}?', sync: true}}";

  private final TestTeam team;

  BudgetTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 2);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_runaway_team_stops_at_its_budget_with_a_reason() {
    scripted("boss", "", "{do: [" + ASKS.formatted("lead") + "]}");
    scripted(
        "lead",
        "parent: boss, limits: {budgetTurns: 10},",
        "{do: [" + ASKS.formatted("ada") + "]}");
    scripted("ada", "parent: lead,", "{do: [" + ASKS.formatted("lead") + "]}");

    team.ask("boss", "go");
    team.await(() -> team.count("budget_exhausted") == 1 && isQuiet());

    Budget turns = budget("ada");
    assertThat(turns.spent()).isEqualTo(turns.cap()).isEqualTo(10);
    assertThat(team.runs.newest(null, 200))
        .extracting(Run::agent)
        .filteredOn(agent -> !agent.equals("boss"))
        .hasSize(10);
    String reason = "BUDGET_EXHAUSTED: lead has used 10 of 10 turns (limits.budgetTurns)";
    assertThat(inspect("lead").path("state_reason").asText()).isEqualTo(reason);
    assertThat(inspect("ada").path("budgets").path(0).path("left").asInt()).isZero();
    assertThat(inspect("boss").has("state_reason")).isFalse();
    assertThat(toOperator(reason)).hasSize(1).first().asString().contains("agent budget lead");
    assertThat(team.messages.of(agent("boss").id(), 200))
        .extracting(Message::text)
        .filteredOn(text -> text.startsWith("No reply from lead for now"))
        .isNotEmpty()
        .allSatisfy(text -> assertThat(text).contains(reason));
  }

  @Test
  void raising_a_budget_wakes_blocked_agents_and_no_message_is_lost() {
    scripted("ada", "limits: {budgetTurns: 1},", "{do: [{say: 'aye {{event.text}}'}]}");
    assertThat(team.answer(team.ask("ada", "one"))).isEqualTo("aye one");
    var second = team.ask("ada", "two");
    var third = team.ask("ada", "three");
    team.await(() -> team.count("budget_exhausted") == 1);
    assertThat(team.status(second)).isEqualTo(Message.MessageStatus.STORED);

    team.engine.budgets().set(agent("ada").id(), "ada", new BudgetCaps(null, null, 3L, null));

    assertThat(team.answer(second)).contains("aye two");
    assertThat(team.answer(third)).contains("aye three");
    assertThat(inspect("ada").has("state_reason")).isFalse();
  }

  @Test
  void a_step_over_the_budget_ends_the_turn_without_counting_an_attempt() {
    scripted(
        "ada",
        "limits: {budgetTokens: 2500, budgetUsd: 1},",
        "{do: [{use: {tokens: 1000, usd: 0.02}}, {say: 'aye'}]}");
    team.answer(team.ask("ada", "one"));
    team.answer(team.ask("ada", "two"));
    var third = team.ask("ada", "three");
    team.await(() -> team.count("budget_exhausted") == 1 && isQuiet());

    Run refused = team.runs.newest(null, 1).getFirst();
    assertThat(refused.stopReason())
        .isEqualTo(
            "BUDGET_EXHAUSTED: ada has used 2000 of 2500 tokens (limits.budgetTokens), and this step"
                + " may need 1000");
    assertThat(attempts()).isZero();
    assertThat(team.status(third)).isEqualTo(Message.MessageStatus.STORED);
    assertThat(toOperator("Budget: ada has used 2000 of 2500 tokens")).hasSize(1);
    assertThat(team.count("budget_low")).isEqualTo(1);

    team.engine.budgets().set(agent("ada").id(), "ada", new BudgetCaps(null, 3000L, null, null));
    assertThat(team.answer(third)).isEqualTo("aye");
    assertThat(inspect("ada").path("budgets").path(1).path("spent").asDouble()).isEqualTo(0.06);
  }

  @Test
  void a_child_uses_its_parents_budget_and_no_more_than_remains() {
    scripted(
        "lead",
        "limits: {budgetTokens: 5000},",
        """
        {when: {kind: message, text: more}, do: [
          {call: spawn_agent, with: {name: cy, instructions: x, budget_tokens: 6000}, save: much},
          {say: '{{much.code}} {{much.message}}'}]},
        {when: {kind: message, text: less}, do: [
          {call: spawn_agent, with: {name: cy, instructions: x, budget_tokens: 1500}, save: some},
          {say: '{{some.status}}'}]},
        {when: {kind: start}, do: [{use: {tokens: 1000}}, {use: {tokens: 1000}}]}\
        """);

    assertThat(team.answer(team.ask("lead", "more")))
        .isEqualTo("LIMIT_REACHED /budget_tokens is more than the 5000 tokens you have left");
    assertThat(team.answer(team.ask("lead", "less"))).isEqualTo("created");
    team.await(() -> team.count("budget_exhausted") == 1 && isQuiet());

    assertThat(budgets("cy"))
        .extracting(Budget::handle, Budget::cap, Budget::spent, Budget::reserved)
        .containsExactly(tuple("lead", 5000L, 1000L, 0L), tuple("cy", 1500L, 1000L, 0L));
    assertThat(agent("cy").config().limitsOrDefault().budgetTokens()).isEqualTo(1500);
    assertThat(inspect("cy").path("state_reason").asText()).contains("cy has used 1000 of 1500");
    assertThat(inspect("lead").has("state_reason")).isFalse();
  }

  @Test
  void a_turn_gets_no_more_time_than_is_left() {
    scripted("ada", "limits: {budgetSeconds: 60},", "{do: [{hang: true}]}");
    var question = team.ask("ada", "go");
    team.await(() -> budget("ada").reserved() == 60_000 && team.running.all().size() == 1);

    team.clock.pass(Duration.ofSeconds(61));
    team.await(() -> team.running.interruptOverdue() == 1);

    team.await(() -> team.count("budget_exhausted") == 1 && isQuiet());
    assertThat(budget("ada"))
        .extracting(Budget::spent, Budget::reserved)
        .containsExactly(61_000L, 0L);
    assertThat(team.runs.newest(null, 1).getFirst().stopReason())
        .isEqualTo("BUDGET_EXHAUSTED: the turn has used all the time that was left in its budget");
    assertThat(attempts()).isZero();
    assertThat(team.status(question)).isEqualTo(Message.MessageStatus.STORED);
  }

  @Test
  void a_message_to_an_agent_without_budget_is_delivered_later_and_the_sender_is_informed() {
    scripted("lead", "", "");
    scripted("ada", "parent: lead, limits: {budgetTurns: 1},", "{do: [{say: aye}]}");
    team.answer(team.ask("ada", "one"));
    team.ask("ada", "two");
    team.await(() -> team.count("budget_exhausted") == 1);

    var call = new ToolCall(ToolCaller.external(agent("lead"), RunId.random()), 0, "call", null);
    var arguments = Json.object().put("recipient", "ada").put("text", "ready?");
    var reply = new SendMessageTool(team.mail).call(call, arguments);

    assertThat(reply.hint()).contains("BUDGET_EXHAUSTED: ada has used 1 of 1 turns");
    assertThat(reply.json().path("waiting_for_reply").asBoolean()).isTrue();
    assertThat(inspect("ada").path("pending_count").asInt()).isEqualTo(2);
  }

  @Test
  void a_cancelled_turn_releases_its_unused_time() {
    scripted("ada", "limits: {budgetSeconds: 60},", "{do: [{hang: true}]}");
    team.ask("ada", "go");
    team.await(() -> team.running.all().size() == 1);
    team.clock.pass(Duration.ofSeconds(5));

    team.cancellation.cancel(
        new Principal.OperatorPrincipal(), team.runs.newest(null, 1).getFirst());

    assertThat(budget("ada"))
        .extracting(Budget::spent, Budget::reserved)
        .containsExactly(5_000L, 0L);
  }

  private void scripted(String name, String more, String rules) {
    team.agent(
        "{name: %s, %s provider: {name: scripted, playbook: [%s]}}".formatted(name, more, rules));
  }

  private Agent agent(String name) {
    return team.agents.require(name);
  }

  private List<Budget> budgets(String name) {
    return team.engine.budgets().of(agent(name).id());
  }

  private Budget budget(String name) {
    return budgets(name).getFirst();
  }

  private JsonNode inspect(String name) {
    return Json.tree(team.engine.inspection().of(agent(name)));
  }

  private List<String> toOperator(String beginning) {
    return team.messages.toOperator("", 200).stream()
        .filter(message -> message.recipient().equals(Principal.OPERATOR_NAME))
        .map(Message::text)
        .filter(text -> text.startsWith(beginning))
        .toList();
  }

  private long attempts() {
    return team.database.read(
        tx -> tx.number("select coalesce(max(attempts), 0) as n from inbox_event"));
  }

  private boolean isQuiet() {
    var leases = new Leases("observer", TestTeam.LEASE, team.database.dialect());
    return team.database.read(tx ->
        leases.ready(tx, team.clock.instant()).isEmpty()
            && tx.number("select count(*) as n from agent where lease_owner is not null") == 0);
  }
}
