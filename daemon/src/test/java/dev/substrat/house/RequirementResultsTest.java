package dev.substrat.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `scripts/check-requirements`: a requirement is proven only by a test that was executed and
/// passed.
final class RequirementResultsTest {
  private static final String PAGE =
      """
      | id | what | proven by |
      |---|---|---|
      | S0-1 | Whole class | `BoxTest` |
      | S0-2 | One of two | `BoxTest.skipped`, `BoxTest.runs` |
      | S0-3 | Skipped only | `BoxTest.skipped` |
      | N4 | Failed | `BoxTest.fails` |
      | N5 | Not executed, with \\| in its text | `BoxTest.missing`, `OtherTest` |
      """;
  private static final String RESULTS =
      """
      <testsuite name="dev.substrat.BoxTest" tests="4">
        <testcase name="skipped" classname="dev.substrat.BoxTest" time="0.1">
          <skipped message="bubblewrap is not installed"/>
        </testcase>
        <testcase name="runs(String)[1]" classname="dev.substrat.BoxTest$Inside" time="0.1">
          <system-out><![CDATA[words]]></system-out>
        </testcase>
        <testcase name="fails" classname="dev.substrat.BoxTest" time="0.1">
          <failure message="no" type="AssertionError">no</failure>
        </testcase>
        <testcase name="plain" classname="dev.substrat.BoxTest" time="0.1"/>
      </testsuite>
      """;

  @TempDir private Path project;

  @BeforeEach
  void write() throws IOException {
    Path reports = Files.createDirectories(project.resolve("daemon/target/surefire-reports"));
    Files.writeString(reports.resolve("TEST-dev.substrat.BoxTest.xml"), RESULTS);
    Files.createDirectory(project.resolve("docs"));
    Files.writeString(project.resolve("docs/requirements.md"), PAGE);
  }

  @Test
  void skipped_failed_and_missing_tests_prove_nothing_and_fail_in_ci() throws Exception {
    Result result = check("true");

    assertThat(result.output().lines())
        .containsExactly(
            "requirements without a test that passed:",
            "S0-3: no passed test among `BoxTest.skipped`",
            "N4: no passed test among `BoxTest.fails`",
            "N5: no passed test among `BoxTest.missing`, `OtherTest`");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(check("").exitCode()).as("only reported outside of CI").isZero();
  }

  @Test
  void proven_requirements_pass() throws Exception {
    Files.writeString(
        project.resolve("docs/requirements.md"),
        PAGE.lines().limit(4).reduce("", (page, line) -> page + line + "\n"));

    Result result = check("true");

    assertThat(result.output()).isEqualTo("every requirement has a test that passed\n");
    assertThat(result.exitCode()).isZero();
  }

  private record Result(int exitCode, String output) {}

  private Result check(String ci) throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder("../scripts/check-requirements", project.toString())
            .redirectErrorStream(true);
    builder.environment().put("CI", ci);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }
}
