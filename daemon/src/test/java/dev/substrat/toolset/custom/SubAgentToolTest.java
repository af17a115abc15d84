package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.access.budget.BudgetCaps;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Dialect;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ProgressSink;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.execution.CancelSignal;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tools that run a sub-agent.
final class SubAgentToolTest {
  private final CustomToolTeam team = new CustomToolTeam(Dialect.SQLITE);

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private Agent with(String step, String more) {
    return team.external(
        """
        - name: think
          description: Thinks.
          executionType: gateway
          execution:
            agentConfig:
              name: thinker
              provider: { name: scripted, playbook: [ { do: [ %s ] } ] }
            %s
        """
            .formatted(step, more));
  }

  @Test
  @Requirement({"S3-6", "S3-17"})
  void the_final_text_of_a_sub_agent_is_the_result_and_it_is_no_team_member() {
    Agent ada = with("{ say: 'about {{event.text}} for {{event.from}}' }", "timeout: 60000");
    assertThat(team.call(ada, "think", "{'topic': 'tides'}").path("text").asText())
        .isEqualTo("about tides for ada");
    assertThat(team.rows("select handle from agent", "handle")).containsExactly("ada");
  }

  @Test
  @Requirement("S3-17")
  void a_json_object_as_final_text_is_the_result() {
    Agent ada = with("{ say: '{\"deep\": {{event.payload.n}}}' }", "timeout: 60000");
    assertThat(team.call(ada, "think", "{'n': 7}").path("deep").asInt()).isEqualTo(7);
  }

  @Test
  @Requirement("S3-17")
  void a_sub_agent_sees_the_callers_events_only_if_configured() {
    String seen = "{ say: 'seen: {{event.context}}' }";
    for (boolean included : new boolean[] {true, false}) {
      String name = included ? "open" : "shut";
      team.agent(
          """
          name: %s
          tools:
            - name: think
              description: Thinks.
              executionType: internal
              execution:
                agentConfig: { name: t, provider: { name: scripted, playbook: [ { do: [ %s ] } ] } }
                includeContext: %s
          provider:
            name: scripted
            playbook: [ { do: [ { call: think, with: {}, save: it }, { say: "{{it.text}}" } ] } ]
          """
              .formatted(name, seen, included));
      var asked =
          team.engine
              .messages()
              .fromOperator(name, new Messages.PersonMessage("the tide?", true, null), null);
      team.runAll();
      String answer = team.engine.messages().findReply(asked.id()).orElseThrow().text();
      assertThat(answer.contains("the tide?")).as(answer).isEqualTo(included);
    }
  }

  @Test
  @Requirement("S3-17")
  void a_sub_agent_that_hangs_fails_or_calls_tools_ends_with_a_reason() {
    JsonNode hung = team.call(with("{ hang: true }", "timeout: 50"), "think", "{}");
    assertThat(hung.path("code").asText()).isEqualTo("TIMEOUT");
    team.engine.agents().terminate("ada");
    Agent again = with("{ fail: no idea }", "timeout: 60000");
    assertThat(team.call(again, "think", "{}").path("message").asText()).contains("no idea");
    team.engine.agents().terminate(again.id().value());
    Agent third =
        with("{ call: send_message, with: { text: x }, save: it }, { say: '{{it.code}}' }", "");
    assertThat(team.call(third, "think", "{}").path("text").asText()).isEqualTo("UNKNOWN_TOOL");
  }

  @Test
  @Requirement("S3-17")
  void a_sub_agent_of_a_cancelled_call_is_ended() throws Exception {
    Agent ada = with("{ hang: true }", "timeout: 60000");
    var isWanted = new CountDownLatch(1);
    var interest = new CancelSignal(isWanted::countDown);
    var caller = team.engine.externalRuns().caller(ada);
    var call = new ToolCall(caller, 0, "call", "key", null, ProgressSink.UNHEARD, interest);
    var reply =
        new FutureTask<>(
            () -> team.engine.pipeline().call(call, "think", Json.object()).reply().json());
    Thread.ofVirtual().start(reply);
    assertThat(isWanted.await(120, TimeUnit.SECONDS))
        .as("the result depends on the caller")
        .isTrue();
    interest.lose();
    assertThat(reply.get(120, TimeUnit.SECONDS).path("message").asText()).contains("interrupted");
  }

  @Test
  @Requirement("S3-17")
  void a_sub_agent_with_an_unknown_provider_is_rejected() {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() ->
            team.external(
                """
                - { name: think, description: d, executionType: gateway,
                    execution: { agentConfig: { name: x, provider: { name: nobody } } } }
                """))
        .withMessageContaining("unknown provider \"nobody\"");
  }

  @Test
  @Requirement({"S3-17", "N6"})
  void usage_of_a_sub_agent_is_booked_to_its_caller() {
    Agent ada = with("{ use: { tokens: 300 } }, { say: done }", "timeout: 60000");
    team.engine.budgets().set(ada.id(), ada.handle(), new BudgetCaps(null, 500L, null, null));
    assertThat(team.call(ada, "think", "{}").path("text").asText()).isEqualTo("done");
    assertThat(team.engine.budgets().of(ada.id()))
        .singleElement()
        .satisfies(budget -> {
          assertThat(budget.spent()).isEqualTo(300);
          assertThat(budget.reserved()).isZero();
        });
    assertThat(team.call(ada, "think", "{}").path("code").asText()).isEqualTo("BUDGET_EXHAUSTED");
  }
}
