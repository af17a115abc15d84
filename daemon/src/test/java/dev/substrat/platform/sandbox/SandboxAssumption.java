package dev.substrat.platform.sandbox;

import dev.substrat.testkit.Prerequisite;

/// Skips a test on a machine without a sandbox. With `CI=true` that is a failure.
public final class SandboxAssumption {
  private SandboxAssumption() {}

  public static void requireWorks(Sandbox sandbox) {
    Prerequisite.require(sandbox.state().works(), sandbox.state().detail());
  }
}
