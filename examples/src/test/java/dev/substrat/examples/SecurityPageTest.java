package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// docs/security.md names a test class for each promise, and each of these classes exists.
final class SecurityPageTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  @Test
  void each_promise_names_tests_that_exist() throws IOException {
    Set<String> tests = testClasses();
    var missing = new ArrayList<String>();
    for (List<String> guards : guards()) {
      assertThat(guards).isNotEmpty();
      for (String guard : guards) {
        if (!tests.contains(guard)) {
          missing.add(guard);
        }
      }
    }
    assertThat(missing)
        .as("test classes that docs/security.md names and that do not exist")
        .isEmpty();
  }

  /// The names in the last cell of each row of the promises.
  private static List<List<String>> guards() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/security.md"));
    String promises =
        page.substring(page.indexOf("\n## Promises"), page.indexOf("\n## Not promised"));
    List<List<String>> guards =
        promises
            .lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| promise |"))
            .map(line -> line.split(" \\| ", -1)[1])
            .map(cell -> NAME.matcher(cell).results().map(found -> found.group(1)).toList())
            .toList();
    assertThat(guards).hasSizeGreaterThan(20);
    return guards;
  }

  private static Set<String> testClasses() throws IOException {
    try (var modules = Files.list(ROOT)) {
      var found = new TreeSet<String>();
      for (Path module : modules.toList()) {
        Path tests = module.resolve("src/test/java");
        if (Files.isDirectory(tests)) {
          try (var files = Files.walk(tests)) {
            found.addAll(
                files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Test.java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet()));
          }
        }
      }
      return found;
    }
  }
}
