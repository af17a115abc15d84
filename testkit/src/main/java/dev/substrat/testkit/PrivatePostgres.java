package dev.substrat.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// PostgreSQL server of one test, which can be killed and restarted on the same files and port.
public final class PrivatePostgres implements AutoCloseable {
  private final Path directory;
  private final EmbeddedPostgres server;

  /// How the postmaster was started, to start it again.
  private final List<String> command;

  private PrivatePostgres(Path directory, EmbeddedPostgres server) throws IOException {
    this.directory = directory;
    this.server = server;
    this.command = command(postmaster().info());
  }

  public static PrivatePostgres start() throws IOException {
    Path directory = TestPostgres.privateDirectory();
    return new PrivatePostgres(directory, TestPostgres.server(directory).start());
  }

  private static List<String> command(ProcessHandle.Info info) {
    var command = new ArrayList<String>();
    if ("root".equals(System.getProperty("user.name"))) {
      // PostgreSQL refuses to run as root; in a user namespace of its own it does not notice.
      command.addAll(List.of("unshare", "-U"));
    }
    command.add(info.command().orElseThrow());
    command.addAll(List.of(info.arguments().orElseThrow()));
    return command;
  }

  public String url() {
    return TestPostgres.url(server, "postgres");
  }

  /// kill -9 of the postmaster; its children notice and end by themselves.
  public void kill() throws IOException {
    ProcessHandle postmaster = postmaster();
    postmaster.destroyForcibly();
    postmaster.onExit().join();
  }

  private ProcessHandle postmaster() throws IOException {
    return ProcessHandle.of(TestPostgres.postmaster(directory)).orElseThrow();
  }

  /// Starts the server on the files of the killed one and returns when it has recovered.
  public void restart() throws IOException {
    var said = new ArrayList<String>();
    for (int attempt = 0; attempt < 50; attempt++) {
      Process postmaster = new ProcessBuilder(command).redirectErrorStream(true).start();
      if (awaitReady(postmaster, said)) {
        return;
      }
      // It ended: a child of the dead one still holds the shared memory. It will be gone soon.
    }
    throw new IllegalStateException("PostgreSQL does not start again: " + said);
  }

  private static boolean awaitReady(Process postmaster, List<String> said) throws IOException {
    var lines =
        new BufferedReader(
            new InputStreamReader(postmaster.getInputStream(), StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      said.add(line);
      if (line.contains("ready to accept connections")) {
        // The remaining output is not read; it is small enough for the pipe's buffer.
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    server.close();
    if (Files.exists(directory)) {
      TestPostgres.delete(directory);
    }
  }
}
