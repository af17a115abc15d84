package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Commands for pending calls and tools.
final class PendingCommandsTest extends FakeDaemonCommands {
  private static final String CALL =
      """
      {"callId":"q1","runId":"r1","agentId":"a1","agent":"mira","tool":"confirm",
       "args":{"question":"Go?"},"status":"%s","outcome":%s,"result":null,"spaceId":"lab",
       "messageId":"m1","createdAt":"2026-01-02T09:00:00Z","expiresAt":null,"shownAt":null,
       "answeredBy":null,"callbackUrl":null,
       "form":{"component":"confirmAction","title":"Sure?","text":"Go?",
        "schema":{"type":"object","properties":{"confirmed":{"type":"boolean"}},
         "required":["confirmed"]},"values":{}}}
      """;

  @Test
  void pending_calls_are_listed_and_shown() {
    daemon.answers(
        "GET /api/pending", 200, "{\"pending\":[" + CALL.formatted("pending", "null") + "]}");
    daemon.answers("GET /api/pending/q1", 200, CALL.formatted("pending", "null"));

    assertThat(run("pending", "list").out()).contains("q1", "mira", "confirm", "pending", "Go?");
    assertThat(run("pending", "show", "q1").out()).contains("Sure?: Go?", "lab");
    daemon.answers("GET /api/pending", 200, "{\"pending\":[]}");
    assertThat(run("pending", "list").out()).contains("no pending calls");
  }

  @Test
  void a_service_call_is_described_by_its_arguments() {
    String call =
        CALL.formatted("pending", "null")
            .replace("\"question\":\"Go?\"", "\"harbor\":\"Bergen\"")
            .replace("\"text\":\"Go?\"", "\"text\":\"Has a chart drawn.\"");
    daemon.answers("GET /api/pending", 200, "{\"pending\":[" + call + "]}");

    assertThat(run("pending", "list").out())
        .contains("{\"harbor\":\"Bergen\"}")
        .doesNotContain("Has a chart drawn.");
  }

  @Test
  void an_answer_sends_exactly_what_was_typed() {
    daemon.answers("GET /api/pending/q1", 200, CALL.formatted("pending", "null"));
    daemon.answers("POST /api/pending/q1/answer", 200, CALL.formatted("resolved", "\"answered\""));

    assertThat(run("pending", "answer", "q1", "{\"confirmed\":true}").out())
        .contains("answered: the result of confirm is in the inbox of mira");
    run("pending", "answer", "q1", "--decline", "--reason", "no");
    assertThat(sent())
        .containsExactly(
            "{\"result\":{\"confirmed\":true}}", "{\"declined\":true,\"reason\":\"no\"}");
    assertThat(run("pending", "answer", "q1").code()).isEqualTo(2);
    var slip = run("pending", "answer", "q1", "{confirmed:true}");
    assertThat(slip.code()).isEqualTo(2);
    assertThat(slip.err()).contains("not valid JSON", "double quotes");
    assertThat(sent()).hasSize(2);
  }

  @Test
  void a_typed_answer_is_converted_to_the_type_of_its_field() {
    String confirm = CALL.formatted("pending", "null");
    assertThat(answered(confirm, "yes")).isEqualTo("{\"confirmed\":true}");
    assertThat(answered(confirm, "No")).isEqualTo("{\"confirmed\":false}");
    assertThat(answered(confirm, "true")).isEqualTo("{\"confirmed\":true}");
    String text = asking("text", "{\"text\":{\"type\":\"string\"}}", "text");
    assertThat(answered(text, "tomorrow")).isEqualTo("{\"text\":\"tomorrow\"}");
    assertThat(answered(text, "42")).isEqualTo("{\"text\":\"42\"}");
    String choice = asking("choice", "{\"choice\":{\"enum\":[\"red\",\"blue\",3]}}", "choice");
    assertThat(answered(choice, "blue")).isEqualTo("{\"choice\":\"blue\"}");
    assertThat(answered(choice, "3")).isEqualTo("{\"choice\":3}");
    String approval =
        asking(
            "approval",
            "{\"approved\":{\"type\":\"boolean\"},\"comment\":{\"type\":\"string\"}}",
            "approved");
    assertThat(answered(approval, "no")).isEqualTo("{\"approved\":false}");
    String form = asking("form", "{\"nights\":{\"type\":\"integer\"}}", "nights");
    assertThat(answered(form, "3")).isEqualTo("{\"nights\":3}");
  }

  @Test
  void incomplete_or_invalid_answers_are_not_sent() {
    String confirm = CALL.formatted("pending", "null");
    assertThat(refused(confirm, "{}")).contains("has no confirmed", "'{\"confirmed\":true}'");
    assertThat(refused(confirm, "{\"yes\":1}")).contains("has no confirmed");
    assertThat(refused(confirm, "perhaps"))
        .contains("'perhaps' is not a valid answer", "yes or no");
    String choice = asking("choice", "{\"choice\":{\"enum\":[\"red\",\"blue\"]}}", "choice");
    assertThat(refused(choice, "green")).contains("red, blue: use one", "'{\"choice\":\"red\"}'");
    String form =
        asking(
            "form",
            "{\"nights\":{\"type\":\"integer\"},\"guest\":{\"type\":\"string\"}}",
            "nights\",\"guest");
    assertThat(refused(form, "3"))
        .contains("'3' is not enough", "'{\"nights\":1,\"guest\":\"…\"}'");
    assertThat(refused(form, "{\"nights\":3}")).contains("has no guest");
  }

  @Test
  void answers_without_a_known_form_are_sent_unchanged() {
    String own = CALL.formatted("pending", "null").replace("confirmAction", "seat-map");
    assertThat(answered(own, "12A")).isEqualTo("\"12A\"");
    String service =
        CALL.formatted("pending", "null").replace("\"spaceId\"", "\"forService\":true,\"spaceId\"");
    assertThat(answered(service, "{\"chart\":1}")).isEqualTo("{\"chart\":1}");
    String over = CALL.formatted("resolved", "\"answered\"");
    assertThat(answered(over, "late")).isEqualTo("\"late\"");
  }

  private static String asking(String component, String properties, String required) {
    return CALL.formatted("pending", "null")
        .replace("confirmAction", component)
        .replace("{\"confirmed\":{\"type\":\"boolean\"}}", properties)
        .replace("[\"confirmed\"]", "[\"" + required + "\"]");
  }

  private String answered(String call, String typed) {
    assertThat(answer(call, typed).code()).isZero();
    return sent().getLast().replaceAll("^\\{\"result\":(.*)}$", "$1");
  }

  private String refused(String call, String typed) {
    var ran = answer(call, typed);
    assertThat(ran.code()).isEqualTo(2);
    assertThat(sent()).isEmpty();
    return ran.err();
  }

  private CliOutput answer(String call, String typed) {
    daemon.answers("GET /api/pending/q1", 200, call);
    daemon.answers("POST /api/pending/q1/answer", 200, CALL.formatted("resolved", "\"answered\""));
    return run("pending", "answer", "q1", typed);
  }

  /// The answers that were sent.
  private List<String> sent() {
    String path = "POST /api/pending/q1/answer ";
    return daemon.requests().stream()
        .filter(request -> request.startsWith(path))
        .map(request -> request.substring(path.length()))
        .toList();
  }

  @Test
  void approve_sets_the_boolean_field_of_the_form() {
    daemon.answers("GET /api/pending/q1", 200, CALL.formatted("pending", "null"));
    daemon.answers("POST /api/pending/q1/answer", 200, CALL.formatted("resolved", "\"answered\""));

    assertThat(run("pending", "answer", "q1", "--approve").out())
        .contains("answered: the result of confirm");
    assertThat(daemon.requests())
        .contains("POST /api/pending/q1/answer {\"result\":{\"confirmed\":true}}");
  }

  @Test
  void an_answer_names_the_arguments_that_were_read() {
    String call =
        CALL.formatted("pending", "null").replace("\"status\"", "\"argsHash\":\"ab12\",\"status\"");
    for (String typed : List.of("--approve", "yes")) {
      assertThat(answer(call, typed).code()).isZero();
      assertThat(sent().getLast())
          .isEqualTo("{\"result\":{\"confirmed\":true},\"argsHash\":\"ab12\"}");
    }
  }

  @Test
  void hidden_characters_in_arguments_are_numbered_and_warned_about() {
    String call =
        CALL.formatted("pending", "null")
            .replace("{\"question\":\"Go?\"}", "{\"file\":\"a\u202eb\"}");
    daemon.answers("GET /api/pending/q1", 200, call);
    assertThat(run("pending", "show", "q1").out())
        .contains("{\"file\":\"a\\u202eb\"}", "the arguments contain hidden characters");
    daemon.answers("GET /api/pending/q1", 200, CALL.formatted("pending", "null"));
    assertThat(run("pending", "show", "q1").out()).doesNotContain("warning");
  }

  @Test
  void the_list_shows_the_number_of_omitted_characters() {
    String long1 = "{\"question\":\"Go?\",\"file\":\"" + "x".repeat(3_000) + "\"}";
    String call =
        CALL.formatted("pending", "null")
            .replace("{\"question\":\"Go?\"}", long1)
            .replace("\"text\":\"Go?\"", "\"text\":\"Asks.\"");
    daemon.answers("GET /api/pending", 200, "{\"pending\":[" + call + "]}");
    daemon.answers("GET /api/pending/q1", 200, call);
    assertThat(run("pending", "list").out())
        .contains("xxx… %,d more characters".formatted(long1.length() - 79));
    assertThat(run("pending", "show", "q1").out()).contains(long1);
  }

  @Test
  void approve_is_rejected_if_more_fields_are_required() {
    String form = CALL.formatted("pending", "null").replace("boolean", "string");
    daemon.answers("GET /api/pending/q1", 200, form);

    var tooLittle = run("pending", "answer", "q1", "--approve");
    assertThat(tooLittle.code()).isEqualTo(2);
    assertThat(tooLittle.err()).contains("--approve is not enough", "pending show q1");
    var nothing = run("pending", "answer", "q1");
    assertThat(nothing.code()).isEqualTo(2);
    assertThat(nothing.err())
        .contains(
            "RESULT is missing", "use JSON such as '{\"confirmed\":\"…\"}'", "pending show q1");
    assertThat(run("pending", "answer", "q1", "--approve", "--decline").err())
        .contains("cannot be combined");
    assertThat(run("pending", "answer", "q1", "{}", "--decline").code()).isEqualTo(2);
    assertThat(daemon.requests()).noneMatch(request -> request.startsWith("POST"));
  }

  @Test
  void the_beginning_of_an_id_is_enough() {
    String call = CALL.formatted("pending", "null");
    daemon.answers(
        "GET /api/pending?status=all&byDaemon=true",
        200,
        "{\"pending\":[{\"callId\":\"019a-1\"},{\"callId\":\"019b-2\"}]}");
    daemon.answers("GET /api/pending/019a-1", 200, call);
    daemon.answers(
        "POST /api/pending/019a-1/answer", 200, CALL.formatted("resolved", "\"answered\""));

    assertThat(run("pending", "show", "019a").out()).contains("Sure?: Go?");
    assertThat(run("pending", "answer", "019a", "yes").out())
        .contains("answered: the result of confirm");
    assertThat(run("pending", "show", "019").err())
        .contains("2 calls have an id that begins with 019", "pending list");
  }

  @Test
  void custom_tools_come_first_with_a_complete_sentence() {
    daemon.answers(
        "GET /api/tools?agent=mira",
        200,
        """
        {"agent":"mira","tools":[
         {"name":"ask","origin":"builtin","description":"Asks (e.g. ada)\\nsomething. More."},
         {"name":"find","origin":"remote","server":"charts","description":"Finds"},
         {"name":"look","origin":"configured","executionType":"gateway","visible":true,
          "description":"Looks at v2.1 of it! Quickly."}]}
        """);

    assertThat(
            run("tool", "list", "mira")
                .out()
                .lines()
                .skip(1)
                .map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            "look own gateway yes Looks at v2.1 of it!",
            "find server charts Finds",
            "ask built in Asks (e.g. ada) something.");
  }

  @Test
  void tools_are_listed_and_called() {
    daemon.answers(
        "GET /api/tools?agent=mira",
        200,
        """
        {"agent":"mira","tools":[{"name":"look","description":"Looks.\\nMore.","origin":"configured",
         "visible":true,"executionType":"gateway","inputSchema":{}}]}
        """);
    daemon.answers("POST /api/tools/look/call", 200, "{\"temp\":3}");

    assertThat(run("tool", "list", "mira").out()).contains("look", "own", "gateway", "Looks.");
    assertThat(run("tool", "call", "mira", "look", "{\"city\":\"Oslo\"}").out())
        .contains("\"temp\"");
    assertThat(daemon.requests())
        .contains(
            "POST /api/tools/look/call {\"agent\":\"mira\",\"arguments\":{\"city\":\"Oslo\"}}");
    assertThat(run("tool", "call", "mira", "look", "{oops").code()).isEqualTo(2);
    assertThat(run("tool", "call", "mira", "look", "[1]").err())
        .contains("the arguments are not a JSON object");
    daemon.answers(
        "POST /api/tools/look/call",
        200,
        """
        {"error":true,"code":"UPSTREAM_ERROR","message":"the service answered 500","hint":"later"}
        """);
    var failed = run("tool", "call", "mira", "look");
    assertThat(failed.code()).isEqualTo(4);
    assertThat(failed.err()).contains("the service answered 500", "later");
  }

  @Test
  void a_call_that_the_daemon_executes_is_not_shown_as_a_question() {
    String id = "01a1ecde-aaaa-7000-8000-000000000001";
    String call =
        """
        {"callId":"%s","agent":"mira","tool":"getslow","args":{"n":1},"status":"pending",
         "outcome":null,"result":null,"byDaemon":true,"createdAt":"2020-01-02T09:00:00Z",
         "expiresAt":null,"form":{"component":"form","title":"getslow","text":"","schema":{},
         "values":{}}}
        """
            .formatted(id);
    daemon.answers(
        "GET /api/pending?status=all&byDaemon=true", 200, "{\"pending\":[" + call + "]}");
    daemon.answers("GET /api/pending/" + id, 200, call);
    daemon.answers(
        "POST /api/pending/" + id + "/answer",
        200,
        call.replace("\"outcome\":null", "\"outcome\":\"declined\""));

    assertThat(run("pending", "show", "01a1ecde").out())
        .containsPattern("executing +getslow since 2020-01-0\\d \\S+ \\(\\d+d \\d+h\\)\n")
        .containsPattern("cancel +./substrat pending answer " + id + " --decline --data")
        .contains("{\"n\":1}", "mira")
        .doesNotContain("question", "asked", "answer  ", "status");
    assertThat(run("pending", "answer", "01a1ecde", "--decline").out())
        .contains("cancelled: getslow of mira");
    assertThat(daemon.requests())
        .contains("POST /api/pending/" + id + "/answer {\"declined\":true}");
    assertThat(run("pending", "answer", "01a1ecde").err())
        .contains("the daemon executes", "--decline");
  }

  @Test
  void a_call_that_the_daemon_executed_shows_its_result() {
    daemon.answers(
        "GET /api/pending/q2",
        200,
        """
        {"callId":"q2","agent":"mira","tool":"getslow","args":{},"status":"resolved",
         "outcome":"answered","result":{"ok":true},"byDaemon":true,"answeredBy":"substrat",
         "createdAt":"2020-01-02T09:00:00Z","form":{"component":"form","title":"getslow",
         "text":"","schema":{},"values":{}}}
        """);

    assertThat(run("pending", "show", "q2").out())
        .containsPattern("status +completed\n")
        .containsPattern("result +\\{\"ok\":true}\n")
        .doesNotContain("question", "cancel ", "executing");
  }
}
