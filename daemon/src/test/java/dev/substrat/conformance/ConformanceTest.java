package dev.substrat.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Npm;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The official conformance suite against our door: every scenario on the list is run, none is
/// expected to fail, and docs/conformance.md tells how they came out.
final class ConformanceTest {
  private static final String SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
  private static final Path PAGE = Path.of("..", "docs", "conformance.md");

  @TempDir private Path directory;

  @Test
  @Requirement("N3")
  void every_scenario_of_both_eras_passes() throws Exception {
    Npm npm = Npm.require(SUITE, Npm.NODE);
    var lines = new ArrayList<String>();
    try (var server = new FixtureServer(directory)) {
      for (var revision : listed().entrySet()) {
        Map<String, Verdict> verdicts = run(npm, server.url(), revision.getKey());
        assertThat(verdicts.keySet()).containsExactlyInAnyOrderElementsOf(revision.getValue());
        for (String scenario : revision.getValue()) {
          Verdict verdict = Objects.requireNonNull(verdicts.get(scenario));
          assertThat(verdict.failures()).as(scenario).isEmpty();
          lines.add(verdict.line(revision.getKey()));
        }
      }
    }
    String page = page(lines);
    if ("renew".equals(System.getProperty("substrat.golden"))) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE)).as("renew it with -Dsubstrat.golden=renew").isEqualTo(page);
  }

  /// Scenarios by revision, in the suite's order.
  private static Map<String, List<String>> listed() throws IOException {
    try (var in = ConformanceTest.class.getResourceAsStream("/conformance/scenarios.txt")) {
      var text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .map(line -> line.split(" "))
          .collect(
              Collectors.groupingBy(
                  parts -> parts[0],
                  TreeMap::new,
                  Collectors.mapping(parts -> parts[1], Collectors.toList())));
    }
  }

  private Map<String, Verdict> run(Npm npm, String url, String revision)
      throws IOException, InterruptedException {
    Path results = directory.resolve(revision);
    List<String> command =
        npm.command(
            "conformance",
            "server",
            "--url",
            url,
            "--requirements",
            revision,
            "-o",
            results.toString());
    new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve(revision + ".log").toFile())
        .start()
        .waitFor();
    var verdicts = new TreeMap<String, Verdict>();
    try (Stream<Path> folders = Files.list(results)) {
      for (Path folder : folders.toList()) {
        String scenario = scenario(folder.getFileName().toString());
        verdicts.put(scenario, Verdict.read(scenario, folder.resolve("checks.json")));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(Files.readString(directory.resolve(revision + ".log")), e);
    }
    return verdicts;
  }

  /// Folders are called `server-SCENARIO-TIME`.
  private static String scenario(String folder) {
    return folder.substring("server-".length()).replaceFirst("-\\d{4}-\\d\\d-\\d\\dT.*", "");
  }

  private static String page(List<String> lines) {
    return """
    # Conformance

    What the official conformance suite (`%s`) says about the MCP server, made by `ConformanceTest`; the
    build fails if a scenario fails, warns or is missing. `tasks-status-notifications` is skipped by the
    suite itself; `SubscriptionsTest` has what it would ask.

    | revision | scenario | checks passed |
    |---|---|---|
    %s
    """
        .formatted(SUITE, String.join("\n", lines));
  }
}
