package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A bridge in a process of its own, as an MCP client starts it.
final class BridgeProcess implements AutoCloseable {
  /// Its own classes and nothing else: whatever it needs beside them it would miss here.
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

  /// One whose requests wait for a daemon that takes long to start.
  static BridgeProcess startPatient(Path data, String... arguments) throws IOException {
    var program = List.of("-cp", "target/classes:target/test-classes", PatientMain.class.getName());
    return launch(List.of(), program, Map.of(), data, arguments);
  }

  /// One whose client reads a single line and then no more.
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
