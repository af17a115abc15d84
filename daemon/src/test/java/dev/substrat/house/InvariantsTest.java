package dev.substrat.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The table of invariants in ARCHITECTURE.md: each row names the tests that guard it, and they
/// exist.
final class InvariantsTest {
  private static final Path PROJECT = Path.of("..");
  private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| .* \\| ([^|]*) \\|");

  /// A test class, or one method of it.
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");

  @Test
  void every_invariant_names_tests_that_exist() throws IOException {
    assertThat(problems(SourceRules.read(PROJECT.resolve("ARCHITECTURE.md")))).isEmpty();
  }

  @Test
  void a_row_without_a_test_and_a_test_that_does_not_exist_are_found() throws IOException {
    String page =
        """
        ## Invariants
        | # | guarantee | guarded by |
        |---|---|---|
        | 1 | A. | `InvariantsTest` |
        | 2 | B. | careful people |
        | 3 | C. | `NoSuchTest`, `InvariantsTest.no_such_method` |
        | 5 | D. | by construction: nothing to test |
        ## Next
        """;
    assertThat(problems(page))
        .containsExactly(
            "invariant 2 names no test",
            "invariant 3 names NoSuchTest, which does not exist",
            "invariant 3 names InvariantsTest.no_such_method, which does not exist",
            "invariant 4 is missing");
  }

  private static List<String> problems(String page) throws IOException {
    int start = page.indexOf("## Invariants");
    String table = page.substring(start, page.indexOf("\n## ", start));
    var sources = sources();
    var problems = new ArrayList<String>();
    int expected = 1;
    for (String line : table.lines().toList()) {
      var row = ROW.matcher(line);
      if (!row.matches()) {
        continue;
      }
      int number = Integer.parseInt(row.group(1));
      for (; expected < number; expected++) {
        problems.add("invariant " + expected + " is missing");
      }
      expected = number + 1;
      check("invariant " + number, row.group(2), sources, problems);
    }
    assertThat(expected).as("rows were found").isGreaterThan(1);
    return problems;
  }

  private static void check(
      String invariant, String guards, Map<String, String> sources, List<String> problems) {
    var tests = TEST.matcher(guards).results().toList();
    if (tests.isEmpty() && !guards.startsWith("by construction: ")) {
      problems.add(invariant + " names no test");
    }
    tests.forEach(test -> {
      String source = sources.getOrDefault(test.group(1), "");
      boolean isTest = source.contains("@Test") || source.contains("@ParameterizedTest");
      boolean hasMethod = test.group(2) == null || source.contains("void " + test.group(2) + "(");
      if (!isTest || !hasMethod) {
        problems.add(
            invariant + " names " + test.group().replace("`", "") + ", which does not exist");
      }
    });
  }

  /// Sources of all test classes of all modules, by simple name.
  private static Map<String, String> sources() throws IOException {
    var sources = new HashMap<String, String>();
    try (Stream<Path> files = Files.walk(PROJECT, 12)) {
      files
          .filter(file -> file.toString().contains("/src/test/java/"))
          .filter(file -> file.toString().endsWith("Test.java"))
          .forEach(file ->
              sources.merge(
                  file.getFileName().toString().replace(".java", ""),
                  SourceRules.read(file),
                  String::concat));
    }
    return sources;
  }
}
