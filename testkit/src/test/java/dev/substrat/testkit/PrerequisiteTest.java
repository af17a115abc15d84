package dev.substrat.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

final class PrerequisiteTest {
  @Test
  void a_missing_program_fails_in_ci_and_skips_the_test_elsewhere() {
    assertThatThrownBy(() -> Prerequisite.require(false, "bubblewrap is not installed", true))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("bubblewrap is not installed");
    assertThatThrownBy(() -> Prerequisite.require(false, "bubblewrap is not installed", false))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("bubblewrap is not installed");
  }

  @Test
  void an_installed_program_lets_the_test_run() {
    assertThatCode(() -> Prerequisite.require(true, "not missing", true))
        .doesNotThrowAnyException();
    assertThat(Prerequisite.require(Optional.of("npm"), "not missing")).isEqualTo("npm");
    assertThatCode(() -> Prerequisite.requireProgram("/bin/sh")).doesNotThrowAnyException();
  }

  @Test
  void an_unsuitable_machine_skips_the_test() {
    assertThatThrownBy(() -> Prerequisite.requireMachine(false, "the kernel is too old"))
        .isInstanceOf(TestAbortedException.class);
  }
}
