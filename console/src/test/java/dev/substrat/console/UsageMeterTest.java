package dev.substrat.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class UsageMeterTest {
  @Test
  void exhausted_and_nearly_exhausted_budgets_are_distinguished() {
    assertThat(UsageMeter.of("ada", "4 of 5", 5, 4, 0, false).stop()).isEmpty();
    assertThat(UsageMeter.of("ada", "4 of 5", 5, 4, 0, true).stop()).isEqualTo("nearly exhausted");
    assertThat(UsageMeter.of("ada", "5 of 5", 5, 5, 0, true).stop()).isEqualTo("exhausted");
  }
}
