package dev.substrat.platform.sandbox;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Result of the sandbox self-test on this machine.
///
/// `level` is `full` if every check passed, `reduced` if some failed, and `none` if programs run
/// without a sandbox. `uid` is the user of the host that programs run as, if that is not the
/// daemon's own.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SandboxReport(
    String level,
    String detail,
    boolean required,
    boolean daemonIsRoot,
    @Nullable Integer uid,
    ResourceLimits limits,
    List<SandboxCheck> checks) {

  /// One check, and the problem if it failed.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SandboxCheck(String name, boolean ok, @Nullable String problem) {}
}
