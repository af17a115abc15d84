package dev.substrat.provider.agentcli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Yaml;
import dev.substrat.provider.acp.AcpPermissions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a program may do that asks first, before any person is asked.
final class AcpPermissionsTest {
  private static final JsonNode OPTIONS =
      Yaml.own(
          """
          - { optionId: always, kind: allow_always }
          - { optionId: once, kind: allow_once }
          - { optionId: never, kind: reject_always }
          - { optionId: 'no', kind: reject_once }
          """);

  @TempDir private Path room;

  @ParameterizedTest
  @CsvSource({
    "'{title: Run rm, kind: execute}', false",
    "'{title: Edit plan.txt, kind: edit}', false",
    "'{title: Plan, kind: think}', true",
    "'{title: mcp__substrat__send_message, kind: other}', true",
    "'{title: mcp__substrat__send_message}', true",
    "'{title: \"Substrat: Send Message\", kind: other}', true",
    "'{title: \"Tool: substrat/send_message\", kind: other}', true",
    "'{title: substrat_send_message, kind: other}', true",
    "'{title: mcp__substrat__send_message, kind: execute}', false",
    "'{title: mcp__substrat__burn_everything, kind: other}', false",
    "'{title: mcp__substrat__send_message; rm -rf /, kind: other}', false",
    "'{title: \"echo substrat; rm -rf /\", kind: execute}', false",
    "'{title: echo substrat, toolCallId: substrat, kind: other}', false"
  })
  void without_walls_it_may_call_our_tools_and_nothing_that_is_called_alike(
      String call, boolean without) {
    assertThat(permissions(false).mayDo(Yaml.own(call))).isEqualTo(without);
    assertThat(permissions(true).mayDo(Yaml.own(call))).as("behind walls").isTrue();
  }

  @Test
  void it_may_look_at_what_is_in_its_workspace() throws IOException {
    Files.createSymbolicLink(room.resolve("way-out"), Path.of("/etc"));

    assertThat(looking(room.resolve("plan.txt").toString())).isTrue();
    assertThat(looking("plan.txt")).isTrue();
    assertThat(looking("/etc/hostname")).isFalse();
    assertThat(looking("../other/plan.txt")).isFalse();
    assertThat(looking(room.resolve("way-out/hostname").toString())).isFalse();
    assertThat(permissions(false).mayDo(Yaml.own("{title: Read, kind: read}")))
        .as("somewhere")
        .isFalse();
  }

  private boolean looking(String path) {
    return permissions(false)
        .mayDo(Yaml.own("{title: Read, kind: read, locations: [{path: '%s'}]}".formatted(path)));
  }

  private AcpPermissions permissions(boolean isWalled) {
    return new AcpPermissions(
        isWalled, room, new ToolNameMapping(Set.of("send_message", "remember")));
  }

  @Test
  void it_is_allowed_or_refused_this_once() {
    assertThat(chosen(AcpPermissions.choice(OPTIONS, AcpPermissions.ANY_TIME))).isEqualTo("once");
    assertThat(chosen(AcpPermissions.choice(OPTIONS, AcpPermissions.NOT_NOW))).isEqualTo("no");
  }

  @Test
  void what_a_person_allows_once_is_not_allowed_for_good() {
    JsonNode always = Yaml.own("[{ optionId: always, kind: allow_always }]");
    assertThat(AcpPermissions.canAllowOnce(OPTIONS)).isTrue();
    assertThat(AcpPermissions.canAllowOnce(always)).isFalse();
    assertThat(chosen(AcpPermissions.choice(always, AcpPermissions.ANY_TIME))).isEqualTo("always");
  }

  @Test
  void without_a_fitting_option_nothing_is_done() {
    JsonNode none = AcpPermissions.choice(Yaml.own("[]"), AcpPermissions.ANY_TIME);
    assertThat(none.at("/outcome/outcome").asText()).isEqualTo("cancelled");
  }

  private static String chosen(JsonNode answer) {
    return answer.at("/outcome/optionId").asText();
  }
}
