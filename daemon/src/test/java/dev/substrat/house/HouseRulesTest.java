package dev.substrat.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Rules for the sources that a compiler cannot check.
final class HouseRulesTest {

  private static final List<String> MODULES =
      List.of(
          "protocol",
          "console",
          "daemon",
          "cli",
          "bridge",
          "testkit",
          "teamtest",
          "examples",
          "benchmarks",
          "benchmarks/peer",
          "clients");

  static List<String> modules() {
    return MODULES;
  }

  @ParameterizedTest
  @MethodSource("modules")
  void sources_follow_the_rules(String module) {
    assertThat(SourceRules.broken(sources(module), listed())).isEmpty();
  }

  @Test
  void listed_sizes_are_still_needed() {
    var exceptions = listed();
    MODULES.forEach(module -> SourceRules.broken(sources(module), exceptions));
    assertThat(exceptions.unused()).as("remove from " + SizeExceptions.FILE).isEmpty();
  }

  private static SizeExceptions listed() {
    return SizeExceptions.parse(SourceRules.read(Path.of("..", SizeExceptions.FILE)));
  }

  /// The module `clients` consists of tests only.
  private static Path sources(String module) {
    Path main = Path.of("..", module, "src", "main", "java");
    return Files.exists(main) ? main : Path.of("..", module, "src", "test", "java");
  }

  @Test
  void a_layer_uses_only_the_layers_below_it() {
    assertThat(
            LayerRules.violations(
                Path.of("target/classes"),
                Path.of("../protocol/target/classes"),
                Path.of("../console/target/classes/dev")))
        .isEmpty();
  }

  @Test
  void a_package_has_at_most_25_files() {
    assertThat(MODULES)
        .flatExtracting(module -> SourceRules.crowdedPackages(sources(module)))
        .isEmpty();
  }

  @Test
  void a_type_name_occurs_once() {
    List<Path> files =
        MODULES.stream()
            .flatMap(module -> SourceRules.javaFiles(sources(module)).stream())
            .toList();
    assertThat(SourceRules.repeatedNames(files)).isEmpty();
  }

  @Test
  void the_map_in_the_architecture_page_is_current() throws IOException {
    Path page = Path.of("../ARCHITECTURE.md");
    String renewed = ArchitectureMap.renewed(SourceRules.read(page), Path.of(".."));
    if ("renew".equals(System.getProperty("substrat.golden"))) {
      Files.writeString(page, renewed);
    }
    assertThat(SourceRules.read(page))
        .as("renew it with -Dtest=HouseRulesTest -Dsubstrat.golden=renew")
        .isEqualTo(renewed);
  }

  @Test
  void a_table_is_written_by_its_owner_only() {
    Path migrations = Path.of("src/main/resources/migrations");
    assertThat(
            TableOwners.parse(
                    SourceRules.read(
                        Path.of("src/test/resources/dev/substrat/house/table-owners.txt")))
                .violations(sources("daemon"), SourceRules.texts(migrations)))
        .isEmpty();
  }

  @Test
  void a_test_class_runs_on_every_database_if_its_package_contains_sql() {
    assertThat(DatabaseVariants.violations(sources("daemon"), Path.of("src/test/java"))).isEmpty();
  }

  @Test
  void every_module_of_the_build_is_checked() {
    assertThat(
            Pattern.compile("<module>([^<]+)</module>")
                .matcher(SourceRules.read(Path.of("../pom.xml")))
                .results()
                .map(module -> module.group(1)))
        .containsExactlyInAnyOrderElementsOf(MODULES);
  }
}
