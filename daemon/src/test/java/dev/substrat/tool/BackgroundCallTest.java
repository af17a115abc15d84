package dev.substrat.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.execution.BackgroundCall;
import dev.substrat.tool.execution.CallRecord;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// The inline wait for a call that leaves the daemon.
@Requirement("C9")
final class BackgroundCallTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  private static BackgroundCall call() {
    var config = Json.as(Json.object().put("name", "ada"), AgentConfig.class);
    var agent =
        new Agent(
            AgentId.random(), "ada", "ada", "worker", null, config, true, Instant.EPOCH, null);
    var call = new ToolCall(ToolCaller.external(agent, RunId.random()), 0, "call", null);
    return new BackgroundCall(new CallRecord.RecordableCall(call, "think", Json.object()), 1);
  }

  @Test
  void a_call_whose_work_ends_the_wait_is_pending_even_if_the_work_is_done_soon() throws Exception {
    BackgroundCall call = call();
    call.execute(made -> {
      made.call().inlineWait().end();
      return new ToolResult.Done(Json.object());
    });
    assertThat(call.isDone()).isTrue();
    assertThat(call.await(LONG)).isEmpty();
  }

  @Test
  void a_call_whose_work_is_done_in_time_is_answered_inline() throws Exception {
    BackgroundCall call = call();
    call.execute(_ -> new ToolResult.Done(Json.object()));
    assertThat(call.await(LONG)).isPresent();
  }
}
