package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Pending calls over HTTP: who sees them, who may answer, and that an answer counts once.
@OnEveryDatabase
@Timeout(300)
final class PendingRoutesTest {
  private static final String TOOLS =
      """
      {"name":"ada","provider":{"name":"external"},"toolsets":["team","spaces"],"tools":[
        {"name":"confirm","description":"Asks.","executionType":"space",
         "display":{"customUI":"confirmAction","title":"Sure?"}},
        {"name":"choose","description":"Asks.","executionType":"space",
         "display":{"customUI":"choice"}},
        {"name":"fill","description":"Asks.","executionType":"space",
         "inputSchema":{"type":"object","properties":{"city":{"type":"string"},
           "nights":{"type":"integer","minimum":1,"maximum":9},
           "when":{"type":"string","format":"date"}}}},
        {"name":"draw","description":"Asks.","executionType":"space",
         "display":{"customUI":"seatMap"},
         "inputSchema":{"type":"object","properties":{"plane":{"type":"string"}},
           "required":["plane"]}},
        {"name":"batch","description":"A job.","executionType":"external"}]}
      """;

  private final SpacesFixture harbor;

  PendingRoutesTest(TestDatabase kind) {
    this.harbor = new SpacesFixture(kind);
    Answer changed = harbor.daemon.client().send("PUT", "/api/agents/ada", TOOLS);
    assertThat(changed.status()).as("%s", changed).isEqualTo(200);
  }

  @AfterEach
  void close() throws IOException {
    harbor.close();
  }

  /// As the operator tries a tool in the agent's name.
  private String ask(String tool, String arguments) {
    Answer asked =
        harbor.daemon.post(
            "/api/tools/" + tool + "/call",
            "{\"agent\":\"ada\",\"arguments\":" + arguments.replace('\'', '"') + "}");
    assertThat(asked.text("status")).as("%s", asked).isEqualTo("pending");
    return asked.text("pendingToolCallId");
  }

  private void enter(String space) {
    // Ada is an external agent; over MCP it would enter the space itself.
    JsonNode entered = harbor.enter("ada", space);
    assertThat(entered.at("/space/id").asText()).isEqualTo(space);
  }

  private static Answer bring(TestClient who, String run, String call, String result) {
    return who.post(
        "/api/runs/" + run + "/tool-results",
        "{\"callId\":\"%s\",\"result\":%s}".formatted(call, result));
  }

  private JsonNode show(String call) {
    return harbor.daemon.get("/api/pending/" + call).body();
  }

  @Test
  @Requirement({"S3-40", "S3-41"})
  void a_result_is_accepted_once_for_its_own_run() {
    String call = ask("confirm", "{'question':'Go?'}");
    JsonNode listed = harbor.daemon.get("/api/pending").body().at("/pending/0");
    assertThat(listed.path("callId").asText()).isEqualTo(call);
    assertThat(listed.path("tool").asText()).isEqualTo("confirm");
    assertThat(listed.path("args")).isEqualTo(Json.own("{\"question\":\"Go?\"}"));
    assertThat(listed.path("status").asText()).isEqualTo("pending");
    String run = listed.path("runId").asText();
    TestClient operator = harbor.daemon.client();

    assertThat(bring(operator, "01980000-0000-7000-8000-000000000000", call, "1").status())
        .isEqualTo(403);
    assertThat(bring(operator, run, "nothing", "1").status()).isEqualTo(404);
    assertThat(operator.post("/api/runs/" + run + "/tool-results", "{\"callId\":1}").status())
        .isEqualTo(400);
    Answer first = bring(operator, run, call, "{\"confirmed\":true}");
    assertThat(first.status()).isEqualTo(200);
    assertThat(first.text("status")).isEqualTo("resolved");
    Answer second = bring(operator, run, call, "{\"confirmed\":false}");
    assertThat(second.status()).isEqualTo(409);
    assertThat(show(call).path("result")).isEqualTo(Json.own("{\"confirmed\":true}"));
    assertThat(show(call).path("outcome").asText()).isEqualTo("answered");
    assertThat(harbor.daemon.get("/api/pending").body().path("pending")).isEmpty();
    assertThat(harbor.daemon.get("/api/pending?status=resolved").body().path("pending")).hasSize(1);
  }

  @Test
  @Requirement("S3-41")
  void of_two_concurrent_answers_exactly_one_is_accepted() throws Exception {
    String call = ask("confirm", "{}");
    String run = show(call).path("runId").asText();
    TestClient operator = harbor.daemon.client();
    Callable<Integer> answer = () -> bring(operator, run, call, "{\"confirmed\":true}").status();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var both = threads.invokeAll(List.of(answer, answer));
      assertThat(List.of(both.getFirst().get(), both.getLast().get()))
          .containsExactlyInAnyOrder(200, 409);
    }
  }

  @Test
  @Requirement("S3-40")
  void people_answer_only_calls_in_their_spaces() {
    enter("crew");
    String call = ask("confirm", "{}");
    String run = show(call).path("runId").asText();
    assertThat(harbor.ana.get("/api/pending").body().path("pending")).hasSize(1);
    assertThat(harbor.bo.get("/api/pending").body().path("pending")).isEmpty();
    assertThat(harbor.bo.get("/api/pending/" + call).status()).isEqualTo(403);
    assertThat(bring(harbor.bo, run, call, "1").status()).isEqualTo(403);
    assertThat(bring(harbor.ada, run, call, "1").status()).isEqualTo(403);
    assertThat(bring(harbor.ana, run, call, "{\"confirmed\":true}").status()).isEqualTo(200);
    assertThat(show(call).path("answeredBy").asText()).isEqualTo("person/ana");
    JsonNode message = harbor.daemon.get("/api/spaces/crew/messages").body().at("/messages/0");
    assertThat(message.path("kind").asText()).isEqualTo("tool");
    assertThat(message.path("status").asText()).isEqualTo("complete");
    assertThat(message.at("/metadata/output/confirmed").asBoolean()).isTrue();
  }

  @Test
  @Requirement("S3-45")
  void a_pending_call_contains_its_form() {
    JsonNode confirm = show(ask("confirm", "{'question':'Go?'}")).path("form");
    assertThat(confirm.path("component").asText()).isEqualTo("confirmAction");
    assertThat(confirm.path("title").asText()).isEqualTo("Sure?");
    assertThat(confirm.path("text").asText()).isEqualTo("Go?");
    assertThat(confirm.at("/schema/properties/confirmed/type").asText()).isEqualTo("boolean");
    JsonNode choose = show(ask("choose", "{'options':['a','b']}")).path("form");
    assertThat(choose.at("/schema/properties/choice/enum/1").asText()).isEqualTo("b");
    JsonNode fill = show(ask("fill", "{'city':'Oslo'}")).path("form");
    assertThat(fill.path("component").asText()).isEqualTo("form");
    assertThat(fill.at("/schema/properties/city/type").asText()).isEqualTo("string");
    assertThat(fill.at("/values/city").asText()).isEqualTo("Oslo");
  }

  @Test
  @Requirement({"S3-40", "S3-45"})
  void an_answer_that_violates_the_schema_is_rejected_with_its_pointer() {
    String fill = ask("fill", "{'city':'Oslo'}");
    String run = show(fill).path("runId").asText();
    TestClient operator = harbor.daemon.client();
    Answer tooMany =
        operator.post("/api/pending/" + fill + "/answer", "{\"result\":{\"nights\":99}}");
    assertThat(tooMany.status()).isEqualTo(400);
    assertThat(tooMany.body().at("/details/0/pointer").asText()).isEqualTo("/nights");
    Answer noDate = bring(operator, run, fill, "{\"when\":\"tomorrow\"}");
    assertThat(noDate.status()).isEqualTo(400);
    assertThat(noDate.text("message")).isEqualTo("/when must be a date such as 2026-03-31");
    assertThat(show(fill).path("status").asText()).isEqualTo("pending");
    assertThat(bring(operator, run, fill, "{\"nights\":9,\"when\":\"2026-04-01\"}").status())
        .isEqualTo(200);

    for (String options : List.of("['red','green']", "['red',2]")) {
      String path = "/api/pending/" + ask("choose", "{'options':" + options + "}") + "/answer";
      assertThat(operator.post(path, "{\"result\":{\"choice\":\"purple\"}}").status())
          .isEqualTo(400);
      assertThat(operator.post(path, "{\"result\":{\"choice\":\"red\"}}").status()).isEqualTo(200);
    }
    String own = ask("draw", "{'plane':'A320'}");
    assertThat(
            operator
                .post("/api/pending/" + own + "/answer", "{\"result\":{\"seat\":\"12A\"}}")
                .status())
        .as("only the author of a custom component knows its result")
        .isEqualTo(200);
  }

  @Test
  @Requirement({"S3-39", "C26"})
  void the_result_names_the_person_who_answered_or_declined() {
    enter("crew");
    String first = ask("confirm", "{}");
    harbor.ana.post("/api/pending/" + first + "/answer", "{\"result\":{\"confirmed\":true}}");
    String second = ask("confirm", "{}");
    harbor.ana.post("/api/pending/" + second + "/answer", "{\"declined\":true}");

    String inbox =
        harbor
            .ada
            .post(
                "/mcp",
                """
                {"jsonrpc":"2.0","id":1,"method":"tools/call",
                 "params":{"name":"check_inbox","arguments":{}}}
                """)
            .body()
            .toString();
    assertThat(inbox)
        .contains("Answered by ana.", "Declined by ana.")
        .doesNotContain("Answered by person/", "Declined by person/");
  }

  @Test
  @Requirement("S3-39")
  void a_call_can_be_declined_with_a_reason() {
    String call = ask("confirm", "{}");
    TestClient operator = harbor.daemon.client();
    assertThat(operator.post("/api/pending/" + call + "/answer", "{}").status()).isEqualTo(400);
    Answer declined =
        operator.post("/api/pending/" + call + "/answer", "{\"declined\":true,\"reason\":\"no\"}");
    assertThat(declined.text("outcome")).isEqualTo("declined");
    assertThat(declined.body().path("result"))
        .isEqualTo(Json.own("{\"declined\":true,\"reason\":\"no\"}"));
  }

  @Test
  @Requirement("S3-40")
  void a_service_delivers_its_result_only_to_its_callback_url() {
    String call = ask("batch", "{}");
    URI address = URI.create(show(call).path("callbackUrl").asText());
    String path = address.getPath() + "?" + address.getQuery();
    try (TestClient stranger = harbor.daemon.as("no token of ours")) {
      assertThat(stranger.post(path.replace("expires=", "expires=9"), "{}").status())
          .isEqualTo(403);
      assertThat(stranger.post(address.getPath(), "{}").status()).isEqualTo(403);
      assertThat(stranger.post(path.replace(call, ask("batch", "{}")), "{}").status())
          .isEqualTo(403);
      assertThat(stranger.post(path, "{\"rows\":7}").status()).isEqualTo(204);
      assertThat(stranger.post(path, "{\"rows\":8}").status()).isEqualTo(409);
    }
    assertThat(show(call).path("result")).isEqualTo(Json.own("{\"rows\":7}"));
    assertThat(show(call).path("callbackUrl").isNull()).isTrue();
  }

  @Test
  @Requirement("S3-40")
  void the_callback_url_is_not_shown_to_people() {
    enter("crew");
    String call = ask("batch", "{}");
    JsonNode hers = harbor.ana.get("/api/pending/" + call).body();
    assertThat(hers.path("callbackUrl").isNull()).isTrue();
    assertThat(hers.path("forService").asBoolean()).isTrue();
    assertThat(harbor.ana.get("/api/pending").body().at("/pending/0/callbackUrl").isNull())
        .isTrue();
    assertThat(show(call).path("callbackUrl").asText()).contains("signature=");
    assertThat(show(ask("confirm", "{}")).path("forService").asBoolean()).isFalse();
  }

  @Test
  void tools_are_listed_with_their_origin_and_only_custom_ones_can_be_tested() {
    JsonNode tools = harbor.daemon.get("/api/tools?agent=ada").body().path("tools");
    assertThat(tools)
        .extracting(tool -> tool.path("name").asText() + " " + tool.path("origin").asText())
        .contains("confirm configured", "send_message builtin");
    assertThat(harbor.daemon.get("/api/tools").status()).isEqualTo(400);
    Answer forged =
        harbor.daemon.post(
            "/api/tools/send_message/call", "{\"agent\":\"ada\",\"arguments\":{\"text\":\"x\"}}");
    assertThat(forged.status()).isEqualTo(403);
    Answer misspelt = harbor.daemon.post("/api/tools/confrim/call", "{\"agent\":\"ada\"}");
    assertThat(misspelt.status()).isEqualTo(422);
    assertThat(misspelt.text("message")).isEqualTo("ada has no tool confrim");
    assertThat(misspelt.text("hint")).startsWith("did you mean confirm? ");
  }

  @Test
  void a_tested_tool_leaves_a_finished_run() {
    harbor.daemon.post(
        "/api/agents",
        """
        {"name":"kit","tools":[{"name":"ask","description":"Asks.","executionType":"space"}]}\
        """);
    harbor.daemon.post("/api/tools/ask/call", "{\"agent\":\"kit\"}");
    JsonNode run = harbor.daemon.get("/api/runs?agent=kit").body().at("/runs/0");
    assertThat(run.path("status").asText()).isEqualTo("done");
    assertThat(run.path("stopReason").asText()).isEqualTo("a person tested a tool");
  }
}
