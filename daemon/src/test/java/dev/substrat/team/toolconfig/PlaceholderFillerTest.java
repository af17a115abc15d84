package dev.substrat.team.toolconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.testkit.Requirement;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of places in a configuration.
final class PlaceholderFillerTest {
  private static final AllowedEnvironment ENVIRONMENT =
      new AllowedEnvironment(
          Set.of("KEY", "TRICK", "UNSET", "DEEP"),
          Map.of("KEY", "k-123456", "TRICK", "{{input.a}}", "DEEP", "v1/", "HOME", "/h"));

  private final UsedSecrets secrets = new UsedSecrets();

  private PlaceholderFiller filling(String input) {
    return new PlaceholderFiller(
        ENVIRONMENT, (ObjectNode) Json.own(input.replace('\'', '"')), secrets);
  }

  @ParameterizedTest
  @Requirement("S3-16")
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "\"{{input.n}}\" | 3",
        "\"{{ input.n }}\" | 3",
        "\"n={{input.n}}\" | \"n=3\"",
        "\"{{input.o}}\" | {\"p\":[1,{\"q\":\"x\"}]}",
        "\"{{input.o.p.1.q}}\" | \"x\"",
        "\"o={{input.o.p}}\" | \"o=[1,{\\\"q\\\":\\\"x\\\"}]\"",
        "{\"a\":\"{{input.gone}}\",\"b\":\"{{input.n}}\"} | {\"b\":3}",
        "[\"{{input.gone}}\",\"{{input.t}}\",\"{{input.nul}}\"] | [true]",
        "\"x{{input.gone}}y\" | \"xy\"",
        "\"{{other.n}}\" | \"{{other.n}}\"",
        "\"${HOME}\" | \"${HOME}\"",
        "\"a ${env.KEY}\" | \"a k-123456\"",
        "7 | 7"
      })
  void values_keep_their_types_and_what_is_missing_is_left_out(String template, String filled) {
    var input = filling("{'n':3,'t':true,'nul':null,'o':{'p':[1,{'q':'x'}]}}");
    assertThat(input.value(Json.own(template))).isEqualTo(Json.own(filled));
  }

  @Test
  @Requirement("S3-16")
  void inserted_values_are_not_searched_for_placeholders() {
    PlaceholderFiller filling = filling("{'a':'${env.KEY}','b':'{{input.a}}'}");
    assertThat(filling.text("{{input.a}}|{{input.b}}|${env.TRICK}"))
        .isEqualTo("${env.KEY}|{{input.a}}|{{input.a}}");
  }

  @Test
  @Requirement("S3-16")
  void a_variable_that_is_not_allowed_or_not_set_is_a_fault_that_names_it() {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> filling("{}").text("${env.HOME}"))
        .withMessageContaining("HOME, which is not allowed");
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> filling("{}").text("${env.UNSET}"))
        .withMessageContaining("UNSET is not set");
  }

  @ParameterizedTest
  @Requirement("S3-16")
  @CsvSource(
      delimiter = '|',
      value = {
        "https://a.test/x/{{input.s}} | https://a.test/x/a%2Fb%3F%23%20%C3%A9",
        "https://a.test/x?q={{input.s}}&n={{input.n}} | https://a.test/x?q=a%2Fb%3F%23%20%C3%A9&n=3",
        "https://{{input.host}}/x | https://10.0.0.1:80/x",
        "{{input.url}} | http://x.test/a?b=c",
        "{{input.url}}/{{input.n}} | http://x.test/a?b=c/3",
        "{{input.base}}/u/{{input.s}}?to=http://x/ | http://x.test/u/a%2Fb%3F%23%20%C3%A9?to=http://x/",
        "{{input.scheme}}://{{input.host}}/x | http://10.0.0.1:80/x",
        "https://a.test/x{{input.gone}}/y | https://a.test/x/y",
        "https://a.test/x/?a={{input.gone}}&b={{input.n}}&c={{input.gone}} | https://a.test/x/?b=3",
        "https://a.test/x?a={{input.gone}}#{{input.n}} | https://a.test/x#3",
        "https://a.test/x?a={{input.empty}}&b=x{{input.gone}}&c | https://a.test/x?a=&b=x&c",
        "https://a.test | https://a.test"
      })
  void input_is_encoded_behind_the_authority_and_inserted_as_it_is_before(
      String template, String address) {
    PlaceholderFiller filling =
        filling(
            """
            {'s':'a/b?# é','n':3,'host':'10.0.0.1:80','url':'http://x.test/a?b=c',
             'base':'http://x.test','scheme':'http','empty':''}
            """);
    assertThat(AddressTemplate.of(filling, template, Map.of())).isEqualTo(address);
  }

  @ParameterizedTest
  @Requirement("S3-16")
  @ValueSource(
      strings = {
        "https://a.test/items/{{input.empty}}",
        "https://a.test/items/{{input.gone}}",
        "https://a.test/items/{{input.empty}}{{input.gone}}/x",
        "https://a.test/{{input.dot}}",
        "https://a.test/files/{{input.dot}}{{input.dot}}/x",
        "https://a.test/files/.{{input.dot}}",
        "https://a.test/files/{{input.empty}}..",
        "https://a.test/${env.DEEP}{{input.dot}}{{input.dot}}",
        "https://a.test/${env.DEEP}{{input.empty}}",
        "{{input.base}}/{{input.dots}}?to=http://x/"
      })
  void a_segment_that_would_change_the_path_is_rejected(String template) {
    PlaceholderFiller filling =
        filling("{'empty':'','dot':'.','dots':'..','base':'http://x.test'}");
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> AddressTemplate.of(filling, template, Map.of()))
        .satisfies(fault -> assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_ARGUMENTS));
  }

  @Test
  @Requirement("S3-16")
  void parameters_are_added_before_a_fragment_and_after_a_query() {
    var query = Map.of("q", Json.own("\"{{input.n}}\""));
    assertThat(AddressTemplate.of(filling("{'n':1}"), "https://a.test/x#top", query))
        .isEqualTo("https://a.test/x?q=1");
    assertThat(AddressTemplate.of(filling("{'n':1}"), "https://a.test/x?a=b", query))
        .isEqualTo("https://a.test/x?a=b&q=1");
    assertThat(AddressTemplate.of(filling("{}"), "https://a.test/x", query))
        .isEqualTo("https://a.test/x");
  }

  @Test
  void secrets_are_hidden_in_every_form_they_come_back_in() {
    filling("{}").text("${env.KEY}");
    assertThat(secrets.redact(Json.own("{\"k-123456\":[\"x k-123456 y\",\"ay0xMjM0NTY\",1]}")))
        .isEqualTo(Json.own("{\"[redacted]\":[\"x [redacted] y\",\"[redacted]\",1]}"));
  }
}
