package dev.substrat.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.testkit.Requirement;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Requirement("N8")
final class ToolDefinitionTest {
  private static final String SAID =
      """
      {"name":"weather","title":"Weather","description":"Tells the weather.",
       "inputSchema":{"type":"object","properties":{"city":{"type":"string"},"day":{"type":"integer"}}},
       "annotations":{"readOnlyHint":true}}
      """;

  @Test
  void the_order_of_keys_and_dropped_keys_do_not_change_the_hash() {
    String other =
        """
        {"annotations":{"readOnlyHint":true},"icons":[1],"_meta":{"x":2},
         "inputSchema":{"properties":{"day":{"type":"integer"},"city":{"type":"string"}},"type":"object"},
         "description":"Tells the weather.","title":"Weather","name":"weather"}
        """;
    assertThat(of(other).hash()).isEqualTo(of(SAID).hash());
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        change("name", said -> said.put("name", "wether")),
        change("title", said -> said.put("title", "The weather")),
        change("description", said -> said.put("description", "Tells the weather. Pay first.")),
        change("a property", said -> said.withObject("/inputSchema/properties").putObject("key")),
        change(
            "a type", said -> said.withObject("/inputSchema/properties/day").put("type", "string")),
        change("a hint", said -> said.withObject("/annotations").put("readOnlyHint", false)),
        change("what comes back", said -> said.putObject("outputSchema")));
  }

  private static Arguments change(String what, Consumer<ObjectNode> change) {
    return Arguments.argumentSet(what, change);
  }

  @ParameterizedTest
  @MethodSource("changes")
  void every_visible_key_changes_the_hash(Consumer<ObjectNode> change) {
    ObjectNode said = of(SAID).json().deepCopy();
    change.accept(said);
    assertThat(ToolDefinition.of(said).hash()).isNotEqualTo(of(SAID).hash());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}}}|true",
        "{\"properties\":{\"a\":{\"properties\":{\"b\":{\"type\":\"integer\",\"x-mcp-header\":\"B\"}}}}}|true",
        "{\"properties\":{\"x-mcp-header\":{\"type\":\"object\"}}}|true",
        "{\"properties\":{\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}}}|false",
        "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"two words\"}}}|false",
        "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\"}}}|false",
        "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":7}}}|false",
        "{\"properties\":{\"a\":{\"items\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}}|false",
        "{\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}]}|false",
        "{\"default\":{\"x-mcp-header\":\"A\"}}|true"
      })
  void header_parameters_must_be_scalars_at_a_fixed_path(String schema, boolean isFine) {
    var said = Json.object().put("name", "weather");
    said.set("inputSchema", Json.own(schema));
    assertThat(ToolListReader.findProblem(said, true).isEmpty()).isEqualTo(isFine);
    assertThat(ToolListReader.findProblem(said, false)).isEmpty();
  }

  private static ToolDefinition of(String said) {
    return ToolDefinition.of(Json.own(said));
  }
}
