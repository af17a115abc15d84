package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Dialect;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a form asks for may be described anywhere in its schema, and the answer is held to it.
@Requirement("S3-36")
final class AnswerShapesTest {
  private static final String TOOLS =
      """
      - name: crew
        description: Asks who sails.
        executionType: space
        inputSchema:
          type: object
          required: [captain, mate]
          people: { sailor: { type: object, properties: { age: { type: integer } } } }
          allOf: [{ properties: { mate: { type: string } } }]
          properties:
            captain: { $ref: '#/people/sailor' }
            mate: { $ref: '#/allOf/0/properties/mate' }
      """;

  private final GatewayTeam team = new GatewayTeam(Dialect.SQLITE);
  private final Agent ada = team.external(TOOLS);

  AnswerShapesTest() {
    team.space("lab", ada);
    team.call(ada, "enter_space", "{'spaceId': 'lab'}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void what_is_described_beside_the_properties_is_checked() {
    String call = ask();

    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> answer(call, "{\"captain\":{\"age\":\"old\"}}"))
        .satisfies(fault -> assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_ARGUMENTS))
        .withMessageContaining("/captain/age");
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> answer(call, "{\"mate\":7}"))
        .withMessageContaining("/mate");
  }

  @Test
  void less_than_was_asked_is_taken() {
    String call = ask();

    assertThatNoException().isThrownBy(() -> answer(call, "{\"captain\":{\"age\":52}}"));
  }

  private String ask() {
    JsonNode reply = team.call(ada, "crew", "{'captain': {}, 'mate': 'bo'}");
    assertThat(reply.path("status").asText()).as("%s", reply).isEqualTo("pending");
    return reply.path("pendingToolCallId").asText();
  }

  private void answer(String call, String answer) {
    team.engine.customTools().answers().complete(call, Json.own(answer), new Principal.Operator());
  }
}
