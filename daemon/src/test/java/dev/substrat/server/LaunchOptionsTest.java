package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The options with which `./substrat up` starts the JVM.
@Timeout(300)
final class LaunchOptionsTest {
  private static final String ASK =
      "ROOT=$(mktemp -d); . ../scripts/build.sh; java_flags daemon; rm -r \"$ROOT\"";

  @Test
  void a_daemon_without_memory_exits() throws Exception {
    List<String> options = List.of(run("bash", "-c", ASK).split("\\s+"));
    assertThat(options).contains("-XX:+ExitOnOutOfMemoryError", "-XX:+UseG1GC");

    var java = new ArrayList<String>();
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    java.addAll(options);
    java.add("-version");
    assertThat(run(java.toArray(String[]::new))).contains("25");
  }

  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said.strip();
  }
}
