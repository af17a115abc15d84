package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A bridge in its own process, as an MCP client starts it.
final class BridgeProcess implements AutoCloseable {
  /// Class path with only the bridge's classes, so that other dependencies fail.
  private static final List<String> OWN =
      List.of("-cp", "target/classes", BridgeMain.class.getName());

  private final Process process;
  private final Path errors;
  private final McpPipe pipe;

  private BridgeProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    this.pipe = new McpPipe(process.getOutputStream(), process.getInputStream());
  }

  static BridgeProcess start(Path data, String... arguments) throws IOException {
    return start(Map.of(), data, arguments);
  }

  static BridgeProcess start(Map<String, String> environment, Path data, String... arguments)
      throws IOException {
    return launch(List.of(), OWN, environment, data, arguments);
  }

  /// A bridge whose requests wait longer for a daemon.
  static BridgeProcess startPatient(Path data, String... arguments) throws IOException {
    var program =
        List.of("-cp", "target/classes:target/test-classes", LongTimeoutBridgeMain.class.getName());
    return launch(List.of(), program, Map.of(), data, arguments);
  }

  /// A bridge whose client reads a single line only.
  static BridgeProcess startForOneLine(Path data, String... arguments) throws IOException {
    var shell = List.of("bash", "-c", "\"$@\" | head -n 1; exit ${PIPESTATUS[0]}", "bash");
    return launch(shell, OWN, Map.of(), data, arguments);
  }

  private static BridgeProcess launch(
      List<String> wrapper,
      List<String> program,
      Map<String, String> environment,
      Path data,
      String... arguments)
      throws IOException {
    var command = new ArrayList<String>(wrapper);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx192m"));
    command.addAll(program);
    command.addAll(List.of("--data", data.toString()));
    command.addAll(List.of(arguments));
    Path errors = Files.createTempFile("substrat-bridge-", ".err");
    var builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().remove("SUBSTRAT_TOKEN");
    builder.environment().putAll(environment);
    return new BridgeProcess(builder.start(), errors);
  }

  McpPipe pipe() {
    return pipe;
  }

  /// SIGTERM.
  void terminate() {
    process.toHandle().destroy();
  }

  int exitCode() throws InterruptedException {
    assertThat(process.waitFor(Duration.ofMinutes(1))).as("it ends").isTrue();
    return process.exitValue();
  }

  String stderr() throws IOException {
    return Files.readString(errors);
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    Files.deleteIfExists(errors);
  }
}
