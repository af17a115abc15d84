package dev.substrat.platform.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Expressions over JSON: their values, and their limits.
final class CelExpressionTest {
  private static final JsonNode INPUT =
      Json.own(
          """
          {"n": 3, "price": 2.5, "name": "Ada", "items": [1, 2, 3], "none": null, "ok": true,
           "big": 123456789012345678901234567890, "orders": [{"qty": 2, "cost": 1.5}, {"qty": 1, "cost": 4.0}]}
          """);

  private static JsonNode value(String expression) {
    return CelExpression.compile(expression, Set.of("input")).evaluate(Map.of("input", INPUT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "input.n + 1 | 4",
        "input.n / 2 | 1",
        "double(input.n) * input.price | 7.5",
        "input.n > 2.5 | true",
        "input.name + '!' | \"Ada!\"",
        "{'sum': input.n + 1, 'who': [input.name]} | {\"sum\":4,\"who\":[\"Ada\"]}",
        "input.items.filter(i, i > 1).map(i, i * 2) | [4,6]",
        "input.orders.map(o, double(o.qty) * o.cost) | [3.0,4.0]",
        "input.none == null | true",
        "input.none | null",
        "has(input.missing) ? 1 : 2 | 2",
        "input.name.matches('^A') && input.ok | true",
        "input.big > 1.0 | true",
        "18446744073709551615u | 18446744073709551615",
        "b'abc' | \"YWJj\"",
        "timestamp('2026-01-02T03:04:05Z') + duration('1h') | \"2026-01-02T04:04:05Z\"",
        "duration('90s') | \"90s\"",
        "type(input.n) | \"int\"",
        "input | {\"n\":3,\"price\":2.5,\"name\":\"Ada\",\"items\":[1,2,3],\"none\":null,\"ok\":true,\"big\":1.2345678901234568E29,\"orders\":[{\"qty\":2,\"cost\":1.5},{\"qty\":1,\"cost\":4.0}]}"
      })
  void values_are_converted_from_and_to_json(String expression, String expected) {
    assertThat(Json.text(value(expression))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 + | line 1, column 4: mismatched input",
        "outcome.n | line 1, column 1: undeclared reference to 'outcome'",
        "input.name.shout() | line 1, column 17: undeclared reference to 'shout'",
        "'a' + 1 | line 1, column 5: found no matching overload"
      })
  void an_expression_with_a_mistake_is_refused_with_its_position(String expression, String words) {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> CelExpression.compile(expression, Set.of("input")))
        .withMessageContaining(words)
        .satisfies(fault -> assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG))
        .satisfies(fault -> assertThat(fault.hint()).contains("variables: input"));
  }

  @Test
  void an_expression_that_is_too_long_or_too_deep_is_refused() {
    for (String expression :
        new String[] {"1" + " + 1".repeat(2_000), "(".repeat(500) + "1" + ")".repeat(500)}) {
      assertThatExceptionOfType(Fault.class)
          .isThrownBy(() -> CelExpression.compile(expression, Set.of("input")))
          .satisfies(fault -> assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "input.missing | key 'missing' is not present in map",
        "input.n / 0 | / by zero",
        "input.n * input.price | No matching overload",
        "9223372036854775807 + input.n | overflow",
        "double(input.n) / 0.0 | not a finite number",
        "input.name.matches('(' + input.name) | missing",
        "int(input.name) | Ada"
      })
  void an_expression_without_a_value_fails_with_a_reason(String expression, String words) {
    assertFails(expression, words);
  }

  @Test
  void the_size_of_results_is_limited() {
    String list = "[1,2,3,4,5,6,7,8]";
    assertFails(
        "%s.map(a, %s.map(b, %s.map(c, %s.map(d, %s.map(e, e)))))".replace("%s", list),
        "Iteration budget exceeded");
    assertFails(chain("'0123456789'", "x + x", 24), "too large");
    // Values nested repeatedly: small in memory, and endless when serialized.
    String twice = chain("1", "[x, x]", 24);
    assertFails(twice, "too large");
    assertFails("%s == %s".formatted(twice, twice), "too large");
  }

  @Test
  void the_cost_of_one_function_call_is_limited() {
    assertFails("'a'.matches('((a{100}){100}){10}')", "too many counted repetitions");
    assertFails("'a'.matches('((a{1000}){1000}){20}')", "too many counted repetitions");
    assertFails("matches('a', input.name + '((a{100}){100}){10}')", "too many counted repetitions");
    assertFails("'a'.matches('((a{100}[)]){100}\\\\Q)\\\\E){10}')", "too many counted repetitions");
    assertFails("'a'.matches('" + "a".repeat(1_001) + "')", "more than 1000 characters");
    assertFails("'a'.matches('(a{40}){40}')", "too complex");
    String text = chain("'aaaaaaaaaa'", "x + x", 15);
    assertFails(text + ".matches('(a{20}){20}b')", "too long for this pattern");
    assertFails("[%s].exists(x, x.contains(x + 'b'))".formatted(text), "texts are too long");
    assertThat(value("'a1b2'.matches('^([a-z][0-9]{1,3}){2}$')").asBoolean()).isTrue();
    assertThat(value("input.name.contains('da')").asBoolean()).isTrue();
    assertThat(
            value(
                    "'3f2504e0-4f89-11d3-9a0c-0305e82c3301'.matches("
                        + "'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')")
                .asBoolean())
        .isTrue();
  }

  private static String chain(String start, String step, int times) {
    String chained = start;
    for (int i = 0; i < times; i++) {
      chained = "[%s].map(x, %s)[0]".formatted(chained, step);
    }
    return chained;
  }

  @Test
  void an_evaluation_ends_at_its_timeout() {
    var now = new AtomicLong();
    var expression =
        CelExpression.compile(
            "input.items.exists(i, i > 5) || true",
            Set.of("input"),
            () -> now.getAndAdd(200_000_000));
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> expression.evaluate(Map.of("input", INPUT)))
        .withMessageContaining("longer than 1000 ms");
  }

  private static void assertFails(String expression, String words) {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> value(expression))
        .withMessageContaining(words)
        .satisfies(fault -> assertThat(fault.code()).isEqualTo(ErrorCode.EXPRESSION_FAILED));
  }
}
