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

/// Answers are validated by the whole schema of a form.
@Requirement("S3-36")
final class AnswerSchemaTest {
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

  private final CustomToolTeam team = new CustomToolTeam(Dialect.SQLITE);
  private final Agent ada = team.external(TOOLS);

  AnswerSchemaTest() {
    team.space("lab", ada);
    team.call(ada, "enter_space", "{'spaceId': 'lab'}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void schema_keywords_beside_properties_are_checked() {
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
  void an_answer_without_optional_fields_is_accepted() {
    String call = ask();

    assertThatNoException().isThrownBy(() -> answer(call, "{\"captain\":{\"age\":52}}"));
  }

  private String ask() {
    JsonNode reply = team.call(ada, "crew", "{'captain': {}, 'mate': 'bo'}");
    assertThat(reply.path("status").asText()).as("%s", reply).isEqualTo("pending");
    return reply.path("pendingToolCallId").asText();
  }

  private void answer(String call, String answer) {
    team.engine
        .customTools()
        .answers()
        .complete(call, Json.own(answer), new Principal.OperatorPrincipal());
  }
}
