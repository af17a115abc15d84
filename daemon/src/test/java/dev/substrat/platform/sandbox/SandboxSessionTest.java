package dev.substrat.platform.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.LaunchParameters;
import dev.substrat.platform.process.ChildProcess.ProcessOutput;
import dev.substrat.testkit.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A sandboxed program has a terminal session of its own. In the session of the daemon it could
/// push characters into the daemon's terminal (TIOCSTI), where a shell executes them.
@Timeout(300)
@Requirement("S0-29")
final class SandboxSessionTest {
  /// The process group, the session and the controlling terminal of the process: fields 5 to 7 of
  /// proc(5). A session outside of the sandbox's process namespace has the number 0.
  private static final String SESSION = "cut -d ' ' -f 5-7 /proc/self/stat";

  @TempDir private Path temporary;

  @Test
  void a_program_has_a_session_inside_of_the_sandbox_and_no_terminal() throws Exception {
    Sandbox sandbox = Sandbox.onPath(System.getenv("PATH"));
    SandboxAssumption.requireWorks(sandbox);
    Path directory = Files.createDirectory(temporary.toRealPath().resolve("directory"));
    sandbox.handOver(directory);
    var launch =
        new LaunchParameters(
            List.of("/bin/sh", "-c", SESSION), directory, Map.of(), UnaryOperator.identity());

    var lines = new ArrayList<String>();
    try (var child =
        ChildProcess.start(sandbox.launch(launch, SandboxPolicy.BARE.writing(directory)))) {
      while (child.take() instanceof ProcessOutput.OutputLine line) {
        lines.add(line.text());
      }
    }

    assertThat(lines).singleElement().asString().matches("[1-9]\\d* [1-9]\\d* 0");
  }
}
