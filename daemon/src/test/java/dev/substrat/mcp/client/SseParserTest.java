package dev.substrat.mcp.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.mcp.client.transport.SseParser;
import dev.substrat.mcp.client.transport.SseParser.Event;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SseParserTest {
  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n"})
  void lines_may_end_with_cr_lf_or_both(String end) {
    assertThat(
            read(
                String.join(end, "data: one", "data: two", "", "event: endpoint", "data:/here", "")
                    + end))
        .containsExactly(new Event("message", "one\ntwo"), new Event("endpoint", "/here"));
  }

  @Test
  void comments_unknown_fields_and_events_without_data_are_ignored() {
    assertThat(read(": hello\n\nfoo: bar\n\nid: 1\ndata:\n\nevent: x\n\ndata: y\n\n"))
        .containsExactly(new Event("message", "y"));
  }

  @Test
  void an_incomplete_event_is_ignored() {
    assertThat(read("data: one\n\ndata: half")).containsExactly(new Event("message", "one"));
  }

  @Test
  void event_ids_and_retry_times_are_stored_for_resumption() {
    var reader = reader("id: 7\nretry: 250\ndata: x\n\nid: a\0b\nretry: soon\ndata: y\n\n");
    reader.next();
    reader.next();
    assertThat(reader.lastId()).isEqualTo("7");
    assertThat(reader.retry()).isEqualTo(Duration.ofMillis(250));
    assertThat(reader.resumed(new ByteArrayInputStream(new byte[0])).lastId()).isEqualTo("7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"data: %s\n\n", "%s", "data: 12345678\ndata: %s\n\n"})
  void an_event_over_the_size_limit_is_rejected(String form) {
    var reader = reader(form.formatted("x".repeat(95)));
    assertThatThrownBy(reader::next)
        .isInstanceOfSatisfying(
            RemoteFailure.class,
            failure -> assertThat(failure.reason()).isEqualTo(RemoteFailure.Reason.TOO_LARGE));
  }

  private static SseParser reader(String text) {
    return new SseParser(new ByteArrayInputStream(text.getBytes(UTF_8)), 90);
  }

  private static List<Event> read(String text) {
    var reader = new SseParser(new ByteArrayInputStream(text.getBytes(UTF_8)), 1000);
    var all = new ArrayList<Event>();
    for (Event event = reader.next(); event != null; event = reader.next()) {
      all.add(event);
    }
    return all;
  }
}
