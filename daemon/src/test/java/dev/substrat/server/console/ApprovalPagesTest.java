package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCall;
import dev.substrat.turn.engine.Engine;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Approvals page: questions, answer forms, decisions.
@OnEveryDatabase
final class ApprovalPagesTest {
  private static final String ADA =
      """
      {"name":"ada","provider":{"name":"external"},"toolsets":["team","spaces"],"tools":[
        {"name":"confirm","description":"Asks.","executionType":"space",
         "display":{"customUI":"confirmAction","title":"Sure?"},"execution":{"timeout":600000}},
        {"name":"approve","description":"Asks.","executionType":"space",
         "display":{"customUI":"approval"}},
        {"name":"choose","description":"Asks.","executionType":"space",
         "display":{"customUI":"choice"}},
        {"name":"write","description":"Asks.","executionType":"space",
         "display":{"customUI":"text"}},
        {"name":"fill","description":"Asks.","executionType":"space","inputSchema":{"type":"object",
         "properties":{"city":{"type":"string"},"days":{"type":"integer"},"cabin":{"type":"boolean"},
           "class":{"enum":["first",2]},"stops":{"type":"array"}},"required":["days"]}},
        {"name":"book","description":"Asks.","executionType":"space","inputSchema":{"type":"object",
         "properties":{"nights":{"type":"integer","title":"Nights","minimum":0.5,"maximum":9.5},
           "when":{"type":"string","format":"date"},"mail":{"type":"string","format":"email"},
           "code":{"type":"string","minLength":2,"maxLength":4,"pattern":"[A-Z]"}}}}]}
      """;

  private final TestDatabase place;
  private final TestDaemon daemon;
  private final ConsoleClient operator;
  private final ConsoleClient ana;
  private final ConsoleClient bo;

  ApprovalPagesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    this.operator = new ConsoleClient(daemon);
    this.ana = person("ana");
    this.bo = person("bo");
    assertThat(daemon.post("/api/agents", ADA).status()).isEqualTo(201);
    daemon.post(
        "/api/spaces", "{\"name\":\"Crew\",\"kind\":\"private\",\"members\":[\"ada\",\"ana\"]}");
    Engine engine = daemon.engine();
    var caller = engine.externalRuns().caller(engine.agents().require("ada"));
    var call = new ToolCall(caller, 0, MessageId.random().value(), null);
    engine.pipeline().call(call, "enter_space", Json.object().put("spaceId", "crew"));
  }

  private ConsoleClient person(String name) {
    return new ConsoleClient(
        daemon, daemon.post("/api/tokens", "{\"person\":\"%s\"}".formatted(name)).text("token"));
  }

  @AfterEach
  void close() throws IOException {
    bo.close();
    ana.close();
    operator.close();
    daemon.close();
    place.close();
  }

  private String ask(String tool, String arguments) {
    Answer asked =
        daemon.post(
            "/api/tools/" + tool + "/call",
            "{\"agent\":\"ada\",\"arguments\":" + arguments.replace('\'', '"') + "}");
    assertThat(asked.text("status")).as("%s", asked).isEqualTo("pending");
    return asked.text("pendingToolCallId");
  }

  private JsonNode result(String call) {
    return daemon.get("/api/pending/" + call).body().path("result");
  }

  @Test
  @Requirement({"S3-41", "S3-45", "N4"})
  void a_question_shows_its_arguments_and_is_answered_once() {
    String call = ask("confirm", "{'question':'Sail at noon?','crates':40}");
    String page = operator.page("/approvals");
    assertThat(page)
        .contains("Sure?", "Sail at noon?", "<dt>crates</dt>", ">40<", "expires ", "/runs/");
    assertThat(page).contains("1<span class=\"unseen\"> waiting</span>");

    Answer answered = operator.submit("/approvals/" + call, "do", "yes", "back", "/approvals");

    assertThat(answered.header("Location")).isEqualTo("/approvals?said=answered");
    assertThat(result(call)).isEqualTo(Json.own("{\"confirmed\":true}"));
    assertThat(operator.page("/approvals"))
        .contains("No open approvals", "Sail at noon?", ">confirmed</span>", "operator:")
        .doesNotContain("{&#34;confirmed", "{\"confirmed");
    assertThat(operator.submit("/approvals/" + call, "do", "no").status()).isEqualTo(409);
  }

  @Test
  @Requirement({"S3-45", "N4"})
  void every_component_has_its_own_answer_form() {
    String approve = ask("approve", "{'action':'Pay 3 EUR'}");
    assertThat(operator.submit("/approvals/" + approve, "v.comment", "Which button?").status())
        .as("no button was pressed")
        .isEqualTo(400);
    assertThat(operator.page("/approvals"))
        .contains("name=\"reason\" form=\"decline-" + approve, "id=\"decline-" + approve);
    operator.submit("/approvals/" + approve, "do", "no", "v.comment", "Too much");
    assertThat(result(approve))
        .isEqualTo(Json.own("{\"approved\":false,\"comment\":\"Too much\"}"));

    String choose = ask("choose", "{'question':'Which?','options':['Oslo','Bergen']}");
    assertThat(operator.page("/approvals")).contains("Oslo", "Bergen", "type=\"radio\"");
    operator.submit("/approvals/" + choose, "do", "yes", "v.choice", "1");
    assertThat(result(choose)).isEqualTo(Json.own("{\"choice\":\"Bergen\"}"));

    String write = ask("write", "{'prompt':'What shall I say?'}");
    operator.submit("/approvals/" + write, "do", "yes", "v.text", "Ahoy\nthere");
    assertThat(result(write)).isEqualTo(Json.own("{\"text\":\"Ahoy\\nthere\"}"));

    String declined = ask("confirm", "{}");
    operator.submit("/approvals/" + declined, "do", "decline", "reason", "Not today");
    assertThat(result(declined))
        .isEqualTo(Json.own("{\"declined\":true,\"reason\":\"Not today\"}"));

    assertThat(operator.page("/approvals"))
        .as("outcome")
        .contains(">rejected</span>", "operator:</span> Too much")
        .contains("Pay 3 EUR", "operator:</span> Bergen", "operator:</span> Ahoy there")
        .contains(">declined</span>", "operator:</span> Not today");
  }

  @Test
  @Requirement({"S3-45", "N4"})
  void a_schema_form_keeps_the_types_of_values() {
    String call = ask("fill", "{'city':'Oslo','days':3}");
    assertThat(operator.page("/approvals"))
        .as("the form has all of them")
        .contains("<details class=\"exact\"")
        .contains("name=\"v.city\" type=\"text\" value=\"Oslo\"", "type=\"number\"")
        .contains("type=\"checkbox\" name=\"v.cabin\"", "<select");
    String path = "/approvals/" + call;
    assertThat(operator.submit(path, "do", "yes", "v.days", "some").status()).isEqualTo(400);
    assertThat(operator.submit(path, "do", "yes", "v.days", "1.5").status()).isEqualTo(400);
    assertThat(operator.submit(path, "do", "yes", "v.city", "Oslo").status()).isEqualTo(400);
    assertThat(operator.submit(path, "do", "yes", "v.days", "3", "v.stops", "[1,").status())
        .isEqualTo(400);
    operator.submit(
        path,
        "do",
        "yes",
        "v.city",
        "Rome",
        "v.days",
        "4",
        "v.cabin",
        "true",
        "v.class",
        "1",
        "v.stops",
        "[\"Bonn\"]");
    assertThat(result(call))
        .isEqualTo(
            Json.own(
                "{\"city\":\"Rome\",\"days\":4,\"cabin\":true,\"class\":2,\"stops\":[\"Bonn\"]}"));
    assertThat(operator.page("/approvals"))
        .contains("city: Rome · days: 4 · cabin: yes · class: 2");
  }

  @Test
  @Requirement({"S3-45", "N4"})
  void invalid_values_are_rejected_with_the_label_of_the_field() {
    String path = "/approvals/" + ask("book", "{}");
    assertThat(operator.page("/approvals"))
        .contains("type=\"number\" min=\"1\" max=\"9\" step=\"1\"")
        .contains("name=\"v.when\" type=\"date\"", "name=\"v.mail\" type=\"email\"")
        .contains("minlength=\"2\" pattern=\".*(?:[A-Z]).*\"")
        .as("a browser counts other characters than a schema")
        .doesNotContain("v.code\" type=\"text\" maxlength");
    assertThat(refusal(path, "v.nights", "2.5"))
        .contains("Nights must be a whole number, not &#34;2.5&#34;");
    assertThat(refusal(path, "v.nights", "99")).contains("Nights must have a maximum value of 9.5");
    assertThat(refusal(path, "v.when", "tomorrow")).contains("must be a date such as 2026-03-31");
    assertThat(refusal(path, "v.mail", "ana")).contains("must be an email address");
    assertThat(operator.page("/approvals")).contains(path);
    operator.submit(path, "do", "yes", "v.nights", "9", "v.when", "2026-04-01", "v.mail", "a@quay");
    assertThat(operator.page("/approvals")).contains("No open approvals");
  }

  @Test
  @Requirement({"S3-41", "S3-45"})
  void every_proposed_value_is_visible() {
    ask("book", "{'when':'tomorrow','nights':2}");
    assertThat(operator.page("/approvals"))
        .contains("name=\"v.when\" type=\"text\"", "value=\"tomorrow\"")
        .contains("name=\"v.nights\" type=\"number\"");
    ask("book", "{'when':'2026-04-01'}");
    assertThat(operator.page("/approvals")).contains("name=\"v.when\" type=\"date\"");
  }

  @Test
  @Requirement("S3-45")
  void an_answer_without_yes_or_no_is_shown_as_answered() {
    for (String tool : new String[] {"confirm", "approve"}) {
      String call = ask(tool, "{'question':'Sail at noon?'}");
      Answer answered =
          daemon.post("/api/pending/" + call + "/answer", "{\"result\":{\"note\":\"at one\"}}");
      assertThat(answered.status()).as("%s", answered).isEqualTo(200);
    }
    assertThat(operator.page("/approvals"))
        .contains(">answered</span>", "operator:</span> note: at one")
        .doesNotContain(">answered no<", ">rejected<", ">confirmed<", ">approved<");
  }

  private String refusal(String path, String name, String value) {
    Answer refused = operator.submit(path, "do", "yes", name, value);
    assertThat(refused.status()).isEqualTo(400);
    return refused.body().asText();
  }

  @Test
  @Requirement({"S3-41", "S3-43", "S3-44", "S3-46"})
  void people_answer_in_the_space_of_the_question() {
    String call = ask("confirm", "{'question':'Sail?'}");
    assertThat(ana.page("/spaces/crew")).contains("waiting for a person", "/approvals/" + call);
    assertThat(ana.page("/approvals")).contains("Sail?").doesNotContain("/runs/", "/agents/");
    assertThat(bo.page("/approvals")).contains("No open approvals").doesNotContain("Sail?");
    assertThat(bo.submit("/approvals/" + call, "do", "yes").status()).isEqualTo(403);

    Answer answered = ana.submit("/approvals/" + call, "do", "yes", "back", "/spaces/crew");

    assertThat(answered.header("Location")).isEqualTo("/spaces/crew");
    assertThat(ana.page("/spaces/crew"))
        .contains("Sail?", ">confirmed</span>", "ana:</span> confirmed", "<dt>confirmed</dt>")
        .doesNotContain("waiting for a person", "Reply to ada");
    String foreignRedirect = ask("confirm", "{}");
    assertThat(
            ana.submit("/approvals/" + foreignRedirect, "do", "yes", "back", "//evil.example")
                .header("Location"))
        .isEqualTo("/approvals?said=answered");
  }

  @Test
  @Requirement({"S3-41", "S3-45"})
  void hidden_characters_of_a_question_are_marked_and_its_raw_json_is_ascii() {
    String call = ask("fill", "{'city':'Os\u202elo\u200b','days':3}");
    for (String page : List.of(operator.page("/approvals"), ana.page("/spaces/crew"))) {
      assertThat(page)
          .contains(marked("Os", "202E", "lo"), "The arguments contain hidden characters", "/raw")
          .as("the form cannot mark them, so the arguments are shown above it")
          .doesNotContain("<details class=\"exact\"");
    }
    Answer raw = operator.look("/approvals/" + call + "/raw");
    assertThat(raw.status()).isEqualTo(200);
    assertThat(raw.body().asText()).contains("\"city\" : \"Os\\u202Elo\\u200B\"");
    assertThat(bo.look("/approvals/" + call + "/raw").status()).isEqualTo(403);
    String plain = ask("fill", "{'city':'Oslo','days':3}");
    assertThat(operator.page("/approvals")).contains("id=\"exact-" + plain);
  }

  private static String marked(String before, String hex, String after) {
    return before
        + "<span class=\"hidden-character\" title=\"Hidden character\">\\u{"
        + hex
        + "}</span>"
        + after;
  }

  @Test
  @Requirement({"S3-41", "S3-45"})
  void an_answer_is_valid_only_for_the_shown_arguments() {
    String call = ask("confirm", "{'question':'Sail?'}");
    String hash = daemon.get("/api/pending/" + call).body().path("argsHash").asText();
    assertThat(hash).hasSize(64);
    assertThat(operator.page("/approvals")).contains("name=\"argsHash\" value=\"" + hash);
    String other = "0".repeat(64);
    for (String way : List.of("yes", "no", "decline")) {
      assertThat(operator.submit("/approvals/" + call, "do", way, "argsHash", other).status())
          .isEqualTo(409);
    }
    String path = "/api/pending/" + call + "/answer";
    for (String answer : List.of("\"result\":{\"confirmed\":true}", "\"declined\":true")) {
      Answer refused = daemon.post(path, "{" + answer + ",\"argsHash\":\"" + other + "\"}");
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.text("code")).isEqualTo("CONFLICT");
    }
    assertThat(daemon.get("/api/pending/" + call).text("status")).isEqualTo("pending");
    assertThat(operator.submit("/approvals/" + call, "do", "yes", "argsHash", hash).status())
        .isEqualTo(303);
    String next = ask("confirm", "{'question':'Sail?'}");
    assertThat(daemon.get("/api/pending").body().at("/pending/0/argsHash").asText())
        .as("of the same arguments")
        .isEqualTo(hash);
    assertThat(
            daemon
                .post(
                    "/api/pending/" + next + "/answer",
                    "{\"declined\":true,\"argsHash\":\"" + hash + "\"}")
                .status())
        .isEqualTo(200);
  }

  @Test
  @Requirement("S3-45")
  void questions_of_agents_are_escaped() {
    for (String hostile : HostileTexts.TEXTS) {
      var arguments = Json.object().put("question", hostile).put("city", hostile);
      arguments.put(hostile, hostile).put("days", 1);
      arguments.putArray("options").add(hostile);
      for (String tool : new String[] {"confirm", "choose", "fill"}) {
        ask(tool, Json.text(arguments).replace("'", "\\u0027"));
      }
    }
    HostileTexts.assertHarmless(operator.page("/approvals"));
    HostileTexts.assertHarmless(ana.page("/spaces/crew"));
  }
}
