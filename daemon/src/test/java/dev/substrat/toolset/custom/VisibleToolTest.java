package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.CapturedLog;
import dev.substrat.protocol.Fault;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.SpaceMessages;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolResult;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Visible calls and their results appear only in the space of the agent.
@OnEveryDatabase
final class VisibleToolTest {
  private final CustomToolTeam team;

  VisibleToolTest(TestDatabase kind) {
    this.team = new CustomToolTeam(kind.dialect());
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  /// One tool of each type; `v` are configured as visible, `h` as hidden, `d` have the default of
  /// their type.
  private static String allTypes() {
    var tools = new StringBuilder();
    for (String type : List.of("gateway", "external", "space", "internal")) {
      String execution =
          type.equals("gateway") || type.equals("internal")
              ? ", execution: { url: SERVICE/x }"
              : "";
      tools.append(one(type + "_d", type, execution));
      tools.append(one(type + "_h", type, ", visible: false" + execution));
      if (!type.equals("internal")) {
        tools.append(one(type + "_v", type, ", visible: true" + execution));
      }
    }
    return tools.toString();
  }

  private static String one(String name, String type, String more) {
    return "- { name: %s, description: A tool., executionType: %s%s }\n"
        .formatted(name, type, more);
  }

  /// One tool of each type, `inline` being the external one that is called immediately; visible,
  /// hidden, or with the default of its type.
  static Stream<Arguments> matrix() {
    return Stream.of("gateway", "inline", "external", "space", "internal")
        .flatMap(type ->
            Stream.of("", ", visible: true", ", visible: false")
                .filter(word -> !(type.equals("internal") && word.contains("true")))
                .flatMap(word ->
                    Stream.of(true, false).map(inSpace -> Arguments.of(type, word, inSpace))));
  }

  @ParameterizedTest
  @MethodSource("matrix")
  @Requirement({
    "S3-1", "S3-2", "S3-5", "S3-7", "S3-9", "S3-10", "S3-11", "S3-12", "S3-13", "S3-14", "S3-43",
    "S3-56", "C15"
  })
  void every_execution_type_is_shown_only_if_visible_and_in_a_space(
      String type, String visible, boolean inSpace) {
    boolean isDone = type.equals("gateway") || type.equals("internal") || type.equals("inline");
    String execution = isDone ? ", execution: { url: SERVICE/x }" : "";
    Agent ada =
        team.external(one("one", type.equals("inline") ? "external" : type, visible + execution));
    team.space("lab", ada);
    boolean isShown = !type.equals("internal") && !visible.contains("false");
    if (inSpace) {
      assertThat(
              team.call(ada, "enter_space", "{'spaceId': 'lab'}").path("visibleTools").toString())
          .isEqualTo(isShown ? "[\"one\"]" : "");
    }
    try (var log = new CapturedLog()) {
      ToolResult reply = team.reply(ada, "one", "{}");
      assertThat(isDone ? reply.json().path("ok").asText() : reply.json().path("status").asText())
          .isEqualTo(isDone ? "true" : "pending");
      assertThat(team.shown("lab")).hasSize(isShown && inSpace ? 1 : 0);
      assertThat(team.told("tool-call")).hasSize(!isShown || !inSpace ? 0 : isDone ? 2 : 1);
      boolean isLost = isShown && !inSpace;
      assertThat(
              log.all().contains("a tool with visible results was called without an active space"))
          .isEqualTo(isLost);
      assertThat(String.valueOf(reply.hint()).contains("A person has been asked"))
          .isEqualTo(type.equals("space"));
    }
  }

  @Test
  @Requirement({"S3-44", "S3-45", "S3-48"})
  void a_call_is_streamed_in_order_and_kept_with_input_and_output() {
    Agent ada = team.external(allTypes());
    team.space("lab", ada);
    team.call(ada, "enter_space", "{'spaceId': 'lab'}");
    team.call(ada, "gateway_v", "{'city': 'Oslo'}");
    assertThat(team.told("tool-"))
        .containsExactly("tool-call.start", "tool-input-delta", "tool-call.complete");
    SpaceMessage message = team.shown("lab").getFirst();
    assertThat(message.status()).isEqualTo(SpaceMessage.ToolCallStatus.COMPLETE);
    assertThat(CustomToolTeam.metadata(message).path("input"))
        .isEqualTo(Json.own("{\"city\":\"Oslo\"}"));
    assertThat(CustomToolTeam.metadata(message).path("output"))
        .isEqualTo(Json.own("{\"ok\":true}"));
    assertThat(text(message, "callId")).isNotEmpty();
    team.service.answers("/x", 500, "text/plain", "no");
    team.call(ada, "gateway_v", "{}");
    assertThat(team.told("tool-")).endsWith("tool-call.error");
    assertThat(team.shown("lab").getLast().status()).isEqualTo(SpaceMessage.ToolCallStatus.ERROR);
  }

  @Test
  @Requirement({"S3-46", "S3-47"})
  void a_tool_message_accepts_no_replies_and_wakes_no_agent() {
    Agent ada = team.external(allTypes());
    Agent ben = team.agent("{ name: ben, provider: { name: external } }");
    team.space("lab", ada, ben);
    team.call(ada, "enter_space", "{'spaceId': 'lab'}");
    team.call(ada, "gateway_v", "{}");
    team.call(ada, "space_v", "{}");
    assertThat(team.mail(ben)).isEmpty();
    for (SpaceMessage message : team.shown("lab")) {
      var reply = new SpaceMessages.PostRequest("lab", "really?", message.id());
      Assertions.assertThatExceptionOfType(Fault.class)
          .isThrownBy(() ->
              team.engine.spaces().messages().post(new Principal.OperatorPrincipal(), reply, null))
          .withMessageContaining("cannot be replied to");
    }
  }

  @Test
  @Requirement({"S3-1", "S3-55"})
  void no_tool_has_special_control_parameters() {
    Agent all =
        team.agent(
            """
            name: all
            toolsets: [team, spaces, channels, memory, goals]
            provider: { name: external }
            tools: [ { name: own, description: d, executionType: space,
              inputSchema: { type: object, properties: { a: { type: string } } } } ]
            """);
    var forbidden = List.of("delegateToAgent", "skipResponse", "displayTool", "stop_run");
    for (Tool tool : team.engine.pipeline().of(all)) {
      assertThat(forbidden).doesNotContain(tool.name());
      JsonNode properties = tool.input().json().path("properties");
      assertThat(properties.has("targetSpaceId") || properties.has("mention")).isFalse();
    }
    assertThat(toolNamed(all, "own").input().json().path("properties").properties()).hasSize(1);
  }

  private Tool toolNamed(Agent agent, String name) {
    return team.engine.pipeline().of(agent).stream()
        .filter(tool -> tool.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String text(SpaceMessage message, String key) {
    return CustomToolTeam.metadata(message).path(key).asText();
  }
}
