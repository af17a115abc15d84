package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.watch.EventPrinter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

final class EventPrinterTest {
  private final EventPrinter narrator =
      new EventPrinter(ZoneOffset.UTC, InstantSource.fixed(Instant.parse("2026-01-01T23:00:00Z")));

  private String line(String payload) throws IOException {
    String event = "{\"seq\":1,\"at\":\"2026-01-01T20:15:03.25Z\"," + payload + "}";
    return narrator.line(JsonTree.parse(event.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void messages_are_readable() throws IOException {
    assertThat(
            line(
                "\"kind\":\"message_sent\",\"from\":\"operator\",\"to\":\"mira\",\"text\":\"Is the ship ready?\""))
        .isEqualTo("20:15:03  operator → mira   \"Is the ship ready?\"");
    assertThat(
            line(
                "\"kind\":\"message_sent\",\"from\":\"mira\",\"to\":\"operator\",\"text\":\"Aye\",\"in_reply_to\":\"m1\""))
        .isEqualTo("20:15:03  mira ↩ operator   \"Aye\"");
  }

  @Test
  void a_turn_starts_calls_and_ends() throws IOException {
    assertThat(line("\"kind\":\"turn_started\",\"agent\":\"mira\",\"turn\":2,\"events\":1"))
        .isEqualTo("20:15:03  mira  ▸ turn 2 starts (1 event)");
    assertThat(
            line(
                "\"kind\":\"tool_called\",\"agent\":\"mira\",\"tool\":\"send_message\",\"arguments\":{\"recipient\":\"ada\"},\"ok\":true"))
        .isEqualTo("20:15:03  mira  calls send_message {\"recipient\":\"ada\"}");
    assertThat(
            line(
                "\"kind\":\"tool_called\",\"agent\":\"mira\",\"tool\":\"send_message\",\"arguments\":{},\"ok\":false"))
        .isEqualTo("20:15:03  mira  calls send_message {}  ✗ rejected");
    assertThat(
            line(
                "\"kind\":\"turn_ended\",\"agent\":\"mira\",\"turn\":2,\"status\":\"done\",\"response\":\"asked ada\""))
        .isEqualTo("20:15:03  mira  ■ turn 2 ends   \"asked ada\"");
    assertThat(
            line(
                "\"kind\":\"turn_ended\",\"agent\":\"mira\",\"turn\":3,\"status\":\"failed\",\"stopReason\":\"crash\""))
        .isEqualTo("20:15:03  mira  ✗ turn 3 failed: crash");
  }

  @Test
  void clones_and_templates_are_readable() throws IOException {
    assertThat(line("\"kind\":\"agent_cloned\",\"agent\":\"bo\",\"original\":\"ada\",\"blocks\":2"))
        .isEqualTo("20:15:03  bo  cloned from ada");
    assertThat(line("\"kind\":\"template_saved\",\"agent\":\"ada\",\"template\":\"hand\""))
        .isEqualTo("20:15:03  ada  saved as template hand");
    assertThat(line("\"kind\":\"template_deleted\",\"template\":\"hand\""))
        .isEqualTo("20:15:03  template hand deleted");
  }

  @Test
  void changes_of_agents_and_plans_are_readable() throws IOException {
    assertThat(
            line(
                "\"kind\":\"agent_created\",\"handle\":\"ada\",\"name\":\"Ada\",\"parent\":\"mira\""))
        .isEqualTo("20:15:03  ada  created, parent mira");
    assertThat(
            line("\"kind\":\"agent_updated\",\"agent\":\"ada\",\"changed\":[\"role\",\"limits\"]"))
        .isEqualTo("20:15:03  ada  updated: role, limits");
    assertThat(line("\"kind\":\"agent_terminated\",\"agent\":\"ada\""))
        .isEqualTo("20:15:03  ada  terminated");
    assertThat(line("\"kind\":\"reminder_due\",\"agent\":\"ada\",\"text\":\"high tide\""))
        .isEqualTo("20:15:03  ada  reminder: high tide");
    assertThat(line("\"kind\":\"plan_due\",\"agent\":\"ada\",\"name\":\"tide\",\"text\":\"look\""))
        .isEqualTo("20:15:03  ada  plan tide: look");
    assertThat(line("\"kind\":\"plan_missed\",\"agent\":\"ada\",\"name\":\"tide\""))
        .isEqualTo("20:15:03  ada  plan tide skipped: the previous one is still queued");
    assertThat(line("\"kind\":\"notice_given\",\"agent\":\"ada\",\"text\":\"ben was terminated\""))
        .isEqualTo("20:15:03  ada  notice: ben was terminated");
  }

  @Test
  void events_of_spaces_and_memory_are_readable() throws IOException {
    String ofDeck = "\"space\":\"deck\",";
    assertThat(line(ofDeck + "\"kind\":\"member_joined\",\"member\":\"ana\""))
        .isEqualTo("20:15:03  ana  joined deck");
    assertThat(line(ofDeck + "\"kind\":\"space_entered\",\"agent\":\"ada\""))
        .isEqualTo("20:15:03  ada  entered deck");
    assertThat(line(ofDeck + "\"kind\":\"space_left\",\"agent\":\"ada\""))
        .isEqualTo("20:15:03  ada  left deck");
    assertThat(line(ofDeck + "\"kind\":\"space_read\",\"member\":\"ana\",\"upTo\":3"))
        .isEqualTo("20:15:03  ana  has read deck");
    assertThat(line(ofDeck + "\"kind\":\"wake_held\",\"reason\":\"too deep\""))
        .isEqualTo("20:15:03  no agent was woken in deck: too deep");
    assertThat(line(ofDeck + "\"kind\":\"wake_held\",\"reason\":\"x\",\"agents\":[\"ada\"]"))
        .isEqualTo("20:15:03  ada is not woken in deck: x");
    String five = "\"agents\":[\"ada\",\"ben\",\"eve\",\"kim\",\"lea\"]";
    assertThat(line(ofDeck + "\"kind\":\"wake_held\",\"reason\":\"x\"," + five))
        .isEqualTo("20:15:03  ada, ben, eve and 2 more are not woken in deck: x");
    assertThat(line(ofDeck + "\"kind\":\"finished_without_posting\",\"agent\":\"ada\""))
        .isEqualTo("20:15:03  ada  finished without posting in deck");
    assertThat(line(ofDeck + "\"kind\":\"topic_changed\",\"topic\":\"tides\""))
        .isEqualTo("20:15:03  deck  topic: tides");
    assertThat(line(ofDeck + "\"kind\":\"space_changed\",\"changed\":[\"name\",\"topic\"]"))
        .isEqualTo("20:15:03  deck  updated: name, topic");
    assertThat(line("\"kind\":\"memory_updated\",\"agent\":\"ada\",\"label\":\"mood\""))
        .isEqualTo("20:15:03  ada  updated memory: mood");
    assertThat(line("\"kind\":\"passage_stored\",\"agent\":\"ada\",\"size\":7"))
        .isEqualTo("20:15:03  ada  stored a passage");
  }

  @Test
  void long_and_hostile_text_is_escaped_on_one_line() throws IOException {
    String line =
        line(
            "\"kind\":\"message_sent\",\"from\":\"ben\",\"to\":\"ada\",\"text\":\"a\\nb\\u001b]0;x\\u0007"
                + "y".repeat(500)
                + "\"");
    assertThat(line)
        .contains("a↵b\\u{1B}]0;x\\u{7}y")
        .endsWith("…\"")
        .doesNotContain("\u001b", "\u0007");
    assertThat(line.length()).isLessThan(130);
  }

  @Test
  void unknown_events_are_printed_as_json() throws IOException {
    assertThat(line("\"kind\":\"deck_scrubbed\",\"agent\":\"ada\",\"space\":\"deck\""))
        .isEqualTo("20:15:03  ada  deck_scrubbed {\"space\":\"deck\"}");
  }

  @Test
  void an_event_of_another_day_has_a_date() throws IOException {
    String event =
        "{\"at\":\"2025-12-31T20:15:03Z\",\"kind\":\"agent_terminated\",\"agent\":\"ada\"}";
    assertThat(narrator.line(JsonTree.parse(event.getBytes(StandardCharsets.UTF_8))))
        .isEqualTo("2025-12-31 20:15:03  ada  terminated");
  }

  @Test
  void an_event_without_time_is_indented() throws IOException {
    var goodbye = JsonTree.parse("{\"kind\":\"goodbye\"}".getBytes(StandardCharsets.UTF_8));
    assertThat(narrator.line(goodbye)).isEqualTo("          the daemon is stopping");
  }

  @Test
  void a_refused_call_says_why() throws IOException {
    assertThat(
            line(
                """
                "kind":"tool_called","agent":"ada","tool":"send_message","arguments":{},
                 "ok":false,"code":"RECIPIENT_UNREACHABLE","error":"you cannot write to zoe"
                """))
        .endsWith("✗ rejected RECIPIENT_UNREACHABLE: you cannot write to zoe");
  }

  @Test
  void a_call_whose_service_failed_is_not_shown_as_refused() throws IOException {
    String call =
        """
        "kind":"tool_called","agent":"ada","tool":"get","arguments":{},"ok":false,"code":"%s",
         "error":"the service answered 500"
        """;
    assertThat(line(call.formatted("UPSTREAM_ERROR")))
        .endsWith("✗ failed UPSTREAM_ERROR: the service answered 500");
    assertThat(line(call.formatted("TIMEOUT"))).contains("✗ failed TIMEOUT");
    assertThat(line(call.formatted("INTERNAL"))).contains("✗ failed INTERNAL");
    assertThat(line(call.formatted("RATE_LIMITED"))).contains("✗ rejected RATE_LIMITED");
    assertThat(line(call.formatted("CODE_OF_A_NEWER_DAEMON"))).contains("✗ rejected CODE_OF");
  }

  @Test
  void the_progress_of_a_call_is_readable() throws IOException {
    String call =
        """
        "agentId":"a1","spaceId":"lab","space":"lab","agent":"stella","toolName":"nd","callId":"c1",
        """;
    assertThat(line(call + "\"kind\":\"tool-call.start\""))
        .isEqualTo("20:15:03  stella  nd: starts in lab");
    assertThat(line(call + "\"kind\":\"tool-input-delta\",\"delta\":\"{\\\"n\\\":3}\""))
        .isEqualTo("20:15:03  stella  nd: input {\"n\":3}");
    String progress = call + "\"kind\":\"tool-result\",\"preliminary\":true,\"output\":";
    assertThat(line(progress + "{\"text\":\"loading …\"}"))
        .isEqualTo("20:15:03  stella  nd: loading …");
    assertThat(line(progress + "{\"value\":\"half\"}")).endsWith("stella  nd: half");
    assertThat(line(progress + "{\"status\":\"loading\",\"done\":3}"))
        .endsWith("stella  nd: {\"status\":\"loading\",\"done\":3}");
    assertThat(line(call + "\"kind\":\"tool-call.complete\",\"output\":{\"ok\":true}"))
        .isEqualTo("20:15:03  stella  nd: done in lab   {\"ok\":true}");
    assertThat(
            line(
                call
                    + """
                    "kind":"tool-call.error","output":{"error":true,"code":"UPSTREAM_ERROR",
                     "message":"the service answered 500","hint":"try again"}
                    """))
        .isEqualTo("20:15:03  stella  nd: failed in lab: the service answered 500");
    assertThat(
            line(
                "\"kind\":\"tool-call.complete\",\"agentId\":\"a1\",\"toolName\":\"nd\",\"space\":\"lab\""))
        .as("an older daemon names no agent")
        .isEqualTo("20:15:03  nd: done in lab");
    assertThat(line(progress + "{\"text\":\"" + "x".repeat(500) + "\"}").length()).isLessThan(130);
  }

  @Test
  void a_call_that_the_daemon_executes_is_executing_and_not_pending() throws IOException {
    String call = "\"kind\":\"pending_call\",\"callId\":\"c1\",\"tool\":\"get\",\"status\":\"%s\"";
    assertThat(line(call.formatted("pending"))).isEqualTo("20:15:03  call c1 of get  is pending");
    assertThat(line(call.formatted("pending") + ",\"executing\":true"))
        .isEqualTo("20:15:03  call c1 of get  is executing");
    assertThat(line(call.formatted("completed") + ",\"executing\":true"))
        .isEqualTo("20:15:03  call c1 of get  is completed");
  }

  @Test
  void changed_messages_read_inboxes_and_tokens_are_readable() throws IOException {
    assertThat(
            line(
                """
                "kind":"message_updated","space":"lab","message_id":"m1","messageSeq":7,
                 "author":"stella","text":"nd: ready","status":"complete"
                """))
        .isEqualTo("20:15:03  stella in lab  edited message 7   \"nd: ready\"");
    assertThat(line("\"kind\":\"inbox_read\",\"upTo\":\"m1\",\"messages\":1"))
        .isEqualTo("20:15:03  operator  has read 1 message");
    assertThat(line("\"kind\":\"inbox_read\",\"upTo\":\"m1\",\"messages\":3"))
        .isEqualTo("20:15:03  operator  has read 3 messages");
    String token = "\"token\":\"t1\",\"principal\":\"operator\",\"label\":\"%s\"";
    assertThat(line("\"kind\":\"token_minted\"," + token.formatted("ci")))
        .isEqualTo("20:15:03  token t1 of operator created (ci)");
    assertThat(line("\"kind\":\"token_minted\"," + token.formatted("")))
        .isEqualTo("20:15:03  token t1 of operator created");
    assertThat(line("\"kind\":\"token_revoked\"," + token.formatted("")))
        .isEqualTo("20:15:03  token t1 of operator revoked");
  }
}
