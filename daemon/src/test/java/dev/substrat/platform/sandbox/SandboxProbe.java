package dev.substrat.platform.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;

/// Script that tests run in a sandbox: it prints a line for each forbidden action that succeeded,
/// and `END`.
public final class SandboxProbe {
  public static final String CLEAN = "END";

  private SandboxProbe() {}

  /// For a sandbox of the daemon with this data directory.
  public static String script(Path data) {
    try (var in = SandboxProbe.class.getResourceAsStream("probe.sh")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
      return "DATA='%s'\n".formatted(data) + text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
