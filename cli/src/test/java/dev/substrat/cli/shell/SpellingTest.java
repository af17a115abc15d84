package dev.substrat.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.protocol.Spelling;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SpellingTest {
  private static final List<String> KNOWN = List.of("up", "status", "stop", "agent", "run");

  @Test
  void slips_and_beginnings_are_recognised() {
    assertThat(Spelling.near("agnet", KNOWN)).containsExactly("agent");
    assertThat(Spelling.near("agents", KNOWN)).containsExactly("agent");
    assertThat(Spelling.near("st", KNOWN)).containsExactly("stop", "status");
  }

  @Test
  void what_is_only_vaguely_alike_is_not_suggested() {
    assertThat(Spelling.near("restart", KNOWN)).isEmpty();
    assertThat(Spelling.near("ls", KNOWN)).isEmpty();
  }
}
