package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.protocol.Fault;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Large bodies share a limited part of the heap.
@Timeout(60)
final class BodyMemoryTest {
  private final BodyMemory memory = new BodyMemory(0, Duration.ofMillis(50));

  @Test
  void a_large_body_waits_until_another_one_is_done() {
    var first = memory.new Share();
    first.take(BodyReader.MAX_BYTES);
    var second = memory.new Share();

    assertThatThrownBy(() -> second.take(BodyMemory.SMALL + 1))
        .isInstanceOf(Fault.class)
        .hasMessageContaining("LIMIT_REACHED");
    second.take(BodyMemory.SMALL);
    first.close();
    second.take(BodyReader.MAX_BYTES);
  }

  @Test
  void the_same_request_takes_its_share_once() {
    try (var share = memory.new Share()) {
      share.take(BodyReader.MAX_BYTES / 2);
      share.take(BodyReader.MAX_BYTES);
      share.take(BodyReader.MAX_BYTES);
    }
    memory.new Share().take(BodyReader.MAX_BYTES);
  }
}
