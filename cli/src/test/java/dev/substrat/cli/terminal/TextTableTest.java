package dev.substrat.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class TextTableTest {
  private static final String LONG = "one two three four ".repeat(20).strip();

  private static String printed(boolean isTerminal) {
    var out = new ByteArrayOutputStream();
    var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    var screen =
        new Terminal(stream, stream, InputStream.nullInputStream(), isTerminal, isTerminal, false);
    TextTable.of("FROM", "TEXT")
        .wholeRow("ada", "first\n\u001b[2Jsecond")
        .wholeRow("ben", LONG)
        .wholeRow("noor", "")
        .printWhole(screen);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void on_a_terminal_a_long_text_wraps_within_its_column() {
    assertThat(printed(true)).contains("ada   first\n      \\u{1B}[2Jsecond\n", "\nben   one two");
    assertThat(printed(true).lines().skip(1)).hasSizeGreaterThan(4);
  }

  @Test
  void through_a_pipe_every_row_is_one_whole_line() {
    assertThat(printed(false))
        .isEqualTo("FROM  TEXT\nada   first↵\\u{1B}[2Jsecond\nben   %s\nnoor\n".formatted(LONG));
  }
}
