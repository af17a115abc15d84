package dev.substrat.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// docs/requirements.md matches the annotations of the tests. To renew it: `./verify -pl …
/// -Dsubstrat.golden=renew`.
final class RequirementsPageTest {
  private static final Path PROJECT = Path.of("..");
  private static final Path PAGE = PROJECT.resolve("docs/requirements.md");

  @Test
  void the_page_is_current() throws IOException {
    String text = RequirementsPage.of(PROJECT).text();
    if ("renew".equals(System.getProperty("substrat.golden"))) {
      Files.writeString(PAGE, text);
    }
    assertThat(Files.readString(PAGE))
        .as(
            "renew it: ./verify -pl protocol,console,testkit,daemon "
                + "-Dtest=RequirementsPageTest -Dsurefire.failIfNoSpecifiedTests=false "
                + "-Dsubstrat.golden=renew")
        .isEqualTo(text);
  }

  @Test
  void tests_name_only_existing_requirements() {
    assertThat(RequirementsPage.of(PROJECT).unknown()).isEmpty();
  }
}
