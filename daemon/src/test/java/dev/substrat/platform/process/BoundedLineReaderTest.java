package dev.substrat.platform.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BoundedLineReaderTest {
  @Test
  void lines_are_returned_without_terminators_and_the_last_needs_none() throws IOException {
    assertThat(read("one\n\ntwo", 10)).containsExactly("one", "", "two");
    assertThat(read("one\n", 10)).containsExactly("one");
    assertThat(read("", 10)).isEmpty();
  }

  @Test
  void a_line_of_exactly_the_limit_is_returned_whole() throws IOException {
    assertThat(read("0123456789\nx", 10)).containsExactly("0123456789", "x");
  }

  @Test
  void a_line_over_the_limit_is_returned_in_parts() throws IOException {
    assertThat(read("0123456789abc\nx", 10)).containsExactly("0123456789…", "abc", "x");
  }

  /// Longer than the buffer.
  @Test
  void a_line_may_be_longer_than_the_buffer() throws IOException {
    String line = "x".repeat(20_000);
    assertThat(read(line + "\ny", 50_000)).containsExactly(line, "y");
  }

  private static List<String> read(String text, int limit) throws IOException {
    var in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    var lines = new BoundedLineReader(in, limit);
    var all = new ArrayList<String>();
    for (var line = lines.next(); line != null; line = lines.next()) {
      all.add(line.text() + (line.isWhole() ? "" : "…"));
    }
    return all;
  }
}
