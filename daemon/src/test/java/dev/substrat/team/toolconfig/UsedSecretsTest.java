package dev.substrat.team.toolconfig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.testkit.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Secrets are found in every encoding.
@Requirement("S3-16")
final class UsedSecretsTest {
  private static UsedSecrets of(String... values) {
    var secrets = new UsedSecrets();
    List.of(values).forEach(secrets::add);
    return secrets;
  }

  @ParameterizedTest
  @ValueSource(strings = {"canary-7f3a9d", Repeated.AWKWARD, Repeated.NUMBER, "héllo\"<wörld>&'"})
  void in_every_way_in_which_it_may_be_said(String secret) {
    UsedSecrets secrets = of(secret);
    Repeated.ways(secret)
        .forEach((name, way) ->
            assertThat(secrets.redact("so: " + way + " said it"))
                .as("%s: %s", name, way)
                .contains("[redacted]")
                .doesNotContain(way));
    assertThat(secrets.redact(Json.text(secret))).isEqualTo("\"[redacted]\"");
    assertThat(secrets.redact("a&b " + Json.text(Json.text(secret)))).contains("[redacted]");
  }

  @Test
  void a_number_is_hidden_and_others_stay_numbers() {
    assertThat(of("48151623").redact(Json.own("{\"a\":48151623,\"b\":[4815,true,null]}")))
        .isEqualTo(Json.own("{\"a\":\"[redacted]\",\"b\":[4815,true,null]}"));
  }

  @Test
  void one_may_be_part_of_another_and_the_short_ones_are_not_looked_for() {
    UsedSecrets secrets = of("abcd", "abcd-efgh", "xyz", "redacted");
    assertThat(secrets.redact("abcd-efgh, abcd, xyz")).isEqualTo("[redacted], [redacted], xyz");
  }

  @Test
  void a_long_one_is_found_in_pieces() {
    String key = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC/".repeat(100);
    assertThat(of(key).redact("key: " + key + ".")).doesNotContain("MIIE").endsWith("].");
    assertThat(of(key).redact("cut: " + key.substring(0, 500))).contains("[redacted]");
  }
}
