package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.sandbox.SandboxSettings;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Shares of slots are those of providers that exist.
final class SharesTest {
  @TempDir private Path data = Path.of("");

  private DaemonSettings sharing(String provider) {
    return new DaemonSettings(
        "127.0.0.1",
        0,
        data,
        null,
        4,
        "error",
        Set.of(),
        new DaemonSettings.Shares(null, Map.of(provider, 2)),
        DaemonSettings.DEFAULT_LEASE,
        SpaceGuardLimits.DEFAULT,
        false,
        Set.of(),
        Set.of(),
        null,
        null,
        null,
        SandboxSettings.DEFAULT);
  }

  @Test
  void a_share_of_a_provider_that_does_not_exist_limits_nobody_and_is_refused() {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> Daemon.start(sharing("cluade"), Map.of()).close())
        .satisfies(fault -> {
          assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
          assertThat(fault.message()).startsWith("slotsPerProvider/cluade: unknown provider");
          assertThat(fault.hint()).startsWith("did you mean claude?");
        });
    Daemon.start(sharing("claude"), Map.of()).close();
  }
}
