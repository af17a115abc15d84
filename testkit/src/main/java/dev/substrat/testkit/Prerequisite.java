package dev.substrat.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/// What a test needs from the machine it runs on, and what happens if it is missing.
///
/// A missing program skips the test on a developer's machine and fails it in CI (`CI=true`): a
/// requirement is proven only if its test ran. Properties of the machine that nobody can install,
/// such as a kernel version, skip the test everywhere.
public final class Prerequisite {
  private Prerequisite() {}

  public static boolean isCi() {
    return "true".equals(System.getenv("CI"));
  }

  /// For programs and packages. `missing` says what is not installed.
  public static void require(boolean isInstalled, String missing) {
    require(isInstalled, missing, isCi());
  }

  static void require(boolean isInstalled, String missing, boolean isCi) {
    if (isInstalled) {
      return;
    }
    if (isCi) {
      Assertions.fail("CI must have everything that the tests need: " + missing);
    }
    Assumptions.abort(missing);
  }

  /// An executable file, by its full path.
  public static void requireProgram(String path) {
    require(Files.isExecutable(Path.of(path)), path + " is not installed");
  }

  /// The value, if what it needs is installed.
  public static <T> T require(Optional<T> installed, String missing) {
    require(installed.isPresent(), missing);
    return installed.orElseThrow();
  }

  /// For the user that runs the tests, the kernel, the processor and the file system.
  public static void requireMachine(boolean isSuitable, String unsuitable) {
    if (!isSuitable) {
      Assumptions.abort(unsuitable);
    }
  }
}
