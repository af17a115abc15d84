package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BridgeOptionsTest {

  @Test
  void default_paths_are_those_of_the_command_line() {
    var usual = parse("--agent", "mira");
    assertThat(usual.data()).isEqualTo(Path.of(System.getProperty("user.home"), ".substrat"));
    assertThat(usual.defaultTokenFile()).isEqualTo(usual.data().resolve("agents/mira.token"));
    assertThat(
            BridgeOptions.parse(new String[] {"--zoo"}, Map.of("HOME", "/h", "SUBSTRAT_DATA", "")))
        .isEqualTo(new BridgeOptions(Path.of("/h/.substrat"), null, null, null));
    assertThat(
            BridgeOptions.parse(
                new String[] {"--zoo"}, Map.of("SUBSTRAT_DATA", "/d", "HOME", "/h")))
        .isEqualTo(new BridgeOptions(Path.of("/d"), null, null, null));
    assertThat(parse("--data=/d", "--json", "--agent=m-1", "--token-file", "/t"))
        .isEqualTo(new BridgeOptions(Path.of("/d"), "m-1", null, Path.of("/t")));
  }

  @Test
  void a_zoo_client_with_a_default_agent_has_its_own_token() {
    var options = parse("--zoo", "--default", "mira", "--data", "/d");
    assertThat(options.defaultTokenFile()).isEqualTo(Path.of("/d/zoo/mira.token"));
    assertThat(options.tokenRequestBody()).isEqualTo("{\"zoo\":true,\"defaultAgent\":\"mira\"}");
    assertThat(parse("--zoo").tokenRequestBody()).isEqualTo("{\"zoo\":true}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--agent",
        "--agent ../x",
        "--agent a/b",
        "--agent a?b",
        "--agent mira --zoo",
        "--zoo=yes",
        "--frobnicate 1",
        "mira",
        "--agent mira --data",
        "--agent mira --default ada",
        "--zoo --default ../x",
        "--zoo --default"
      })
  void an_ambiguous_identity_is_rejected(String words) {
    assertThatThrownBy(() -> parse(words.isEmpty() ? new String[0] : words.split(" ")))
        .isInstanceOfSatisfying(
            BridgeError.class,
            refusal -> assertThat(refusal.code()).isEqualTo("INVALID_ARGUMENTS"));
  }

  private static BridgeOptions parse(String... words) {
    return BridgeOptions.parse(words, Map.of());
  }
}
