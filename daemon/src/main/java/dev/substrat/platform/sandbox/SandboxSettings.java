package dev.substrat.platform.sandbox;

import dev.substrat.protocol.ErrorCode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Settings of a daemon that apply to every sandbox it starts. `user` is used only if the daemon
/// runs as root. `cgroup` is a delegated cgroup v2 directory, if there is one. `hidden` are the
/// daemon's own folders and files, which no sandbox shows: its data directory, its configuration
/// and its TLS key.
public record SandboxSettings(
    SandboxMode mode,
    ResourceLimits limits,
    SandboxUser user,
    @Nullable Path cgroup,
    List<Path> hidden) {
  public static final SandboxSettings DEFAULT =
      new SandboxSettings(
          SandboxMode.AUTO, ResourceLimits.DEFAULT, SandboxUser.DEFAULT, null, List.of());

  public SandboxSettings {
    hidden = hidden.stream().map(path -> path.toAbsolutePath().normalize()).distinct().toList();
  }

  /// Whether a program may start without a sandbox.
  public enum SandboxMode {
    /// The agent's configuration decides (`workspace.sandbox`).
    AUTO,
    /// No program starts without a sandbox, whatever an agent's configuration says.
    REQUIRED;

    public static SandboxMode parse(String word) {
      return switch (word) {
        case "auto" -> AUTO;
        case "required" -> REQUIRED;
        default ->
            throw ErrorCode.INVALID_CONFIG.fault(
                "sandbox must be auto or required",
                "to run the programs of one agent without a sandbox, set workspace.sandbox: off in"
                    + " its configuration");
      };
    }
  }

  public SandboxSettings in(SandboxMode other) {
    return new SandboxSettings(other, limits, user, cgroup, hidden);
  }

  public SandboxSettings with(ResourceLimits other) {
    return new SandboxSettings(mode, other, user, cgroup, hidden);
  }

  public SandboxSettings in(Path delegated) {
    return new SandboxSettings(mode, limits, user, delegated, hidden);
  }

  public SandboxSettings hiding(Path folderOrFile) {
    List<Path> more = Stream.concat(hidden.stream(), Stream.of(folderOrFile)).toList();
    return new SandboxSettings(mode, limits, user, cgroup, more);
  }
}
