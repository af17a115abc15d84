package dev.substrat.platform.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/// Skips a test on a machine without a sandbox. With `CI=true` that is a failure.
public final class SandboxAssumption {
  private SandboxAssumption() {}

  public static void requireWorks(Sandbox sandbox) {
    require(sandbox.state(), "true".equals(System.getenv("CI")));
  }

  static void require(Sandbox.State state, boolean isCi) {
    if (isCi) {
      assertThat(state.works()).as(state.detail()).isTrue();
    }
    assumeThat(state.works()).as(state.detail()).isTrue();
  }
}
