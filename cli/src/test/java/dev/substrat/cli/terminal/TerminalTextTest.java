package dev.substrat.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TerminalTextTest {
  @Test
  void long_lines_are_broken_at_blanks_and_nothing_is_lost() {
    assertThat(TerminalText.wrapped("all forty crates are lashed down", 22))
        .containsExactly("all forty crates are", "lashed down");
    assertThat(TerminalText.wrapped("x".repeat(45), 20))
        .containsExactly("x".repeat(20), "x".repeat(20), "x".repeat(5));
    assertThat(TerminalText.wrapped("short", Integer.MAX_VALUE)).containsExactly("short");
  }

  @Test
  void the_width_of_a_terminal_is_the_last_number() {
    assertThat(Terminal.columns("24 132\n")).isEqualTo(132);
    assertThat(Terminal.columns("100")).isEqualTo(100);
    assertThat(Terminal.columns("")).isEqualTo(80);
  }

  @Test
  void no_control_character_passes() {
    String all =
        IntStream.rangeClosed(0, 0x9f)
            .filter(Character::isISOControl)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    assertThat(TerminalText.line(all).chars()).noneMatch(Character::isISOControl);
    assertThat(TerminalText.block(all).chars().filter(Character::isISOControl))
        .containsOnly((int) '\n', (int) '\t');
  }

  @Test
  void an_escape_character_is_shown_as_its_code_point() {
    assertThat(TerminalText.line("\u001b[31mred")).isEqualTo("\\u{1B}[31mred");
    assertThat(TerminalText.line("\u009b31m")).isEqualTo("\\u{9B}31m");
  }

  @Test
  void bidirectional_and_invisible_characters_do_not_pass() {
    assertThat(TerminalText.line("a\u202eb\u2066c\u200bd"))
        .isEqualTo("a\\u{202E}b\\u{2066}c\\u{200B}d");
  }

  @Test
  void ends_of_lines_are_visible_on_a_line_and_kept_in_a_block() {
    assertThat(TerminalText.line("a\r\nb\nc\u2028d")).isEqualTo("a↵b↵c\\u{2028}d");
    assertThat(TerminalText.block("a\r\nb\tc\rd")).isEqualTo("a\nb\tc\\u{D}d");
  }

  @Test
  void ordinary_text_in_any_script_is_unchanged() {
    String text = "Grüße, नमस्ते, 船, 👩‍🚀";
    assertThat(TerminalText.line(text)).isEqualTo(text);
  }

  @Test
  void a_cut_counts_columns_and_never_halves_a_character() {
    assertThat(TerminalText.cut("harbor", 6)).isEqualTo("harbor");
    assertThat(TerminalText.cut("harbors", 6)).isEqualTo("harbo…");
    assertThat(TerminalText.cut("船船船", 5)).isEqualTo("船船…");
    assertThat(TerminalText.cut("😀😀", 3)).isEqualTo("😀…");
  }
}
