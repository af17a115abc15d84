package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// docs/attack-surface-changes.md is true: every entry point that changes something is asked by
/// every kind of caller, about things that exist. A new route or tool needs a new row.
@Requirement("N7")
@Timeout(300)
final class EntryPointAuthorisationTest {
  private static final Path PAGE = Path.of("../docs/attack-surface-changes.md");

  private final EntryPointTeam team = new EntryPointTeam();
  private final EntryPointTable table = new EntryPointTable(team);

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void every_entry_point_answers_every_caller_as_the_page_says() throws IOException {
    String text = table.page();
    if ("renew".equals(System.getProperty("substrat.golden"))) {
      Files.writeString(PAGE, text);
    }
    assertThat(Files.readAllLines(PAGE)).containsExactlyElementsOf(text.lines().toList());
  }

  @Test
  void every_change_of_a_space_a_call_or_a_run_is_asked() {
    assertThat(table.unasked()).isEmpty();
  }
}
