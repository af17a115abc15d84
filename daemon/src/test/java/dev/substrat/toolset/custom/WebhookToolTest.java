package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.CapturedLog;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.space.SpaceMessage;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tools whose service accepts the call and delivers the result to a callback URL, possibly early.
@OnEveryDatabase
@Requirement({"S3-19", "S3-35", "S3-36"})
final class WebhookToolTest {
  private static final Pattern SIGNED = Pattern.compile("expires=(\\d+)&signature=(.+)");

  private final CustomToolTeam team;
  private final Agent ada;

  WebhookToolTest(TestDatabase kind) {
    this.team = new CustomToolTeam(kind.dialect());
    this.ada =
        team.external(
            """
            - { name: batch, description: A job., executionType: external,
                execution: { url: SERVICE/jobs, callback: true } }
            - { name: about, description: A job about something., executionType: external,
                execution: { url: "SERVICE/jobs/{{input.id}}", callback: true } }
            - { name: slow, description: A slow job., executionType: external,
                execution: { url: SERVICE/slow, callback: true, inlineSeconds: 0 } }
            - { name: keyed, description: A job with a key., executionType: external,
                execution: { url: SERVICE/jobs, callback: true, headers: { X-Key: "${env.UNSET}" } } }
            """);
    team.space("lab", ada);
    team.call(ada, "enter_space", "{'spaceId': 'lab'}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  /// Like a client that has only the callback URL.
  private void bring(FakeService.Request told, String result) {
    var address = URI.create(Objects.requireNonNull(told.headers().get("substrat-callback-url")));
    String id = address.getPath().substring("/api/callbacks/".length());
    assertThat(told.headers()).containsEntry("substrat-call-id", id);
    Matcher signed = SIGNED.matcher(address.getQuery());
    assertThat(signed.matches()).isTrue();
    var verified =
        team.engine
            .customTools()
            .callbacks()
            .require(id, Long.parseLong(signed.group(1)), signed.group(2));
    team.engine.customTools().answers().complete(verified, Json.own(result));
  }

  private PendingCall find(String id) {
    return team.database.<PendingCall>read(tx -> PendingCalls.find(tx, id).orElseThrow());
  }

  private void assertOneWholeStory() {
    assertThat(team.told("tool-"))
        .containsExactly("tool-call.start", "tool-input-delta", "tool-call.complete");
    List<JsonNode> story = team.payloads("tool-");
    assertThat(story)
        .extracting(one -> one.path("callId"))
        .containsOnly(story.getFirst().path("callId"));
    assertThat(team.shown("lab"))
        .extracting(SpaceMessage::status)
        .containsExactly(SpaceMessage.ToolCallStatus.COMPLETE);
    assertThat(CustomToolTeam.metadata(team.shown("lab").getFirst()).at("/output/rows").asInt())
        .isEqualTo(7);
    assertThat(team.mail(ada)).hasSize(1);
  }

  @Test
  @Requirement("S3-48")
  void the_result_may_arrive_before_the_end_of_the_hand_over() {
    team.service.answers("/jobs", 202, "", "");
    team.service.before("/jobs", told -> bring(told, "{\"rows\":7}"));
    JsonNode reply = team.call(ada, "batch", "{'n': 1}");
    assertThat(reply.path("status").asText()).isEqualTo("pending");
    assertThat(find(reply.path("pendingToolCallId").asText()).status())
        .isEqualTo(PendingCall.PendingCallStatus.COMPLETED);
    assertOneWholeStory();
  }

  @Test
  @Requirement("S3-48")
  void the_result_may_arrive_after_the_hand_over() {
    team.service.answers("/jobs", 202, "", "");
    String call = team.call(ada, "batch", "{'n': 1}").path("pendingToolCallId").asText();
    assertThat(team.shown("lab"))
        .extracting(SpaceMessage::status)
        .containsExactly(SpaceMessage.ToolCallStatus.REQUIRES_ACTION);
    bring(team.service.last(), "{\"rows\":7}");
    assertOneWholeStory();
    assertThat(team.payloads("tool-call.complete").getFirst().path("pendingToolCallId").asText())
        .isEqualTo(call);
  }

  @Test
  void a_service_failure_after_the_result_does_not_discard_the_result() {
    team.service.answers("/jobs", 500, "", "");
    team.service.before("/jobs", told -> bring(told, "{\"rows\":7}"));
    assertThat(team.call(ada, "batch", "{}").path("status").asText()).isEqualTo("pending");
    assertOneWholeStory();
  }

  @Test
  void a_service_that_rejects_the_call_cannot_deliver_a_result() {
    team.service.answers("/jobs", 500, "text/plain", "no");
    JsonNode reply = team.call(ada, "batch", "{}");
    assertThat(reply.path("code").asText()).isEqualTo("UPSTREAM_ERROR");
    assertThat(reply.path("status").asInt()).isEqualTo(500);
    assertThat(team.told("tool-")).endsWith("tool-call.error");
    assertThat(refusal(() -> bring(team.service.last(), "{}"))).isEqualTo(ErrorCode.CONFLICT);
    assertThat(team.mail(ada)).isEmpty();
  }

  @Test
  void a_rejection_is_delivered_again_after_a_database_failure() {
    var isAway = new CountDownLatch(1);
    team.service.answers("/slow", 500, "text/plain", "no");
    team.service.before("/slow", _ -> await(isAway));
    try (var log = new CapturedLog()) {
      assertThat(team.call(ada, "slow", "{}").path("status").asText()).isEqualTo("pending");
      team.database.transact(tx -> tx.update("alter table pending_call rename to away"));
      isAway.countDown();
      Await.until(() -> log.all().contains("the result of a pending call could not be delivered"));
      team.database.transact(tx -> tx.update("alter table away rename to pending_call"));
    }
    assertThat(team.mail(ada)).isEmpty();

    sweep();

    assertThat(team.mail(ada))
        .singleElement()
        .satisfies(mail -> assertThat(mail.path("text").asText()).contains("UPSTREAM_ERROR"));
    sweep();
    assertThat(team.mail(ada)).as("nothing is repeated").isEmpty();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(120, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"about, INVALID_ARGUMENTS", "keyed, INVALID_CONFIG"})
  void a_call_that_cannot_be_sent_fails_immediately(String tool, String code) {
    JsonNode reply = team.call(ada, tool, "{'id': '..'}");
    assertThat(reply.path("code").asText()).isEqualTo(code);
    assertThat(team.service.requests).isEmpty();
    assertThat(team.rows("select status from pending_call", "status")).containsExactly("cancelled");
    assertThat(team.told("tool-")).endsWith("tool-call.error");
  }

  @Test
  void a_call_without_result_expires_with_its_callback_url() {
    team.service.answers("/jobs", 202, "", "");
    team.call(ada, "batch", "{}");
    team.clock.pass(Duration.ofDays(7).minusSeconds(1));
    assertThat(team.engine.customTools().answers().expire()).isZero();
    team.clock.pass(Duration.ofSeconds(1));
    assertThat(team.engine.customTools().answers().expire()).isEqualTo(1);
    assertThat(team.mail(ada))
        .singleElement()
        .satisfies(mail ->
            assertThat(mail.path("text").asText())
                .contains("\"code\":\"EXPIRED\"", "no result arrived in time"));
    assertThat(team.shown("lab"))
        .extracting(SpaceMessage::status)
        .containsExactly(SpaceMessage.ToolCallStatus.EXPIRED);
  }

  @Test
  void a_callback_url_expires_after_seven_days() {
    team.service.answers("/jobs", 202, "", "");
    team.call(ada, "batch", "{}");
    team.clock.pass(Duration.ofDays(7).plusMillis(1));
    assertThat(refusal(() -> bring(team.service.last(), "{}"))).isEqualTo(ErrorCode.EXPIRED);
    team.call(ada, "batch", "{}");
    team.clock.pass(Duration.ofDays(7).minusSeconds(1));
    bring(team.service.last(), "{\"rows\":7}");
    assertThat(team.mail(ada)).hasSize(1);
  }

  private static ErrorCode refusal(Runnable work) {
    var code = new ErrorCode[1];
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(work::run)
        .satisfies(fault -> code[0] = fault.code());
    return code[0];
  }

  private void sweep() {
    for (IntSupplier sweep : team.engine.sweeps()) {
      var _ = sweep.getAsInt();
    }
  }
}
