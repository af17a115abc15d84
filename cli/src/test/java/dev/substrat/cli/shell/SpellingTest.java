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

  @Test
  void two_letters_in_the_wrong_order_are_one_slip() {
    assertThat(Spelling.near("ulr", List.of("url"))).containsExactly("url");
    assertThat(Spelling.near("mpc", List.of("mcp"))).containsExactly("mcp");
    assertThat(Spelling.near("rnu", KNOWN)).containsExactly("run");
  }

  @Test
  void where_other_words_are_taken_as_well_only_a_slip_of_a_long_one_counts() {
    List<String> components = List.of("confirmAction", "text");

    assertThat(Spelling.slip("confirmActoin", components)).contains("confirmAction");
    assertThat(Spelling.slip("confirmAction", components)).isEmpty();
    assertThat(Spelling.slip("confirm", components)).isEmpty();
    assertThat(Spelling.slip("test", components)).isEmpty();
  }
}
