package dev.substrat.platform.sandbox;

import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.LaunchParameters;
import dev.substrat.platform.process.ChildProcess.ProcessOutput;
import dev.substrat.platform.sandbox.SandboxReport.SandboxCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Checks from inside a sandbox what a program there is allowed to do. It uses access(2) and writes
/// nothing.
public final class SandboxSelfTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /// Prints `ok NAME`, or `bad NAME: PROBLEM`, for each check.
  private static final String QUESTIONS =
      """
      judge() { if test -z "$2"; then echo "ok $1"; else echo "bad $1: $2"; fi; }
      writable() { for p in "$@"; do test -w "$p" && printf '%s is writable; ' "$p"; done; }
      readable() { for p in "$@"; do test -s "$p" && test -r "$p" && printf '%s is readable; ' "$p"; done; }
      status() { grep -qE "$1" /proc/self/status || echo "$2"; }
      judge 'kernel settings' "$(writable /proc/sysrq-trigger /proc/irq /proc/bus /sys
        find /proc/sys -writable 2>/dev/null | head -n 1)"
      judge 'system folders' "$(writable / /etc /usr /opt /var /run /dev)"
      judge 'data directory' "$(readable "$DATA/operator.token" "$DATA/substrat.db"; writable "$DATA")"
      judge 'secrets in /etc' "$(readable /etc/shadow)"
      judge 'user' "$(test "$(id -u)" != 0 || echo 'programs run as root')"
      judge 'privileges' "$(status '^CapEff:.0+$' 'there are capabilities'
        status '^NoNewPrivs:.1$' 'privileges can be gained')"
      judge 'system calls' "$(status '^Seccomp:.2$' 'there is no system call filter')"
      judge 'resource limits' "$(grep -qE "^Max processes +$PROCESSES " /proc/self/limits || echo 'not set: install prlimit (util-linux)')"
      """;

  private SandboxSelfTest() {}

  /// `data` is the daemon's data directory.
  public static SandboxReport of(Sandbox sandbox, Path data) {
    Sandbox.SandboxState state = sandbox.state();
    List<SandboxCheck> checks = state.works() ? ask(sandbox, data) : List.of();
    boolean isFull = !checks.isEmpty() && checks.stream().allMatch(SandboxCheck::ok);
    String level = isFull ? "full" : "reduced";
    return new SandboxReport(
        state.works() ? level : "none",
        state.detail(),
        sandbox.settings().mode() == SandboxSettings.SandboxMode.REQUIRED,
        SandboxUser.isDaemonRoot(),
        sandbox.user().map(SandboxUser::uid).orElse(null),
        sandbox.settings().limits(),
        checks);
  }

  private static List<SandboxCheck> ask(Sandbox sandbox, Path data) {
    var environment =
        Map.of(
            "DATA",
            data.toString(),
            "PROCESSES",
            String.valueOf(sandbox.settings().limits().processes()));
    var launch =
        new LaunchParameters(
            List.of("/bin/sh", "-c", QUESTIONS),
            Path.of("/"),
            environment,
            UnaryOperator.identity());
    try (var child = ChildProcess.start(sandbox.launch(launch, SandboxPolicy.BARE.hiding(data)))) {
      child.endInput();
      var checks = new ArrayList<SandboxCheck>();
      while (child.take(TIMEOUT).orElseGet(ProcessOutput.EndOfOutput::new)
          instanceof ProcessOutput.OutputLine line) {
        checks.add(parse(line.text()));
      }
      return checks;
    } catch (IOException e) {
      return List.of(new SandboxCheck("start", false, e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private static SandboxCheck parse(String line) {
    if (line.startsWith("ok ")) {
      return new SandboxCheck(line.substring(3), true, null);
    }
    String[] parts = line.replaceFirst("^bad ", "").split(": ", 2);
    return new SandboxCheck(parts[0], false, parts.length > 1 ? parts[1].strip() : line);
  }
}
