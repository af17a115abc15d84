package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.mcp.spi.McpCatalog;
import dev.substrat.messaging.inbox.TurnSubject;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.server.mcp.McpCatalogs;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.turn.scheduling.Slots;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The question that a pending call was made for is answered, however the call ends.
@OnEveryDatabase
@Requirement("C20")
@Timeout(300)
final class CallSubjectTest {
  private static final String NOTICE =
      "{ when: { kind: notice }, do: [ { say: '{{event.text}}' } ] }";

  private static final String RESULT =
      "{ when: { kind: tool_result }, do: [ { say: 'got {{event.payload.result}}' } ] }";

  private static final String TOOLS =
      """
      tools:
        - { name: slow, description: Slow., executionType: internal,
            execution: { url: SERVICE/slow, inlineSeconds: 0 } }
        - { name: wait, description: Waits., executionType: internal,
            execution: { url: SERVICE/wait, inlineSeconds: 50 } }
      """;

  private final CustomToolTeam team;
  private final CountDownLatch slow = new CountDownLatch(1);
  private final CountDownLatch wait = new CountDownLatch(1);

  CallSubjectTest(TestDatabase kind) {
    this.team = new CustomToolTeam(kind.dialect());
    team.service.before("/slow", _ -> await(slow));
    team.service.before("/wait", _ -> await(wait));
  }

  @AfterEach
  void close() throws IOException {
    slow.countDown();
    wait.countDown();
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

  private Agent ada(String... rules) {
    return team.agent(
        "name: ada\nprovider: { name: scripted, playbook: [ %s ] }\n%s"
            .formatted(String.join(", ", rules), TOOLS));
  }

  private static String on(String text, String... steps) {
    return "{ when: { kind: message, text: '^%s' }, do: [ %s ] }"
        .formatted(text, String.join(", ", steps));
  }

  private static String call(String tool) {
    return "{ call: %s, with: {}, save: it }".formatted(tool);
  }

  private MessageId ask(String text) {
    return team.engine
        .messages()
        .fromOperator("ada", new Messages.PersonMessage(text, true, null), null)
        .id();
  }

  private String answerTo(MessageId question) {
    Await.until(() -> team.engine.messages().findReply(question).isPresent());
    return team.engine.messages().findReply(question).map(Message::text).orElseThrow();
  }

  private PendingCall pending() {
    Await.until(() -> !team.rows("select id from pending_call", "id").isEmpty());
    String id = team.rows("select id from pending_call", "id").getFirst();
    return team.database.<PendingCall>read(tx -> PendingCalls.find(tx, id).orElseThrow());
  }

  private void awaitRequest(String path) {
    Await.until(() -> team.service.requests.stream().anyMatch(one -> one.uri().equals(path)));
  }

  /// A client with the token of the agent's running turn.
  private McpCatalog offer(McpCatalogs desks, Agent agent) {
    String run = team.rows("select id from run where status = 'running'", "id").getFirst();
    return desks.catalogOf(new Principal.TurnPrincipal(agent.id(), new RunId(run)), null);
  }

  @ParameterizedTest
  @CsvSource({
    "fetch, The result of call CALL (tool slow) was fetched in another turn",
    "cancel, Call CALL (tool slow) was cancelled in another turn"
  })
  @Requirement("C9")
  void a_question_whose_call_ends_in_a_turn_about_another_one_gets_a_turn_of_its_own(
      String how, String notice) {
    Agent ada =
        ada(on("slow", call("slow")), on("wait", call("wait"), "{ say: waited }"), RESULT, NOTICE);
    try (var _ =
            team.engine.start(new Slots(Slots.SlotCaps.of(1)), "here", Duration.ofSeconds(30));
        var desks = new McpCatalogs(team.engine)) {
      MessageId first = ask("slow");
      String call = pending().id();
      awaitRequest("/slow");
      MessageId second = ask("wait");
      awaitRequest("/wait");
      end(how, offer(desks, ada), call);
      wait.countDown();
      assertThat(answerTo(first)).startsWith(notice.replace("CALL", call));
      assertThat(answerTo(second)).isEqualTo("waited");
    }
    assertThat(team.told("turn_started")).hasSize(3);
  }

  /// Also a second time, without effect.
  private void end(String how, McpCatalog offer, String call) {
    for (int i = 0; i < 2; i++) {
      if (how.equals("fetch")) {
        slow.countDown();
        Await.until(() -> pending().status().isOver());
        assertThat(offer.fetchTask(call)).isPresent();
      } else {
        assertThat(offer.cancelTask(call)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fetch", "cancel"})
  @Requirement("C9")
  void a_turn_that_ends_its_own_call_answers_the_question(String how) {
    Agent ada = ada(on("slow", call("slow"), call("wait"), "{ say: mine }"), RESULT, NOTICE);
    try (var _ =
            team.engine.start(new Slots(Slots.SlotCaps.of(1)), "here", Duration.ofSeconds(30));
        var desks = new McpCatalogs(team.engine)) {
      MessageId question = ask("slow");
      awaitRequest("/wait");
      end(how, offer(desks, ada), pending().id());
      wait.countDown();
      assertThat(answerTo(question)).isEqualTo("mine");
    }
    assertThat(team.told("turn_started")).hasSize(1);
    assertThat(team.rows("select id from inbox_event", "id")).isEmpty();
  }

  @Test
  @Requirement("C9")
  void a_result_for_direct_messages_that_is_fetched_in_another_turn_leaves_a_notice_about_them() {
    Agent ada = team.external("[]");
    String subject = new TurnSubject.DirectMessageSubject("lab").key();
    var opening =
        new PendingCalls.NewPendingCall(
            ada.id().value(),
            null,
            "ask",
            Json.object(),
            Json.object(),
            null,
            Json.object().put("component", "text"),
            new PendingCall.ChainPosition(2, null, subject),
            PendingCall.CallOrigin.NONE);
    PendingCall opened =
        team.database.<PendingCall>transact(tx -> team.engine.pendingCalls().open(tx, opening));
    PendingCall over =
        team.engine
            .customTools()
            .answers()
            .complete(opened.id(), Json.object(), new Principal.OperatorPrincipal());
    team.database.transact(tx -> {
      PendingCallCompletion.fetched(tx, over, null);
      return true;
    });
    assertThat(team.rows("select kind from inbox_event", "kind")).containsExactly("notice");
    assertThat(team.rows("select subject from inbox_event", "subject")).containsExactly(subject);
  }
}
