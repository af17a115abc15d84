package dev.substrat.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class UsageMeterTest {
  @Test
  void what_is_used_up_is_told_from_what_has_too_little_left() {
    assertThat(UsageMeter.of("ada", "4 of 5", 5, 4, 0, false).stop()).isEmpty();
    assertThat(UsageMeter.of("ada", "4 of 5", 5, 4, 0, true).stop()).isEqualTo("nearly exhausted");
    assertThat(UsageMeter.of("ada", "5 of 5", 5, 5, 0, true).stop()).isEqualTo("exhausted");
  }
}
