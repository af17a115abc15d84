package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.server.Daemon;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Many, long and damaged lines: only complete messages are written.
@Timeout(300)
final class BridgeLinesTest {
  @TempDir private Path data;
  private Daemon daemon;
  private OperatorClient operator;

  @BeforeEach
  void start() {
    daemon =
        Daemon.start(
            new DaemonSettings("127.0.0.1", 0, data, null, 2, "error", Set.of()), Map.of());
    operator = new OperatorClient(data);
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  @Test
  void two_hundred_concurrent_calls_are_all_answered() throws Exception {
    operator.createsExternal("mira");
    try (var mira = BridgeProcess.start(data, "--agent", "mira")) {
      var lines = new StringBuilder();
      for (int i = 0; i < 200; i++) {
        lines.append("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}\n".formatted(i));
      }
      mira.pipe().say(lines.toString().getBytes(StandardCharsets.UTF_8));
      mira.pipe().end();
      for (int i = 0; i < 200; i++) {
        assertThat(mira.pipe().answer(i).has("result")).isTrue();
      }
      assertThat(mira.exitCode()).isZero();
      assertThat(mira.pipe().rest()).isEmpty();
    }
  }

  @Test
  void too_long_and_invalid_lines_are_reported_and_skipped() throws Exception {
    operator.createsExternal("mira");
    try (var mira = BridgeProcess.start(data, "--agent", "mira")) {
      mira.pipe().say("{\"jsonrpc\":\"2.0\",\"id\":1,\"x\":\"" + "é".repeat(5_000_000) + "\"}");
      assertThat(mira.pipe().answer("null").at("/error/code").asInt()).isEqualTo(-32600);
      mira.pipe().say("{\"jsonrpc\":");
      assertThat(mira.pipe().answer("null").at("/error/code").asInt()).isEqualTo(-32700);
      mira.pipe().say("\r\n\n{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}");
      assertThat(mira.pipe().answer("null").at("/error/code").asInt()).isEqualTo(-32600);
      mira.pipe().say("{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\r");
      assertThat(mira.pipe().answer("p").has("result")).isTrue();
    }
  }

  /// The pipe checks that every output line is a complete message.
  @Test
  void damaged_lines_do_not_stop_the_bridge() throws Exception {
    operator.createsExternal("mira");
    int lines = Boolean.getBoolean("substrat.full") ? 100_000 : 5_000;
    var damage = new DamagedLines(new SplittableRandom(7));
    try (var mira = BridgeProcess.start(data, "--agent", "mira")) {
      for (int i = 0; i < lines; i++) {
        mira.pipe().say(damage.line());
        mira.pipe().say("");
      }
      mira.pipe().request("last", "tools/list", "{}");
      assertThat(mira.pipe().answer("last").has("result")).isTrue();
      mira.pipe().end();
      assertThat(mira.exitCode()).isZero();
      assertThat(mira.pipe().rest()).hasSizeGreaterThan(lines / 10);
      assertThat(mira.stderr()).isEmpty();
    }
  }
}
