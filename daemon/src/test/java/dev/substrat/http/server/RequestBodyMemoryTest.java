package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.protocol.Fault;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Large bodies share a limited part of the heap.
@Timeout(300)
final class RequestBodyMemoryTest {
  private final RequestBodyMemory memory = new RequestBodyMemory(0, Duration.ofMillis(50));

  @Test
  void a_large_body_waits_until_memory_of_another_one_is_released() {
    var first = memory.new MemoryShare();
    first.take(RequestBodyReader.MAX_BYTES);
    var second = memory.new MemoryShare();

    assertThatThrownBy(() -> second.take(RequestBodyMemory.SMALL + 1))
        .isInstanceOf(Fault.class)
        .hasMessageContaining("LIMIT_REACHED");
    second.take(RequestBodyMemory.SMALL);
    first.close();
    second.take(RequestBodyReader.MAX_BYTES);
  }

  @Test
  void a_request_reserves_body_memory_once() {
    try (var share = memory.new MemoryShare()) {
      share.take(RequestBodyReader.MAX_BYTES / 2);
      share.take(RequestBodyReader.MAX_BYTES);
      share.take(RequestBodyReader.MAX_BYTES);
    }
    memory.new MemoryShare().take(RequestBodyReader.MAX_BYTES);
  }
}
