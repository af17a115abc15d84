package dev.substrat.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A test is skipped only through `dev.substrat.testkit.Prerequisite`, which fails in CI.
/// Exceptions are conditions that another run of the same test class meets.
final class SkippedTestsTest {
  private static final Pattern SKIP =
      Pattern.compile(
          "\\b(assume(That|True|False|NoException)?\\(|Assumptions\\.\\w+\\("
              + "|@(Disabled|Enabled)\\w*|getenv\\(\"CI\"\\))");

  /// The database of this run, the full test suite, and colours of the terminal.
  private static final List<String> ALLOWED =
      List.of("dialect()", "hasOneWriter()", "\"substrat.full\"", "\"NO_COLOR\"");

  @TempDir private Path folder;

  @Test
  void tests_are_skipped_in_one_place() throws IOException {
    assertThat(skips(Path.of(".."))).isEmpty();
  }

  @Test
  void a_test_that_skips_itself_is_found() throws IOException {
    Path sources = Files.createDirectories(folder.resolve("daemon/src/test/java"));
    Files.writeString(
        sources.resolve("ATest.java"),
        """
        assumeTrue(hasBrowser());
        assumeThat(place.dialect()).isEqualTo(POSTGRES);
        """);
    assertThat(skips(folder)).containsExactly("ATest.java: assumeTrue(hasBrowser());");
  }

  private static List<String> skips(Path project) throws IOException {
    try (Stream<Path> files = Files.walk(project, 12)) {
      return files
          .filter(file -> file.toString().contains("/src/test/java/"))
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("SkippedTestsTest.java"))
          .flatMap(SkippedTestsTest::skipsIn)
          .sorted()
          .toList();
    }
  }

  private static Stream<String> skipsIn(Path file) {
    return SourceRules.read(file)
        .lines()
        .map(String::strip)
        .filter(line -> !line.startsWith("import ") && SKIP.matcher(line).find())
        .filter(line -> ALLOWED.stream().noneMatch(line::contains))
        .map(line -> file.getFileName() + ": " + line);
  }
}
