package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ArgumentDecoderTest {

  @Test
  void arguments_replaced_by_the_locale_are_recovered() {
    byte[] line = "java\0-cp\0x\0Main\0send\0mira\0grüße\0\0".getBytes(StandardCharsets.UTF_8);

    assertThat(
            ArgumentDecoder.recovered(new String[] {"send", "mira", "gr\ufffd\ufffde", ""}, line))
        .containsExactly("send", "mira", "grüße", "");
  }

  @Test
  void intact_arguments_are_unchanged() {
    String[] seen = {"send", "mira", "grüße"};
    assertThat(ArgumentDecoder.arguments(seen)).isSameAs(seen);
  }
}
