package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.turn.SteppedDispatcher;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls that are handed over to a service by a turn that is interrupted, or lost with its daemon,
/// before the service accepted the call.
@OnEveryDatabase
@Requirement({"C9", "C20", "A12"})
@Timeout(300)
final class HandOverRetryTest {
  private static final String RESULT =
      "{ when: { kind: tool_result }, do: [ { say: 'got {{event.payload.result}}' } ] }";

  private final CustomToolTeam team;
  private final CountDownLatch order = new CountDownLatch(1);

  /// The first request is answered when `order` is released, all later ones at once.
  HandOverRetryTest(TestDatabase kind) {
    this.team = new CustomToolTeam(kind.dialect());
    var isFirst = new AtomicBoolean(true);
    team.service.answers("/order", 202, "", "");
    team.service.before(
        "/order",
        _ -> {
          if (isFirst.getAndSet(false)) {
            await(order);
          }
        });
  }

  @AfterEach
  void close() throws IOException {
    order.countDown();
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

  private static String config(String... steps) {
    return """
    name: ada
    provider:
      name: scripted
      playbook: [ { when: { kind: message }, do: [ %s ] }, %s ]
    tools:
      - { name: order, description: Orders., executionType: external,
          execution: { url: SERVICE/order, callback: true, inlineSeconds: 50 } }
    """
        .formatted(String.join(", ", steps), RESULT);
  }

  /// An agent that orders when it is asked, and then does `steps`.
  private Agent ordering(String... steps) {
    return team.agent(config("{ call: order, with: {}, save: it }, " + String.join(", ", steps)));
  }

  private MessageId ask() {
    return team.engine
        .messages()
        .fromOperator("ada", new Messages.PersonMessage("well?", true, null), null)
        .id();
  }

  private String answerTo(MessageId question) {
    return team.engine.messages().findReply(question).map(Message::text).orElse("");
  }

  private PendingCall pending() {
    String id = team.rows("select id from pending_call", "id").getFirst();
    return team.database.<PendingCall>read(tx -> PendingCalls.find(tx, id).orElseThrow());
  }

  private Thread turnThatWaits(Agent agent) {
    Thread turn = Thread.ofVirtual().start(() -> team.turns.run(agent.id()));
    Await.until(() -> team.service.requests.size() == 1);
    return turn;
  }

  private void bringResult() {
    team.engine
        .customTools()
        .answers()
        .complete(new CallbackUrls.VerifiedCallback(pending().id()), Json.object().put("n", 7));
  }

  @Test
  void a_turn_that_is_interrupted_while_it_hands_a_call_over_cancels_the_call() throws Exception {
    Agent ada = ordering("{ sleep: 1ms }", "{ say: '{{it.code}}' }");
    MessageId question = ask();
    Thread turn = turnThatWaits(ada);
    team.engine.running().interrupt(ada.id(), "the turn took too long");
    turn.join();
    assertThat(pending().status()).isEqualTo(PendingCall.PendingCallStatus.CANCELLED);

    team.clock.pass(Duration.ofMinutes(1));
    team.turns.run(ada.id());
    assertThat(answerTo(question)).as("the retried turn gets the result").isEqualTo("STOPPING");
    assertThat(team.service.requests).hasSize(1);
    assertThat(team.rows("select id from pending_call", "id")).hasSize(1);
  }

  @Test
  void a_result_delivered_before_the_interruption_is_kept() throws Exception {
    Agent ada = ordering("{ sleep: 1ms }");
    MessageId question = ask();
    Thread turn = turnThatWaits(ada);
    bringResult();
    team.engine.running().interrupt(ada.id(), "the turn took too long");
    turn.join();
    team.clock.pass(Duration.ofMinutes(1));
    team.runAll();
    assertThat(answerTo(question)).isEqualTo("got {\"n\":7}");
    assertThat(team.service.requests).hasSize(1);
  }

  private SteppedDispatcher survivor() {
    team.database.transact(tx -> tx.update("update agent set lease_until = 0"));
    return new SteppedDispatcher(team.database, team.another().turnParts(), "there");
  }

  @ParameterizedTest
  @ValueSource(ints = {202, 500})
  void a_retried_turn_hands_its_call_over_as_the_same_pending_call(int status) throws Exception {
    Agent ada = ordering();
    MessageId question = ask();
    Thread lost = turnThatWaits(ada);
    SteppedDispatcher survivor = survivor();
    survivor.run(ada.id());
    assertThat(team.service.requests)
        .hasSize(2)
        .extracting(request -> request.headers().get("substrat-call-id"))
        .containsOnly(pending().id());

    team.service.answers("/order", status, "", "");
    order.countDown();
    lost.join();
    assertThat(pending().status())
        .as("it is not the lost turn's")
        .isEqualTo(PendingCall.PendingCallStatus.PENDING);
    assertThat(team.engine.messages().findReply(question)).isEmpty();
    bringResult();
    survivor.run(ada.id());
    assertThat(answerTo(question)).isEqualTo("got {\"n\":7}");
    assertThat(team.rows("select id from pending_call", "id")).hasSize(1);
  }

  @Test
  void a_result_that_arrives_before_the_retry_is_not_requested_again() throws Exception {
    Agent ada = ordering();
    MessageId question = ask();
    Thread lost = turnThatWaits(ada);
    bringResult();
    survivor().run(ada.id());
    assertThat(answerTo(question)).isEqualTo("got {\"n\":7}");
    assertThat(team.service.requests).hasSize(1);
    assertThat(team.rows("select id from pending_call", "id")).hasSize(1);
    order.countDown();
    lost.join();
  }

  @Test
  void a_call_that_the_service_refused_in_a_lost_turn_is_handed_over_again() throws Exception {
    Agent ada = ordering("{ say: '{{it.code}}' }");
    MessageId question = ask();
    Thread lost = turnThatWaits(ada);
    SteppedDispatcher survivor = survivor();
    team.database.transact(tx -> tx.update("update agent set lease_owner = 'none'"));
    team.service.answers("/order", 500, "", "");
    order.countDown();
    lost.join();
    assertThat(pending().status()).isEqualTo(PendingCall.PendingCallStatus.CANCELLED);
    survivor.run(ada.id());
    assertThat(answerTo(question)).isEqualTo("UPSTREAM_ERROR");
    assertThat(team.service.requests).hasSize(2);
    assertThat(team.rows("select distinct status from pending_call", "status"))
        .containsExactly("cancelled");
  }

  @Test
  void a_retried_turn_that_does_not_repeat_the_call_answers_without_it() throws Exception {
    Agent ada = ordering();
    MessageId question = ask();
    Thread lost = turnThatWaits(ada);
    var changed = config("{ say: without }");
    team.database.transact(tx ->
        team.engine
            .agents()
            .update(
                tx,
                "ada",
                team.engine
                    .providers()
                    .prepare(
                        Json.as(
                            Yaml.own(changed.replace("SERVICE", team.service.url())),
                            AgentConfig.class))));
    SteppedDispatcher survivor = survivor();
    survivor.run(ada.id());
    assertThat(answerTo(question)).isEqualTo("without");
    order.countDown();
    lost.join();
    bringResult();
    survivor.run(ada.id());
    assertThat(team.engine.messages().newestToOperator(10))
        .as("a late result is not lost")
        .extracting(Message::text)
        .containsExactlyInAnyOrder("without", "got {\"n\":7}");
  }
}
