package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/// docs/dependencies.md and docs/third-party.md list what is shipped, each library with its reason
/// and an allowed licence. After a change of dependencies, run `scripts/sbom` and this test with
/// `-Dsubstrat.golden=renew`, and read the difference.
final class DependencyPagesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path REASONS = ROOT.resolve("docs/dependencies.md");
  private static final Path LICENCES = ROOT.resolve("docs/third-party.md");
  private static final List<String> MODULES =
      List.of("protocol", "console", "daemon", "cli", "bridge", "examples");

  /// The first cell of a row that names a library, and the others.
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([\\w.-]+:[\\w.-]+)` \\| ([^|]*) \\| ([^|]*) \\|$");

  private static final String BEGINNING =
      """
      # Third-party libraries

      Libraries that are shipped with Substrat, with version and licence as the library declares them. This page is generated from the
      software bill of materials. See [dependencies](dependencies.md) for the reasons.

      | library | version | licence |
      |---|---|---|
      """;

  @Test
  void each_direct_dependency_has_a_reason() throws Exception {
    assertThat(rows(section("## Direct dependencies")).keySet())
        .as("the first table of docs/dependencies.md, and the poms of shipped modules")
        .containsExactlyInAnyOrderElementsOf(direct());
    rows(section("## Direct dependencies"))
        .forEach((library, cells) -> assertThat(cells.get(1)).as(library).isNotBlank());
  }

  @Test
  void each_shipped_library_is_listed_with_its_version() throws IOException {
    if ("renew".equals(System.getProperty("substrat.golden"))) {
      Files.writeString(LICENCES, page());
    }
    Map<String, String> listed =
        rows(Files.readString(LICENCES)).entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, row -> row.getValue().getFirst()));
    assertThat(new TreeMap<>(listed))
        .as("run scripts/sbom, then renew docs/third-party.md with -Dsubstrat.golden=renew")
        .isEqualTo(shipped());
  }

  @Test
  void each_shipped_library_has_an_allowed_licence() throws IOException {
    String section = section("## Licences");
    Set<String> allowed = new TreeSet<>();
    Matcher names =
        Pattern.compile("`([^`:]+)`").matcher(section.lines().skip(2).findFirst().orElseThrow());
    while (names.find()) {
      allowed.add(names.group(1));
    }
    assertThat(allowed).contains("Apache-2.0", "MIT");
    Map<String, List<String>> exceptions = rows(section);
    var problems = new ArrayList<String>();
    rows(Files.readString(LICENCES))
        .forEach((library, cells) -> {
          String licence = cells.get(1);
          List<String> exception = exceptions.getOrDefault(library, List.of("", ""));
          boolean isAllowed =
              allowed.containsAll(List.of(licence.split(" or ")))
                  || exception.getFirst().equals(licence);
          if (!isAllowed) {
            problems.add(library + ": " + licence);
          }
        });
    assertThat(problems).as("licences that docs/dependencies.md does not allow").isEmpty();
    assertThat(rows(Files.readString(LICENCES)).keySet()).containsAll(exceptions.keySet());
  }

  private static String section(String heading) throws IOException {
    String page = Files.readString(REASONS);
    int start = page.indexOf(heading);
    assertThat(start).as(heading).isNotNegative();
    int end = page.indexOf("\n## ", start);
    return page.substring(start, end);
  }

  private static Map<String, List<String>> rows(String text) {
    var rows = new TreeMap<String, List<String>>();
    Matcher row = ROW.matcher(text);
    while (row.find()) {
      rows.put(row.group(1), List.of(row.group(2), row.group(3)));
    }
    return rows;
  }

  /// Libraries that Maven packages with the program, written by the build of this module.
  private static Map<String, String> shipped() throws IOException {
    Pattern line =
        Pattern.compile("^\\s+([\\w.-]+:[\\w.-]+):jar:([^:\\s]+):(compile|runtime)\\b.*");
    var shipped = new TreeMap<String, String>();
    for (String one : Files.readAllLines(Path.of("target/shipped.txt"))) {
      Matcher found = line.matcher(one);
      if (found.matches()) {
        shipped.put(found.group(1), found.group(2));
      }
    }
    assertThat(shipped).as("target/shipped.txt").isNotEmpty();
    return shipped;
  }

  private static Set<String> direct() throws Exception {
    var direct = new TreeSet<String>();
    collect(parse(ROOT.resolve("pom.xml")), direct);
    for (String module : MODULES) {
      collect(parse(ROOT.resolve(module).resolve("pom.xml")), direct);
    }
    return direct;
  }

  private static Document parse(Path pom) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
  }

  private static void collect(Document pom, Set<String> direct) {
    var nodes = pom.getElementsByTagName("dependency");
    for (int i = 0; i < nodes.getLength(); i++) {
      var dependency = (Element) nodes.item(i);
      boolean isOfProject =
          dependency.getParentNode().getParentNode() instanceof Element owner
              && owner.getTagName().equals("project");
      String group = text(dependency, "groupId");
      String scope = text(dependency, "scope");
      if (isOfProject
          && !group.equals("dev.substrat")
          && !scope.equals("test")
          && !scope.equals("provided")) {
        direct.add(group + ":" + text(dependency, "artifactId"));
      }
    }
  }

  /// Of the element itself: exclusions have the same names inside.
  private static String text(Element parent, String name) {
    for (var child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child.getNodeName().equals(name)) {
        return child.getTextContent().strip();
      }
    }
    return "";
  }

  private static String page() throws IOException {
    JsonNode sbom = Json.own(Files.readString(ROOT.resolve("target/sbom.json")));
    var rows = new TreeMap<String, String>();
    for (JsonNode component : sbom.path("components")) {
      String group = component.path("group").asText();
      if (!group.equals("dev.substrat")) {
        String library = group + ":" + component.path("name").asText();
        rows.put(
            library,
            "| `%s` | %s | %s |\n"
                .formatted(library, component.path("version").asText(), licence(component)));
      }
    }
    return BEGINNING + String.join("", rows.values());
  }

  private static String licence(JsonNode component) {
    var names = new ArrayList<String>();
    for (JsonNode one : component.path("licenses")) {
      JsonNode licence = one.path("license");
      names.add(
          licence.path("id").asText(licence.path("name").asText(one.path("expression").asText())));
    }
    return names.isEmpty() ? "unknown" : String.join(" or ", names);
  }
}
