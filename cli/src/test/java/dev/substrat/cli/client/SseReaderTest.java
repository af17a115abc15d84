package dev.substrat.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.cli.client.SseReader.Frame;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SseReaderTest {

  private static List<Frame> frames(String text) throws IOException {
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
    var reader = new SseReader(trickle);
    var frames = new ArrayList<Frame>();
    for (Frame frame = reader.next(); !(frame instanceof Frame.End); frame = reader.next()) {
      frames.add(frame);
    }
    return frames;
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n"})
  void every_line_ending_is_supported(String end) throws IOException {
    assertThat(frames("id: 7\nevent: turn_started\ndata: {}\n\ndata: x\n\n".replace("\n", end)))
        .containsExactly(
            new Frame.Event("7", "turn_started", "{}"), new Frame.Event(null, "message", "x"));
  }

  @Test
  void lines_of_data_are_joined_and_one_blank_is_dropped() throws IOException {
    assertThat(frames("data: a\ndata:  b\ndata\ndata:ü€😀\n\n"))
        .containsExactly(new Frame.Event(null, "message", "a\n b\n\nü€😀"));
  }

  @Test
  void a_comment_is_a_heartbeat_even_inside_an_event() throws IOException {
    assertThat(frames(": hello\n\nid: 1\n: still here\ndata: x\n\n"))
        .containsExactly(
            new Frame.Heartbeat(), new Frame.Heartbeat(), new Frame.Event("1", "message", "x"));
  }

  @Test
  void events_without_data_and_unknown_fields_are_ignored() throws IOException {
    assertThat(frames("id: 3\nevent: x\n\nretry: 5\nwhatever: 1\ndata: y\n\n"))
        .containsExactly(new Frame.Event(null, "message", "y"));
  }

  @Test
  void an_incomplete_event_is_dropped() throws IOException {
    assertThat(frames("data: whole\n\ndata: hal"))
        .containsExactly(new Frame.Event(null, "message", "whole"));
  }

  @Test
  void a_byte_order_mark_is_not_part_of_the_first_field() throws IOException {
    assertThat(frames("\ufeffdata: x\n\n")).containsExactly(new Frame.Event(null, "message", "x"));
  }
}
