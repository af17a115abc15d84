package dev.substrat.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The rules of the house that a compiler cannot check.
final class HouseRulesTest {

  private static final List<String> MODULES =
      List.of(
          "protocol", "daemon", "cli", "bridge", "testkit", "teamtest", "examples", "benchmarks");

  static List<String> modules() {
    return MODULES;
  }

  @ParameterizedTest
  @MethodSource("modules")
  void sources_keep_the_rules(String module) {
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

  private static Path sources(String module) {
    return Path.of("..", module, "src", "main", "java");
  }

  @Test
  void dependencies_only_go_down_the_ladder() {
    assertThat(LadderRules.broken(Path.of("target/classes"), Path.of("../protocol/target/classes")))
        .isEmpty();
  }
}
