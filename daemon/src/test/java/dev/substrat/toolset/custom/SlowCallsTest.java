package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetCaps;
import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.mcp.client.FakeMcpServer;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.space.SpaceMessage;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ProgressSink;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.tool.transcript.RunSteps;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.run.Runs;
import dev.substrat.turn.scheduling.Slots;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls that leave the daemon and are not done within their inline time become pending calls.
@OnEveryDatabase
@Requirement("C9")
@Timeout(300)
final class SlowCallsTest {
  private static final String TELL =
      "{ when: { kind: tool_result }, do: [ { say: 'got {{event.payload.result}}' } ] }";

  private static final String EXHAUSTED =
      "select id from pending_call where result like '%BUDGET_EXHAUSTED%'";

  private final CustomToolTeam team;
  private final CountDownLatch answer = new CountDownLatch(1);

  SlowCallsTest(TestDatabase kind) {
    this.team = new CustomToolTeam(kind.dialect());
    team.service.before("/slow", _ -> await(answer));
  }

  @AfterEach
  void close() throws IOException {
    answer.countDown();
    team.engine.pipeline().background().close();
    team.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String http(String name, String more) {
    return """
    - { name: %s, description: Slow., executionType: internal, execution: { url: SERVICE/slow, %s } }
    """
        .formatted(name, more);
  }

  /// An agent that calls `tool` when it is asked, and answers when it has the result.
  private Agent asking(String tool, String tools) {
    return team.agent(
        """
        name: ada
        provider:
          name: scripted
          playbook: [ { when: { kind: message }, do: [ { call: %s, with: {} } ] }, %s ]
        %s
        """
            .formatted(tool, TELL, tools));
  }

  private void answering(String name) {
    team.agent(
        "name: %s\nprovider: { name: scripted, playbook: [ { do: [ { say: aye } ] } ] }"
            .formatted(name));
  }

  private MessageId ask(String agent) {
    return team.engine
        .messages()
        .fromOperator(agent, new Messages.PersonMessage("well?", true, null), null)
        .id();
  }

  private boolean isAnswered(MessageId question) {
    return team.engine.messages().findReply(question).isPresent();
  }

  private String answerTo(MessageId question) {
    Await.until(() -> isAnswered(question));
    return team.engine.messages().findReply(question).map(Message::text).orElseThrow();
  }

  private Engine.RunningEngine start(int slots) {
    return team.engine.start(new Slots(Slots.SlotCaps.of(slots)), "here", Duration.ofSeconds(30));
  }

  @Test
  @Requirement({"S0-7", "S3-6", "S3-36", "S3-42"})
  void a_slow_http_tool_leaves_the_only_slot_to_other_agents() {
    asking("slow", "tools:\n" + http("slow", "inlineSeconds: 1, timeout: 60000").indent(2));
    answering("ben");
    try (var _ = start(1)) {
      MessageId first = ask("ada");
      Await.until(() -> team.service.requests.size() == 1);
      assertThat(answerTo(ask("ben"))).isEqualTo("aye");
      assertThat(isAnswered(first)).isFalse();
      answer.countDown();
      assertThat(answerTo(first)).isEqualTo("got {\"ok\":true}");
      assertThat(team.service.requests).hasSize(1);
    }
  }

  @Test
  @Requirement("S0-7")
  void a_hanging_remote_server_leaves_the_only_slot_to_other_agents() throws IOException {
    try (var met = FakeMcpServer.modern()) {
      met.on(
          "tools/call",
          turn -> {
            await(answer);
            turn.result(FakeMcpServer.said("it rains"));
          });
      Agent ada =
          asking(
              "weather",
              "mcp: { servers: [ { name: met, url: '%s', inlineSeconds: 1, timeout: 60000 } ] }"
                  .formatted(met.url()));
      team.engine.remoteServers().refresh(ada, ada.config().serversOrNone().getFirst());
      answering("ben");
      try (var _ = start(1)) {
        MessageId first = ask("ada");
        Await.until(() -> met.count("tools/call") == 1);
        assertThat(answerTo(ask("ben"))).isEqualTo("aye");
        assertThat(isAnswered(first)).isFalse();
        answer.countDown();
        assertThat(answerTo(first)).isEqualTo("got {\"text\":\"it rains\"}");
      }
    }
  }

  private static String subAgent(String step, String... more) {
    return """
    tools:
      - name: think
        description: Thinks.
        executionType: internal
        execution:
          agentConfig: { name: t, provider: { name: scripted, playbook: [ { do: [ %s ] } ] } }
          %s
    """
        .formatted(step, String.join("\n      ", more));
  }

  @Test
  @Requirement({"A16", "S3-17"})
  void a_sub_agent_without_a_free_slot_is_pending_at_once_and_runs_after_its_callers_turn() {
    asking("think", subAgent("{ say: deep }", "inlineSeconds: 50"));
    answering("ben");
    try (var _ = start(1)) {
      MessageId first = ask("ada");
      MessageId second = ask("ben");
      assertThat(answerTo(first)).isEqualTo("got {\"text\":\"deep\"}");
      assertThat(answerTo(second)).isEqualTo("aye");
    }
    assertThat(team.told("turn_started")).as("two of ada, one of ben").hasSize(3);
  }

  @Test
  @Requirement({"A16", "S3-17"})
  void a_slow_sub_agent_takes_no_slot_from_turns() {
    asking("think", subAgent("{ hang: true }", "timeout: 5000"));
    answering("ben");
    var slots = new Slots(Slots.SlotCaps.of(1));
    try (var _ = team.engine.start(slots, "here", Duration.ofSeconds(30))) {
      MessageId first = ask("ada");
      Await.until(() -> slots.ofSubAgents().busy() == 1 && slots.busy() == 0);
      assertThat(answerTo(ask("ben"))).isEqualTo("aye");
      assertThat(isAnswered(first)).isFalse();
      assertThat(answerTo(first)).contains("TIMEOUT");
      Await.until(() -> slots.ofSubAgents().busy() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 50})
  void inline_seconds_say_when_a_call_becomes_pending(int seconds) {
    Agent ada = team.external(http("slow", "inlineSeconds: " + seconds));
    if (seconds == 50) {
      answer.countDown();
      assertThat(team.call(ada, "slow", "{}").path("ok").asBoolean()).isTrue();
      return;
    }
    long start = System.nanoTime();
    ToolResult reply = team.reply(ada, "slow", "{}");
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofSeconds(seconds), Duration.ofSeconds(seconds + 20));
    assertThat(reply.json().properties())
        .extracting(one -> one.getKey())
        .containsExactly("status", "pendingToolCallId", "hint");
    assertThat(reply.json().path("status").asText()).isEqualTo("pending");
    assertThat(reply.hint()).contains("inbox");
    answer.countDown();
    assertThat(result(ada, reply)).isEqualTo(Json.own("{\"ok\":true}"));
  }

  /// Inbox event of the agent for this call.
  private JsonNode result(Agent agent, ToolResult reply) {
    String id = reply.json().path("pendingToolCallId").asText();
    Await.until(() -> find(id).status().isOver());
    List<JsonNode> mail = team.mail(agent);
    assertThat(mail).hasSize(1);
    String text = mail.getFirst().path("text").asText();
    assertThat(text).contains("(callId: " + id + ")");
    return Json.own(text.substring(text.indexOf("{")));
  }

  private PendingCall find(String id) {
    return team.database.<PendingCall>read(tx -> PendingCalls.find(tx, id).orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(strings = {"tools", "mcp", "sub-agent"})
  void inline_seconds_beyond_50_are_refused(String where) {
    for (int seconds : new int[] {-1, 51}) {
      assertThatExceptionOfType(Fault.class)
          .isThrownBy(() ->
              team.agent(
                  "name: ada\n"
                      + switch (where) {
                        case "tools" ->
                            "tools:\n" + http("slow", "inlineSeconds: " + seconds).indent(2);
                        case "mcp" ->
                            "mcp: {servers: [{name: m, url: 'https://x.test/', inlineSeconds: %d}]}"
                                .formatted(seconds);
                        default -> subAgent("{ say: deep }", "inlineSeconds: " + seconds);
                      }))
          .satisfies(fault -> {
            assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
            assertThat(fault.message()).contains("inlineSeconds must be between 0 and 50");
            assertThat(fault.hint()).contains("pending immediately");
          });
    }
  }

  @Test
  void an_external_agent_waits_longer_than_a_turn() {
    Agent ada = team.external(http("slow", "timeout: 6000"));
    assertThat(team.call(ada, "slow", "{}").path("code").asText())
        .as("the timeout of the work itself ends first")
        .isEqualTo("TIMEOUT");
  }

  @Test
  @Requirement("S3-35")
  void a_call_that_the_daemon_executes_can_be_answered_and_is_not_sent_elsewhere() {
    Agent ada = team.external(http("slow", "inlineSeconds: 0"));
    String id = team.call(ada, "slow", "{}").path("pendingToolCallId").asText();
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() ->
            team.engine
                .customTools()
                .answers()
                .complete(id, Json.object(), new Principal.OperatorPrincipal()))
        .satisfies(fault -> assertThat(fault.code()).isEqualTo(ErrorCode.CONFLICT));
    var all = new PendingCalls.PendingCallFilter(null, true);
    List<PendingCall> listed =
        team.database.read(
            tx -> PendingCalls.list(tx, new Principal.OperatorPrincipal(), all, "", 10));
    assertThat(listed).isEmpty();
    assertThat(
            team.database.<Long>read(
                tx -> PendingCalls.countOpen(tx, new Principal.OperatorPrincipal())))
        .isZero();
  }

  @Test
  @Requirement({"S3-11", "S3-48", "S3-53", "S3-54"})
  void a_visible_call_shows_its_progress_after_it_became_pending_and_then_its_result() {
    team.service.answers(
        "/slow",
        200,
        "application/x-ndjson",
        "{\"status\":\"loading\",\"text\":\"half\"}\n{\"ok\":true}\n");
    Agent ada =
        team.external(
            """
            - { name: slow, description: Slow., executionType: gateway,
                execution: { url: SERVICE/slow, inlineSeconds: 0 } }
            """);
    team.space("deck", ada);
    team.call(ada, "enter_space", "{'spaceId': 'deck'}");
    ToolResult reply = team.reply(ada, "slow", "{}");
    assertThat(team.shown("deck"))
        .singleElement()
        .satisfies(shown ->
            assertThat(shown.status()).isEqualTo(SpaceMessage.ToolCallStatus.REQUIRES_ACTION));
    assertThat(team.told("tool-result")).isEmpty();
    answer.countDown();
    assertThat(result(ada, reply).path("ok").asBoolean()).isTrue();
    assertThat(team.told("tool-")).containsSubsequence("tool-call.start", "tool-call.complete");
    assertThat(team.payloads("tool-result"))
        .anySatisfy(told -> assertThat(told.path("preliminary").asBoolean()).isTrue());
    assertThat(team.payloads("tool-call.complete"))
        .allSatisfy(told -> assertThat(told.path("agent").asText()).isEqualTo("ada"));
    assertThat(team.shown("deck"))
        .singleElement()
        .satisfies(shown -> {
          assertThat(shown.status()).isEqualTo(SpaceMessage.ToolCallStatus.COMPLETE);
          assertThat(CustomToolTeam.metadata(shown).path("output").path("ok").asBoolean()).isTrue();
        });
  }

  @Test
  void a_visible_call_that_fails_later_is_shown_as_an_error() {
    team.service.answers("/slow", 500, "text/plain", "no");
    Agent ada =
        team.external(
            """
            - { name: slow, description: Slow., executionType: gateway,
                execution: { url: SERVICE/slow, inlineSeconds: 0 } }
            """);
    team.space("deck", ada);
    team.call(ada, "enter_space", "{'spaceId': 'deck'}");
    ToolResult reply = team.reply(ada, "slow", "{}");
    answer.countDown();
    assertThat(result(ada, reply).path("code").asText()).isEqualTo("UPSTREAM_ERROR");
    assertThat(team.shown("deck").getFirst().status()).isEqualTo(SpaceMessage.ToolCallStatus.ERROR);
    assertThat(team.told("tool-call.error")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cancel", "decline", "terminate"})
  void cancelling_a_pending_call_stops_the_work(String how) {
    Agent ada = asking("think", subAgent("{ hang: true }", "inlineSeconds: 0"));
    var slots = new Slots(Slots.SlotCaps.of(2));
    try (var _ = team.engine.start(slots, "here", Duration.ofSeconds(30))) {
      ask("ada");
      Await.until(() -> !pendingId().isEmpty() && slots.ofSubAgents().busy() == 1);
      PendingCall call = find(pendingId());
      switch (how) {
        case "cancel" ->
            team.database.transact(
                tx -> team.engine.customTools().answers().cancel(tx, call, "a test"));
        case "decline" ->
            team.engine
                .customTools()
                .answers()
                .decline(call.id(), null, new Principal.OperatorPrincipal());
        default -> team.engine.agents().terminate(ada.id().value());
      }
      Await.until(() -> slots.ofSubAgents().busy() == 0);
      assertThat(find(call.id()).status().isOver()).isTrue();
    }
  }

  private String pendingId() {
    return team.rows("select id from pending_call", "id").stream().findFirst().orElse("");
  }

  @Test
  void cancelling_the_run_stops_its_calls() {
    team.agent(
        "name: ada\nprovider: { name: scripted, playbook: [ { do: [ %s, { hang: true } ] } ] }\n%s"
            .formatted(
                "{ call: think, with: {} }", subAgent("{ hang: true }", "inlineSeconds: 0")));
    var slots = new Slots(Slots.SlotCaps.of(2));
    try (var _ = team.engine.start(slots, "here", Duration.ofSeconds(30))) {
      ask("ada");
      Await.until(() -> !pendingId().isEmpty() && slots.ofSubAgents().busy() == 1);
      String run = team.rows("select run_id from pending_call", "run_id").getFirst();
      team.engine
          .cancellation()
          .cancel(
              new Principal.OperatorPrincipal(),
              team.engine.runs().require(new Principal.OperatorPrincipal(), run));
      Await.until(() -> slots.ofSubAgents().busy() == 0);
      assertThat(find(pendingId()).status()).isEqualTo(PendingCall.PendingCallStatus.CANCELLED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST"})
  @Requirement("A12")
  void a_repeated_call_gets_the_same_pending_call_back(String method) {
    Agent ada = team.external(http("slow", "inlineSeconds: 0, method: " + method));
    JsonNode first = team.call(ada, "slow", "{}", "k1", ProgressSink.UNHEARD);
    assertThat(team.call(ada, "slow", "{}", "k1", ProgressSink.UNHEARD)).isEqualTo(first);
    Await.until(() -> team.service.requests.size() == 1);
    answer.countDown();
    String id = first.path("pendingToolCallId").asText();
    Await.until(() -> find(id).status().isOver());
    assertThat(team.call(ada, "slow", "{}", "k1", ProgressSink.UNHEARD)).isEqualTo(first);
    assertThat(team.service.requests).hasSize(1);
    assertThat(team.mail(ada)).hasSize(1);
  }

  @Test
  @Requirement("A12")
  void a_retried_turn_does_not_execute_its_call_again() {
    team.agent(
        "name: ada\nprovider: { name: scripted, playbook: [ %s ] }\ntools:\n%s"
            .formatted(
                "{ when: { kind: message }, do: [ { call: slow, with: {} }, { fail: later } ] }",
                http("slow", "inlineSeconds: 0").indent(2)));
    ask("ada");
    team.runAll();
    team.clock.pass(Duration.ofMinutes(1));
    team.runAll();
    Await.until(() -> team.service.requests.size() == 1);
    assertThat(team.rows("select id from pending_call", "id")).hasSize(1);
    assertThat(team.rows("select status from run", "status")).hasSize(2);
  }

  @Test
  @Requirement({"N6", "A16"})
  void usage_of_a_sub_agent_after_the_callers_turn_is_booked_to_the_caller() {
    Agent ada =
        asking("think", subAgent("{ use: { tokens: 300 } }, { say: done }", "inlineSeconds: 0"));
    team.engine.budgets().set(ada.id(), ada.handle(), new BudgetCaps(null, 500L, null, null));
    try (var _ = start(1)) {
      assertThat(answerTo(ask("ada"))).contains("done");
      ask("ada");
      Await.until(() -> team.rows(EXHAUSTED, "id").size() == 1);
    }
    assertThat(team.engine.budgets().of(ada.id()))
        .singleElement()
        .satisfies(budget -> {
          assertThat(budget.spent()).isEqualTo(300);
          assertThat(budget.reserved()).isZero();
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 50})
  @Requirement({"A16", "C20"})
  void usage_of_a_sub_agent_counts_for_the_subject_of_the_calling_turn(int seconds) {
    String ask = "{ use: { tokens: 20, usd: 0.25 } }, { call: think, with: {} }, { say: done }";
    String think = "{ use: { tokens: 300, usd: 0.5 } }, { say: deep }";
    team.agent(
        """
        name: ada
        provider: { name: scripted, playbook: [ { when: { kind: message }, do: [ %s ] }, %s ] }
        %s
        """
            .formatted(ask, TELL, subAgent(think, "inlineSeconds: " + seconds)));
    MessageId question;
    try (var _ = start(2)) {
      question = ask("ada");
      assertThat(answerTo(question)).isEqualTo(seconds == 0 ? "got {\"text\":\"deep\"}" : "done");
    }
    Runs.SubjectUsage usage =
        team.engine.runs().usage(new Principal.OperatorPrincipal(), question.value(), null);
    assertThat(usage.turns()).isEqualTo(seconds == 0 ? 2 : 1);
    assertThat(usage.outputTokens()).isEqualTo(320);
    assertThat(usage.usd()).isEqualTo(0.75);
    String first = team.rows("select min(id) as id from run", "id").getFirst();
    assertThat(team.engine.steps().of(new RunId(first)))
        .as("the steps of the turn itself")
        .extracting(RunSteps.RunStep::step)
        .containsExactly(1, 2, 3);
  }

  @Test
  @Requirement("N6")
  void a_reservation_of_a_pending_call_lasts_until_its_end() {
    Agent ada = team.external(http("slow", "inlineSeconds: 0"));
    team.engine.budgets().set(ada.id(), ada.handle(), new BudgetCaps(null, 500L, null, null));
    ToolResult reply = team.reply(ada, "slow", "{}");
    String callId = team.rows("select call_id from pending_call", "call_id").getFirst();
    var call = new ToolCall(team.engine.externalRuns().caller(ada), 0, callId, null);
    team.engine.spending().openStep(call, 1_000_001, new BudgetReservation(100, 0));

    sweep(team.engine);
    assertThat(team.engine.budgets().of(ada.id()).getFirst().reserved()).isEqualTo(100);
    answer.countDown();
    Await.until(() -> find(id(reply)).status().isOver());
    sweep(team.engine);
    Budget budget = team.engine.budgets().of(ada.id()).getFirst();
    assertThat(budget.reserved()).isZero();
    assertThat(budget.spent()).as("no usage was reported").isEqualTo(100);
  }

  @Test
  void an_agent_has_a_limit_of_running_calls() {
    Agent ada = team.external(http("slow", "inlineSeconds: 0"));
    for (int i = 0; i < 32; i++) {
      assertThat(team.call(ada, "slow", "{}").path("status").asText()).isEqualTo("pending");
    }
    JsonNode refused = team.call(ada, "slow", "{}");
    assertThat(refused.path("code").asText()).isEqualTo("LIMIT_REACHED");
    assertThat(refused.path("hint").asText()).contains("inbox");
    answer.countDown();
    Await.until(() -> team.call(ada, "slow", "{}").path("status").asText().equals("pending"));
  }

  /// The daemon that executed the calls is gone: its engine still has them, and no request reaches
  /// it.
  @Test
  @Requirement("N1")
  void after_a_restart_a_safe_call_is_repeated_and_another_is_reported_as_interrupted() {
    Agent ada =
        team.external(
            http("look", "inlineSeconds: 0") + http("pay", "inlineSeconds: 0, method: POST"));
    team.engine.pipeline().background().start("here", Duration.ofMinutes(10));
    ToolResult look = team.reply(ada, "look", "{'n': 1}");
    ToolResult pay = team.reply(ada, "pay", "{'n': 2}");
    Await.until(() -> team.service.requests.size() == 2);

    Engine restarted = team.another();
    sweep(restarted);
    assertThat(find(id(look)).status()).as("another daemon may be alive").isEqualTo(PENDING);
    restarted.pipeline().background().start("here", Duration.ofMinutes(10));
    sweep(restarted);
    Await.until(() -> team.service.requests.size() == 3);
    assertThat(String.valueOf(find(id(pay)).result()))
        .contains("\"code\":\"INTERRUPTED\"", "may or may not have been carried out");
    answer.countDown();
    Await.until(() -> find(id(look)).status().isOver());
    assertThat(String.valueOf(find(id(look)).result())).isEqualTo("{\"ok\":true}");
    assertThat(team.service.requests).as("paid usage is not booked again").hasSize(3);
    Await.until(() -> team.rows("select id from inbox_event", "id").size() == 2);
    assertThat(team.mail(ada)).hasSize(2);
  }

  private static final PendingCall.PendingCallStatus PENDING =
      PendingCall.PendingCallStatus.PENDING;

  private static String id(ToolResult reply) {
    return reply.json().path("pendingToolCallId").asText();
  }

  private static void sweep(Engine engine) {
    assertThat(engine.sweeps().stream().mapToInt(IntSupplier::getAsInt).sum()).isNotNegative();
  }

  @Test
  @Requirement("A17")
  void a_daemon_takes_over_the_calls_of_another_when_their_leases_have_expired() {
    Agent ada = team.external(http("look", "inlineSeconds: 0"));
    team.engine.pipeline().background().start("dead", Duration.ofMillis(1));
    ToolResult look = team.reply(ada, "look", "{}");
    Await.until(() -> team.service.requests.size() == 1);
    Engine survivor = team.another();
    survivor.pipeline().background().start("alive", Duration.ofMinutes(10));
    Await.until(() -> {
      sweep(survivor);
      return team.service.requests.size() == 2;
    });
    answer.countDown();
    Await.until(() -> find(id(look)).status().isOver());
    assertThat(team.mail(ada)).hasSize(1);
  }

  @Test
  void a_graceful_stop_leaves_a_pending_call_to_the_next_start() {
    Agent ada = team.external(http("look", "inlineSeconds: 0"));
    ToolResult look;
    try (var _ = start(1)) {
      look = team.reply(ada, "look", "{}");
      Await.until(() -> team.service.requests.size() == 1);
    }
    assertThat(find(id(look)).status()).isEqualTo(PENDING);
    answer.countDown();
    try (var _ =
        team.another().start(new Slots(Slots.SlotCaps.of(1)), "here", Duration.ofSeconds(30))) {
      Await.until(() -> find(id(look)).status().isOver());
    }
    assertThat(team.service.requests).hasSize(2);
    assertThat(team.mail(ada)).hasSize(1);
  }

  @Test
  @Requirement("S3-7")
  void a_service_that_accepts_a_call_slowly_blocks_no_turn() {
    Agent ada =
        team.external(
            """
            - { name: order, description: Orders., executionType: external,
                execution: { url: SERVICE/slow, callback: true, inlineSeconds: 0 } }
            """);
    team.service.answers("/slow", 500, "text/plain", "no");
    ToolResult order = team.reply(ada, "order", "{}");
    assertThat(team.rows("select id from pending_call", "id")).containsExactly(id(order));
    answer.countDown();
    assertThat(result(ada, order).path("code").asText()).isEqualTo("UPSTREAM_ERROR");
  }
}
