package dev.substrat.bench.mcp;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A server in its own process, which prints `ready URL` when it listens.
public final class ServerProcess implements AutoCloseable {
  private final Process process;
  private final String url;

  private ServerProcess(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  public static ServerProcess start(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      int at = line.indexOf("ready ");
      if (at >= 0) {
        return new ServerProcess(process, line.substring(at + "ready ".length()).strip());
      }
    }
    process.destroy();
    throw new IllegalStateException("it never was ready: " + command);
  }

  /// `main` from the jars in `folder`, on the JVM and with the collector that the daemon has.
  public static ServerProcess java(Path folder, String main, String... arguments)
      throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseG1GC", "--enable-native-access=ALL-UNNAMED"));
    // The peer has no log framework; its warning about that is suppressed.
    command.add("-Dslf4j.internal.verbosity=ERROR");
    command.addAll(List.of("-cp", folder.toAbsolutePath() + "/*", main));
    command.addAll(List.of(arguments));
    return start(command);
  }

  public URI at(String path) {
    return URI.create(url + path);
  }

  public long pid() {
    return process.pid();
  }

  /// The processor time that it has used so far.
  Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
