package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.testkit.Requirement;
import dev.substrat.toolset.custom.middleware.RepairMiddleware;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Slips of models that are put right, and what is left as it is.
final class RepairMiddlewareTest {
  private static final String SCHEMA =
      """
      {"type":"object","properties":{
        "n":{"type":"integer"},"x":{"type":"number"},"b":{"type":"boolean"},"s":{"type":"string"},
        "l":{"type":"array","items":{"type":"integer"}},
        "o":{"type":"object","properties":{"n":{"type":"integer"}}}}}
      """;

  @ParameterizedTest
  @Requirement("S3-4")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'n':'42'} | {'n':42}",
        "{'n':' -7 '} | {'n':-7}",
        "{'n':'007'} | {'n':7}",
        "{'n':'4.5'} | {'n':'4.5'}",
        "{'x':'4.50'} | {'x':4.50}",
        "{'n':'four'} | {'n':'four'}",
        "{'b':'True'} | {'b':true}",
        "{'b':'no'} | {'b':false}",
        "{'b':'maybe'} | {'b':'maybe'}",
        "{'s':5} | {'s':'5'}",
        "{'l':'3'} | {'l':[3]}",
        "{'l':['1',2]} | {'l':[1,2]}",
        "{'l':'[1, 2]'} | {'l':[1,2]}",
        "{'o':{'n':'1'}} | {'o':{'n':1}}",
        "{'o':'{oops'} | {'o':'{oops'}",
        "{'other':'1'} | {'other':'1'}"
      })
  void obvious_slips_are_put_right(String given, String fitted) {
    var arguments = (ObjectNode) json(given);
    assertThat(Json.text(RepairMiddleware.repair(Json.own(SCHEMA), arguments)))
        .isEqualTo(Json.text(json(fitted)));
  }

  private static com.fasterxml.jackson.databind.JsonNode json(String text) {
    return Json.own(text.replace('\'', '"'));
  }
}
