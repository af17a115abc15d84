package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.platform.config.ConnectionPools;
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

/// Slot shares name providers that exist.
final class SlotSharesTest {
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
        new DaemonSettings.SlotShares(null, Map.of(provider, 2)),
        DaemonSettings.DEFAULT_LEASE,
        SpaceGuardLimits.DEFAULT,
        false,
        Set.of(),
        Set.of(),
        null,
        null,
        null,
        SandboxSettings.DEFAULT,
        DaemonSettings.DEFAULT_STOP_GRACE,
        ConnectionPools.DEFAULT);
  }

  @Test
  void a_slot_share_of_an_unknown_provider_is_rejected() {
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
