package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.mcp.client.FakeMcpServer;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Warnings about probable mistakes in a playbook when its agent is created. The playbook is
/// accepted anyway, because some playbooks test errors on purpose.
@Requirement("N11")
final class PlaybookChecksTest {
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.reaching(place, Map.of());

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"text":"now","delay":"5s"}       | /provider/playbook/0/do/1/with/delay is not a known key
          {"text":"now"}                    | /provider/playbook/0/do/1/with/in_seconds is missing
          {"text":"now","in_seconds":"5s"}  | /provider/playbook/0/do/1/with/in_seconds string found, integer expected
          {"text":3,"in_seconds":5}         | /provider/playbook/0/do/1/with/text integer found, string expected
          {"text":"{{event.text}}"}         | /provider/playbook/0/do/1/with/in_seconds is missing
          {"text":"x","in_seconds":"in {{event.text}} s"} | /with/in_seconds string found, integer expected
          """)
  void invalid_arguments_of_a_playbook_are_a_warning_with_their_pointer(
      String arguments, String words) {
    var answer =
        create("[{\"do\":[{\"say\":\"hm\"},{\"call\":\"remind_me\",\"with\":%s}]}]", arguments);

    assertThat(warnings(answer))
        .anySatisfy(one -> assertThat(one).contains(words, "remind_me takes text, in_seconds"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          remind_me    | {"text":"{{event.text}}","in_seconds":"{{event.text}}"}
          remind_me    | {"text":"in {{event.text}}","in_seconds":5}
          send_message | {"recipient":"{{event.from}}","text":"{{event.text}}","sync":"{{event.sync}}"}
          set_memories | {"memories":[{"key":"{{event.text}}","value":"{{event.text}}"}]}
          """)
  void arguments_with_placeholders_are_not_checked(String tool, String arguments) {
    var answer = create("[{\"do\":[{\"call\":\"" + tool + "\",\"with\":%s}]}]", arguments);

    assertThat(warnings(answer)).isEmpty();
  }

  @Test
  void calls_of_custom_tools_are_checked_unless_repair_is_configured() {
    String tools =
        """
        ,"toolsets":[],"tools":[{"name":"look","description":"d","executionType":"internal",
          "execution":{"value":1},"middleware":[%s],"inputSchema":{"type":"object",
          "properties":{"n":{"type":"integer"}},"additionalProperties":false}}]
        """;
    String playbook = "[{\"do\":[{\"call\":\"look\",\"with\":{\"n\":\"3\"}}]}]";

    assertThat(warnings(agent(playbook, tools.formatted("")))).hasSize(1);
    assertThat(warnings(agent(playbook, tools.formatted("\"repair\"")))).isEmpty();
  }

  @Test
  void a_schema_that_cannot_be_evaluated_is_a_warning() {
    String tools =
        """
        ,"tools":[{"name":"look","description":"d","executionType":"internal",
          "execution":{"value":1},"inputSchema":{"properties":{"a":{"$ref":"#/$defs/b"}},
          "$defs":{"b":{"anyOf":[{"$ref":"#/$defs/b"}]}}}}]
        """;

    var answer = agent("[{\"do\":[{\"call\":\"look\",\"with\":{\"a\":\"x\"}}]}]", tools);

    assertThat(warnings(answer).getFirst())
        .contains("/provider/playbook/0/do/0/with cannot be checked");
  }

  @Test
  void a_tool_that_no_server_may_offer_is_a_warning_with_a_suggestion() {
    var answer = agent(CALLS_WETHER, server("\"allowedTools\":[\"weather\"]"));

    assertThat(warnings(answer).getFirst())
        .contains("the agent has no tool wether", "did you mean weather?");

    String prefixed = "[{\"do\":[{\"call\":\"met_weather\"}]}]";
    assertThat(warnings(agent(prefixed, server("\"allowedTools\":[\"weather\"]")))).isEmpty();
  }

  @Test
  void a_tool_of_a_server_without_a_tool_list_is_a_warning() {
    var answer = agent(CALLS_WETHER, server("\"network\":false"));

    assertThat(warnings(answer).getFirst())
        .contains("/provider/playbook/0/do/0/call", "wether", "met");
    assertThat(
            agent(
                    "[{\"do\":[{\"call\":\"remind_me\",\"with\":{\"text\":\"x\",\"in_seconds\":1}}]}]",
                    server("\"network\":false"))
                .body()
                .has("warnings"))
        .isFalse();
  }

  @Test
  void calls_of_remote_tools_are_checked_once_the_server_was_listed() {
    try (var server = FakeMcpServer.modern()) {
      String servers =
          ",\"mcp\":{\"servers\":[{\"name\":\"met\",\"url\":\"%s\"}]}".formatted(server.url());
      assertThat(agent("[]", servers).status()).isEqualTo(201);
      Await.until(() ->
          daemon
              .get("/api/agents/ada/mcp-servers")
              .body()
              .at("/servers/0/state")
              .asText()
              .equals("up"));

      assertThat(change(CALLS_WETHER, servers).body().at("/warnings/0").asText())
          .contains("the agent has no tool wether");
      var changed = change("[{\"do\":[{\"call\":\"weather\"}]}]", servers);
      assertThat(changed.status()).isEqualTo(200);
      assertThat(changed.body().has("warnings")).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"when":{"kind":"mesage"},"do":[]}                        | /provider/playbook/0/when/kind has the unknown value "mesage" | did you mean message?
          {"do":[{"say":"at {{ww.path}}"}]}                         | /provider/playbook/0/do/0/say reads {{ww.path}}, but no step saves ww | available: event
          {"do":[{"call":"get_plans","save":"plans"},{"say":"{{plan.x}}"}]} | /provider/playbook/0/do/1/say reads {{plan.x}} | did you mean plans?
          {"do":[{"call":"remind_me","with":{"text":"{{evnt.text}}","in_seconds":1}}]} | /provider/playbook/0/do/0/with/text reads {{evnt.text}} | did you mean event?
          """)
  void an_unknown_event_or_value_in_a_rule_is_a_warning(String rule, String words, String hint) {
    var answer = create("[%s]", rule);

    assertThat(warnings(answer).getFirst()).contains(words, hint);
  }

  @Test
  void a_value_saved_by_another_rule_is_known() {
    String rules =
        """
        [{"when":{"kind":"Message"},"do":[{"call":"get_plans","save":"plans"}]},
         {"do":[{"say":"{{plans.plans}} of {{event.from}}"}]}]
        """;

    assertThat(warnings(create("%s", rules))).isEmpty();
  }

  private static final String CALLS_WETHER = "[{\"do\":[{\"call\":\"wether\"}]}]";

  private static List<String> warnings(TestClient.Answer answer) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
    return answer.body().path("warnings").valueStream().map(JsonNode::asText).toList();
  }

  private static String server(String more) {
    return ",\"mcp\":{\"servers\":[{\"name\":\"met\",\"command\":\"no-such\",%s}]}".formatted(more);
  }

  private TestClient.Answer create(String playbook, String part) {
    return agent(playbook.formatted(part), "");
  }

  private TestClient.Answer change(String playbook, String more) {
    return daemon.client().send("PUT", "/api/agents/ada", config(playbook, more));
  }

  private TestClient.Answer agent(String playbook, String more) {
    return daemon.post("/api/agents", config(playbook, more));
  }

  private static String config(String playbook, String more) {
    return "{\"name\":\"ada\",\"provider\":{\"name\":\"scripted\",\"playbook\":%s}%s}"
        .formatted(playbook, more);
  }
}
