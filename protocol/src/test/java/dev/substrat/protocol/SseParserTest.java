package dev.substrat.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.protocol.SseParser.SseEvent;
import dev.substrat.protocol.SseParser.SseFrame;
import dev.substrat.protocol.SseParser.SseHeartbeat;
import dev.substrat.protocol.SseParser.SseStreamEnd;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SseParserTest {

  private static List<SseFrame> frames(String text) throws IOException {
    var bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    // One byte at a time, as a network may deliver it.
    var trickle =
        new InputStream() {
          @Override
          public int read() {
            return bytes.read();
          }

          @Override
          public int read(byte[] target, int offset, int length) {
            return bytes.read(target, offset, Math.min(1, length));
          }
        };
    var reader = new SseParser(trickle, 1000);
    var frames = new ArrayList<SseFrame>();
    for (SseFrame frame = reader.next(); !(frame instanceof SseStreamEnd); frame = reader.next()) {
      frames.add(frame);
    }
    return frames;
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n"})
  void every_line_ending_is_supported(String end) throws IOException {
    assertThat(frames("id: 7\nevent: turn_started\ndata: {}\n\ndata: x\n\n".replace("\n", end)))
        .containsExactly(
            new SseEvent("7", "turn_started", "{}"), new SseEvent(null, "message", "x"));
  }

  @Test
  void lines_of_data_are_joined_and_one_blank_is_dropped() throws IOException {
    assertThat(frames("data: a\ndata:  b\ndata\ndata:ü€😀\n\n"))
        .containsExactly(new SseEvent(null, "message", "a\n b\n\nü€😀"));
  }

  @Test
  void a_comment_is_a_heartbeat_even_inside_an_event() throws IOException {
    assertThat(frames(": hello\n\nid: 1\n: still here\ndata: x\n\n"))
        .containsExactly(new SseHeartbeat(), new SseHeartbeat(), new SseEvent("1", "message", "x"));
  }

  @Test
  void events_without_data_and_unknown_fields_are_ignored() throws IOException {
    assertThat(frames("id: 3\nevent: x\n\nretry: 5\nwhatever: 1\ndata: y\n\n"))
        .containsExactly(new SseEvent(null, "message", "y"));
  }

  @Test
  void an_incomplete_event_is_dropped() throws IOException {
    assertThat(frames("data: whole\n\ndata: hal"))
        .containsExactly(new SseEvent(null, "message", "whole"));
  }

  @Test
  void a_byte_order_mark_is_not_part_of_the_first_field() throws IOException {
    assertThat(frames("\ufeffdata: x\n\n")).containsExactly(new SseEvent(null, "message", "x"));
  }

  @Test
  void an_event_with_empty_data_is_no_event_with_data() throws IOException {
    var parser = parser("id: 1\ndata:\n\nevent:\ndata: y\n\n");
    assertThat(parser.nextEvent()).isEqualTo(new SseEvent(null, "message", "y"));
    assertThat(parser.lastId()).isEqualTo("1");
    assertThat(parser.nextEvent()).isNull();
  }

  @Test
  void ids_and_pauses_are_kept_for_a_resumption() throws IOException {
    var parser = parser("id: 7\nretry: 250\ndata: x\n\nid: a\0b\nretry: soon\ndata: y\n\n");
    parser.next();
    parser.next();
    assertThat(parser.lastId()).isEqualTo("7");
    assertThat(parser.retry()).isEqualTo(Duration.ofMillis(250));
    assertThat(parser.resumed(InputStream.nullInputStream()).lastId()).isEqualTo("7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"data: %s\n\n", "%s", "data: 12345678\ndata: %s\n\n"})
  void no_event_is_larger_than_the_limit(String form) {
    var parser = parser(form.formatted("x".repeat(95)));
    assertThatThrownBy(parser::next).isInstanceOf(SseParser.SseTooLargeException.class);
  }

  private static SseParser parser(String text) {
    return new SseParser(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), 90);
  }
}
