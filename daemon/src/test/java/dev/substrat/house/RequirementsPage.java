package dev.substrat.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The page docs/requirements.md: which test proves which requirement, from the annotations of the
/// tests.
final class RequirementsPage {
  private static final Pattern NAMED =
      Pattern.compile(
          "@Requirement\\(([^)]*)\\)(?:\\s*@\\w+(?:\\([^)]*\\))?)*\\s*"
              + "(?:(?:public |static |final |abstract )*class (\\w+)|[\\w<>\\[\\]. ]*?(\\w+)\\()");
  private static final Pattern ID = Pattern.compile("\"([^\"]+)\"");

  private final Map<String, String> catalogue = new LinkedHashMap<>();
  private final Map<String, TreeSet<String>> proofs = new LinkedHashMap<>();

  private RequirementsPage() {}

  static RequirementsPage of(Path project) {
    var page = new RequirementsPage();
    page.readCatalogue();
    try (Stream<Path> files = Files.walk(project, 12)) {
      files
          .filter(file -> file.toString().contains("/src/test/java/"))
          .filter(file -> file.toString().endsWith(".java"))
          .forEach(page::read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return page;
  }

  private void readCatalogue() {
    try (var file =
        Objects.requireNonNull(RequirementsPage.class.getResourceAsStream("requirements.txt"))) {
      new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split(" ", 2))
          .forEach(line -> catalogue.put(line[0], line[1]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(Path file) {
    String type = String.valueOf(file.getFileName()).replace(".java", "");
    String source;
    try {
      source = Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Matcher named = NAMED.matcher(source);
    while (named.find()) {
      String test = named.group(3) == null ? type : type + "." + named.group(3);
      ID.matcher(named.group(1))
          .results()
          .forEach(id -> proofs.computeIfAbsent(id.group(1), _ -> new TreeSet<>()).add(test));
    }
  }

  /// Requirements that tests name but that do not exist: a typing mistake. Tests may also name a
  /// decision about a question (A…) or a conflict (C…), which the page does not list.
  List<String> unknown() {
    return proofs.keySet().stream()
        .filter(id -> !catalogue.containsKey(id) && !id.matches("[AC]\\d+"))
        .sorted()
        .toList();
  }

  String text() {
    long proven = catalogue.keySet().stream().filter(proofs::containsKey).count();
    var page = new StringBuilder();
    page.append("# Requirements and their tests\n\n")
        .append(
            "Made from the tests (`@Requirement`). `./verify` checks that this page is current, that every ")
        .append(
            "test on it passes or is skipped, and that each requirement has a test that passed.\n\n")
        .append(proven + " of " + catalogue.size() + " have a test that names them.\n\n")
        .append("| id | what | proven by |\n|---|---|---|\n");
    catalogue.forEach(
        (id, what) -> page.append("| " + id + " | " + what + " | " + tests(id) + " |\n"));
    return page.toString();
  }

  private String tests(String id) {
    TreeSet<String> tests = proofs.getOrDefault(id, new TreeSet<>());
    return tests.isEmpty() ? "open" : "`" + String.join("`, `", tests) + "`";
  }
}
