package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.space.SpaceMessage;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ProgressSink;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tools whose result arrives later: no turn waits, and no result is lost or counted twice.
@OnEveryDatabase
final class PendingToolTest {
  private static final String TOOLS =
      """
      - name: confirm
        description: Asks a person.
        executionType: space
        execution: { timeout: 60000 }
        display: { customUI: confirmAction }
        inputSchema: { type: object, properties: { question: { type: string } }, required: [question] }
      - { name: batch, description: A long job., executionType: external }
      """;

  private final CustomToolTeam team;
  private final Agent ada;

  PendingToolTest(TestDatabase kind) {
    this.team = new CustomToolTeam(kind.dialect());
    this.ada = team.external(TOOLS);
    team.space("lab", ada);
    team.call(ada, "enter_space", "{'spaceId': 'lab'}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private String ask(String question) {
    JsonNode reply = team.call(ada, "confirm", "{'question': '" + question + "'}");
    assertThat(reply.path("status").asText()).isEqualTo("pending");
    return reply.path("pendingToolCallId").asText();
  }

  private PendingCall find(String id) {
    return team.database.<PendingCall>read(tx -> PendingCalls.find(tx, id).orElseThrow());
  }

  @Test
  @Requirement({"S3-8", "S3-20", "S3-35", "S3-36", "S3-37", "S3-38", "S3-39", "S3-41", "S3-42"})
  void the_result_is_an_inbox_event_and_completes_the_space_message() {
    String first = ask("Book it?");
    JsonNode batch = team.call(ada, "batch", "{}");
    String second = batch.path("pendingToolCallId").asText();
    assertThat(second).isNotEqualTo(first);
    assertThat(team.mail(ada)).as("other calls are pending, no result has arrived").isEmpty();
    assertThat(find(first).arguments()).isEqualTo(Json.own("{\"question\":\"Book it?\"}"));
    assertThat(team.shown("lab"))
        .extracting(SpaceMessage::status)
        .containsOnly(SpaceMessage.ToolCallStatus.REQUIRES_ACTION);

    team.engine
        .customTools()
        .answers()
        .complete(first, Json.own("{\"confirmed\":true}"), new Principal.OperatorPrincipal());
    List<JsonNode> mail = team.mail(ada);
    assertThat(mail).hasSize(1);
    assertThat(mail.getFirst().path("kind").asText()).isEqualTo("tool_result");
    assertThat(mail.getFirst().path("text").asText())
        .isEqualTo(
            "[Tool Result: confirm] (callId: "
                + first
                + ") {\"confirmed\":true}\n"
                + "Answered by operator. Arguments of the call: {\"question\":\"Book it?\"}");
    SpaceMessage message = team.shown("lab").getFirst();
    assertThat(message.status()).isEqualTo(SpaceMessage.ToolCallStatus.COMPLETE);
    assertThat(CustomToolTeam.metadata(message).path("output"))
        .isEqualTo(Json.own("{\"confirmed\":true}"));
    assertThat(team.shown("lab").getLast().status())
        .isEqualTo(SpaceMessage.ToolCallStatus.REQUIRES_ACTION);
    assertThat(find(first).status()).isEqualTo(PendingCall.PendingCallStatus.COMPLETED);
    assertThat(team.told("tool-call.complete")).hasSize(1);
  }

  @Test
  @Requirement({"S3-39", "S3-41"})
  void a_second_or_late_answer_is_rejected() {
    PendingCallCompletion answers = team.engine.customTools().answers();
    String id = ask("Once?");
    answers.complete(id, Json.own("{\"confirmed\":true}"), new Principal.OperatorPrincipal());
    assertThat(
            refusal(() -> answers.complete(id, Json.own("2"), new Principal.OperatorPrincipal())))
        .isEqualTo(ErrorCode.CONFLICT);
    assertThat(find(id).result()).isEqualTo(Json.own("{\"confirmed\":true}"));

    String late = ask("In time?");
    assertThat(team.engine.queueStatus().read().next()).isEqualTo(find(late).expiresAt());
    team.clock.pass(Duration.ofSeconds(61));
    assertThat(answers.expire()).isEqualTo(1);
    assertThat(answers.expire()).isZero();
    assertThat(
            refusal(
                () -> answers.complete(late, Json.own("{}"), new Principal.OperatorPrincipal())))
        .isEqualTo(ErrorCode.EXPIRED);
    JsonNode told = team.mail(ada).getLast();
    assertThat(told.path("text").asText())
        .contains("\"code\":\"EXPIRED\"", "no person saw the request in time", "\"error\":true");
    assertThat(team.shown("lab").getLast().status()).isEqualTo(SpaceMessage.ToolCallStatus.EXPIRED);
  }

  @Test
  @Requirement({"S3-39", "S3-41"})
  void an_answer_after_the_deadline_is_rejected_before_the_expiry_task_ran() {
    PendingCallCompletion answers = team.engine.customTools().answers();
    String late = ask("In time?");
    team.clock.pass(Duration.ofSeconds(60));
    assertThat(
            refusal(
                () -> answers.complete(late, Json.own("{}"), new Principal.OperatorPrincipal())))
        .isEqualTo(ErrorCode.EXPIRED);
    assertThat(find(late).status()).isEqualTo(PendingCall.PendingCallStatus.EXPIRED);
    assertThat(team.mail(ada)).as("one event, whoever noticed first").hasSize(1);
    assertThat(answers.expire()).isZero();
    assertThat(team.shown("lab").getLast().status()).isEqualTo(SpaceMessage.ToolCallStatus.EXPIRED);
  }

  @Test
  @Requirement({"S3-40", "S3-41"})
  void an_invalid_answer_is_rejected_and_the_call_stays_pending() {
    PendingCallCompletion answers = team.engine.customTools().answers();
    String id = ask("Sure?");
    for (String wrong : List.of("{\"confirmed\":\"yes\"}", "{\"confirmed\":1,\"by\":\"me\"}")) {
      assertThat(
              refusal(
                  () -> answers.complete(id, Json.own(wrong), new Principal.OperatorPrincipal())))
          .as(wrong)
          .isEqualTo(ErrorCode.INVALID_ARGUMENTS);
    }
    assertThat(find(id).status()).isEqualTo(PendingCall.PendingCallStatus.PENDING);
    assertThat(team.mail(ada)).isEmpty();
    assertThat(team.shown("lab").getLast().status())
        .isEqualTo(SpaceMessage.ToolCallStatus.REQUIRES_ACTION);
    answers.complete(
        id, Json.own("{\"confirmed\":false,\"by\":\"me\"}"), new Principal.OperatorPrincipal());
    assertThat(team.mail(ada)).hasSize(1);
    String other = ask("Really?");
    answers.complete(other, Json.own("1"), new Principal.OperatorPrincipal());
    assertThat(find(other).result())
        .as("with their own wording")
        .isEqualTo(Json.own("{\"value\":1}"));

    String job = team.call(ada, "batch", "{}").path("pendingToolCallId").asText();
    answers.complete(new CallbackUrls.VerifiedCallback(job), Json.own("1"));
    assertThat(find(job).result())
        .as("the result of a service has no schema")
        .isEqualTo(Json.own("{\"value\":1}"));
  }

  @Test
  @Requirement("S3-48")
  void a_call_has_one_id_in_all_its_events() {
    String id = ask("Book it?");
    team.engine
        .customTools()
        .answers()
        .complete(id, Json.own("{\"confirmed\":true}"), new Principal.OperatorPrincipal());
    List<JsonNode> story = team.payloads("tool-");
    assertThat(team.told("tool-"))
        .containsExactly("tool-call.start", "tool-input-delta", "tool-call.complete");
    assertThat(story)
        .extracting(one -> one.path("callId"))
        .containsOnly(story.getFirst().path("callId"));
    assertThat(story.getLast().path("pendingToolCallId").asText()).isEqualTo(id);
    JsonNode posted =
        team.payloads("message_created").stream()
            .filter(one -> one.path("messageKind").asText().equals("tool"))
            .findFirst()
            .orElseThrow();
    assertThat(posted.path("callId")).isEqualTo(story.getFirst().path("callId"));
  }

  @Test
  @Requirement("S3-39")
  void declined_expired_and_never_shown_calls_have_different_results() {
    PendingCallCompletion answers = team.engine.customTools().answers();
    String seen = ask("Seen?");
    String unseen = ask("Unseen?");
    String declined = ask("Will you?");
    team.engine.pendingCalls().shown(List.of(find(seen)));
    answers.decline(declined, "not today", new Principal.OperatorPrincipal());
    team.clock.pass(Duration.ofSeconds(61));
    assertThat(answers.expire()).isEqualTo(2);
    List<String> texts = team.mail(ada).stream().map(one -> one.path("text").asText()).toList();
    assertThat(texts).hasSize(3);
    assertThat(texts)
        .anyMatch(t ->
            t.contains(declined) && t.contains("\"declined\":true") && t.contains("not today"));
    assertThat(texts).anyMatch(t -> t.contains(seen) && t.contains("a person saw the request"));
    assertThat(texts).anyMatch(t -> t.contains(unseen) && t.contains("no person saw the request"));
  }

  @Test
  @Requirement("S3-42")
  void a_repeated_call_asks_once_and_termination_cancels_pending_calls() {
    JsonNode one = team.call(ada, "confirm", "{'question': 'x'}", "same", ProgressSink.UNHEARD);
    JsonNode two = team.call(ada, "confirm", "{'question': 'x'}", "same", ProgressSink.UNHEARD);
    assertThat(two).isEqualTo(one);
    assertThat(team.shown("lab")).hasSize(1);
    team.engine.agents().terminate(ada.id().value());
    PendingCall ended = find(one.path("pendingToolCallId").asText());
    assertThat(ended.status()).isEqualTo(PendingCall.PendingCallStatus.CANCELLED);
    assertThat(team.shown("lab").getFirst().status()).isEqualTo(SpaceMessage.ToolCallStatus.ERROR);
    assertThat(
            refusal(() ->
                team.engine
                    .customTools()
                    .answers()
                    .complete(ended.id(), Json.own("1"), new Principal.OperatorPrincipal())))
        .isEqualTo(ErrorCode.CONFLICT);
  }

  @Test
  @Requirement({"S3-36", "S3-42"})
  void an_agent_continues_and_gets_the_result_in_a_later_turn() {
    Agent ben =
        team.agent(
            """
            name: ben
            tools:
              - { name: ask, description: Asks., executionType: space }
            provider:
              name: scripted
              playbook:
                - when: { kind: message, text: "^book" }
                  do: [ { call: ask, with: {} }, { say: asked } ]
                - when: { kind: tool_result }
                  do: [ { say: "it was {{event.payload.result.confirmed}} for {{event.payload.tool}}" } ]
                - when: { kind: message }
                  do: [ { say: "hello {{event.text}}" } ]
            """);
    var messages = team.engine.messages();
    var question =
        messages.fromOperator(
            "ben",
            new dev.substrat.messaging.message.Messages.PersonMessage("book", true, null),
            null);
    team.runAll();
    assertThat(messages.findReply(question.id())).as("its call is still open").isEmpty();
    var other =
        messages.fromOperator(
            "ben",
            new dev.substrat.messaging.message.Messages.PersonMessage("you", true, null),
            null);
    team.runAll();
    assertThat(messages.findReply(other.id()).orElseThrow().text()).isEqualTo("hello you");
    String call =
        team.rows("select id from pending_call where owner = '" + ben.id() + "'", "id").getFirst();
    team.engine
        .customTools()
        .answers()
        .complete(call, Json.own("{\"confirmed\":true}"), new Principal.OperatorPrincipal());
    team.runAll();
    assertThat(messages.findReply(question.id()).orElseThrow().text())
        .isEqualTo("it was true for ask");
  }

  private static ErrorCode refusal(Runnable work) {
    var code = new ErrorCode[1];
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(work::run)
        .satisfies(fault -> code[0] = fault.code());
    return code[0];
  }
}
