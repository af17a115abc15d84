package dev.substrat.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules of the house that a compiler cannot check.
final class HouseRulesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "protocol",
        "daemon",
        "cli",
        "bridge",
        "testkit",
        "teamtest",
        "examples",
        "benchmarks"
      })
  void sources_keep_the_rules(String module) {
    assertThat(SourceRules.broken(Path.of("..", module, "src", "main", "java"))).isEmpty();
  }

  @Test
  void dependencies_only_go_down_the_ladder() {
    assertThat(LadderRules.broken(Path.of("target/classes"), Path.of("../protocol/target/classes")))
        .isEmpty();
  }
}
