package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// A real daemon in its own process, started like `./substrat up`.
///
/// Its stdout is collected line by line, its stderr goes to a file.
final class RunningDaemon implements AutoCloseable {
  /// Generous: a slow machine must not be mistaken for a broken daemon.
  static final Duration LIMIT = Duration.ofMinutes(2);

  private final Process process;
  private final Path data;
  private final Path errors;
  private final CompletableFuture<String> firstLine = new CompletableFuture<>();
  private final CompletableFuture<List<String>> output = new CompletableFuture<>();

  private RunningDaemon(Process process, Path data, Path errors) {
    this.process = process;
    this.data = data;
    this.errors = errors;
    Thread.ofVirtual().name("stdout of " + process.pid()).start(this::collect);
  }

  /// Starts one and waits until it is ready.
  static RunningDaemon ready(Path data, String... more) throws Exception {
    RunningDaemon daemon = launch(data, more);
    daemon.url();
    return daemon;
  }

  /// The same, with more in its environment.
  static RunningDaemon ready(Map<String, String> environment, Path data, String... more)
      throws Exception {
    RunningDaemon daemon = launch(Jvm.PLAIN, environment, data, more);
    daemon.url();
    return daemon;
  }

  /// Starts a daemon that may fail.
  static RunningDaemon launch(Path data, String... more) throws IOException {
    return launch(Jvm.PLAIN, data, more);
  }

  /// Program and options. `before` are the arguments before `java`.
  record Jvm(List<String> before, List<String> options, Class<?> main) {
    private static final Jvm PLAIN =
        new Jvm(List.of("-cp", System.getProperty("java.class.path")), DaemonMain.class);

    Jvm(List<String> options, Class<?> main) {
      this(List.of(), options, main);
    }
  }

  static RunningDaemon launch(Jvm jvm, Path data, String... more) throws IOException {
    return launch(jvm, Map.of(), data, more);
  }

  private static RunningDaemon launch(
      Jvm jvm, Map<String, String> environment, Path data, String... more) throws IOException {
    Path errors = Files.createTempFile("substrat-daemon-", ".err");
    var command = new ArrayList<>(jvm.before());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Starts fast; the tests do not depend on the optimizing compiler.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(jvm.options());
    command.addAll(List.of(jvm.main().getName(), "--data", data.toString()));
    command.addAll(List.of(more));
    var process = new ProcessBuilder(command).redirectError(errors.toFile());
    process.environment().putAll(environment);
    return new RunningDaemon(process.start(), data, errors);
  }

  private void collect() {
    var lines = new ArrayList<String>();
    try (var reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
        firstLine.complete(line);
      }
    } catch (IOException e) {
      lines.add("lost: " + e);
    }
    firstLine.complete("");
    output.complete(lines);
  }

  /// Its URL from the ready line.
  String url() throws Exception {
    String line = firstLine();
    assertThat(line).as(() -> "ready line; stderr:\n" + stderr()).startsWith("substrat ready http");
    return line.substring("substrat ready ".length());
  }

  /// The first line on stdout; empty if it exits without output.
  String firstLine() throws Exception {
    return firstLine.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  DaemonClient client() throws Exception {
    return new DaemonClient(url(), Files.readString(data.resolve("operator.token")).strip());
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Waits for its death, but not longer than that; true if it is dead.
  boolean isDeadWithin(Duration limit) throws InterruptedException {
    return process.waitFor(limit);
  }

  /// kill -9 and wait until it is gone.
  void kill() {
    process.toHandle().destroyForcibly();
    process.onExit().join();
  }

  /// SIGTERM. Through the handle, because a process closes the streams we still read.
  void terminate() {
    process.toHandle().destroy();
  }

  int exitCode() throws InterruptedException {
    assertThat(process.waitFor(LIMIT)).as(() -> "it ends; stderr:\n" + stderr()).isTrue();
    return process.exitValue();
  }

  /// The complete stdout; waits for the exit.
  List<String> stdout() throws Exception {
    return output.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  String stderr() {
    try {
      return Files.readString(errors);
    } catch (IOException e) {
      return "unreadable: " + e;
    }
  }

  /// Waits until it has written `text` to its log.
  void awaitStderr(String text) throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!stderr().contains(text)) {
      assertThat(System.nanoTime()).as(() -> "it logs: " + text + "\n" + stderr()).isLessThan(end);
      // A file has no signal, so this polls while the process runs.
      process.waitFor(Duration.ofMillis(50));
    }
  }

  @Override
  public void close() throws IOException {
    kill();
    Files.deleteIfExists(errors);
  }
}
