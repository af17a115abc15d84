package dev.substrat.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.store.Dialect;
import dev.substrat.testkit.Requirement;
import dev.substrat.turn.engine.Engine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Two daemons on one PostgreSQL whose agents write the same block.
final class TwoDaemonsMemoryTest {
  private static final int LINES = 10;

  private final MemoryTeam team = new MemoryTeam(Dialect.POSTGRES);

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"N9", "A17"})
  void additions_of_two_daemons_to_a_shared_block_are_all_kept() throws Exception {
    team.share("log", "start", "ada", "ben");
    Engine other = team.another();
    var together = new CyclicBarrier(2);
    var refusals = new ArrayList<Future<Integer>>();

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      refusals.add(threads.submit(() -> write(team.engine, "ada", together)));
      refusals.add(threads.submit(() -> write(other, "ben", together)));
    }

    assertThat(refusals.getFirst().get() + refusals.getLast().get())
        .as("they have been in each other's way")
        .isPositive();
    assertThat(team.content("ada", "log").lines().skip(1))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of("ada", "ben").flatMap(TwoDaemonsMemoryTest::lines).toList());
    assertThat(team.versions("ben", "log")).hasSize(1 + 2 * LINES);
  }

  private static Stream<String> lines(String agent) {
    return IntStream.range(0, LINES).mapToObj(i -> agent + " " + i);
  }

  /// Appends lines to the current content, each until it is accepted; returns the number of
  /// rejections.
  private static int write(Engine daemon, String agent, CyclicBarrier together) throws Exception {
    int refused = 0;
    for (String line : lines(agent).toList()) {
      together.await(120, TimeUnit.SECONDS);
      while (!isTaken(daemon, agent, line)) {
        refused++;
      }
    }
    return refused;
  }

  private static boolean isTaken(Engine daemon, String agent, String line) {
    String now = daemon.memory().keptBlocks().show(agent, "log").content();
    var input = Json.object().put("label", "log").put("content", now + "\n" + line);
    String code =
        MemoryTeam.call(daemon, agent, "update_memory", input, null).path("code").asText();
    assertThat(code).isIn("", "CONFLICT");
    return code.isEmpty();
  }
}
