package dev.substrat.agentcli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.json.Yaml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a program may do that asks first. Nobody waits for a person.
final class AcpPermissionsTest {
  private static final JsonNode OPTIONS =
      Yaml.own(
          """
          - { optionId: always, kind: allow_always }
          - { optionId: once, kind: allow_once }
          - { optionId: 'no', kind: reject_once }
          """);

  @ParameterizedTest
  @CsvSource({
    "'{title: Run rm, kind: execute}', false, true",
    "'{title: Edit plan.txt, kind: edit}', false, true",
    "'{title: Read plan.txt, kind: read}', true, true",
    "'{title: mcp__substrat__send_message, kind: other}', true, true"
  })
  void walls_decide(String call, boolean without, boolean behind) {
    assertThat(new AcpPermissions(false).mayDo(Yaml.own(call))).isEqualTo(without);
    assertThat(new AcpPermissions(true).mayDo(Yaml.own(call))).isEqualTo(behind);
  }

  @Test
  void it_is_allowed_or_refused_this_once() {
    assertThat(AcpPermissions.choice(OPTIONS, true).at("/outcome/optionId").asText())
        .isEqualTo("once");
    assertThat(AcpPermissions.choice(OPTIONS, false).at("/outcome/optionId").asText())
        .isEqualTo("no");
  }

  @Test
  void without_a_fitting_option_nothing_is_done() {
    assertThat(AcpPermissions.choice(Yaml.own("[]"), true).at("/outcome/outcome").asText())
        .isEqualTo("cancelled");
  }
}
