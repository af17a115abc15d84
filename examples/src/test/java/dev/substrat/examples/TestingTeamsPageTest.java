package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// docs/testing-teams.md shows a test that is compiled and run here.
final class TestingTeamsPageTest {
  private static final Path PAGE = Path.of("../docs/testing-teams.md");
  private static final Path TESTS = Path.of("src/test/java/dev/substrat/examples");

  @Test
  @Requirement("N11")
  void the_page_contains_the_example_test() throws IOException {
    String shown = Files.readString(PAGE).split("```java\n", 2)[1].split("```", 2)[0];

    assertThat(shown).isEqualTo(Files.readString(TESTS.resolve("HarborTeamTest.java")));
  }
}
