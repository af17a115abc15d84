package dev.substrat.platform.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Prerequisite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/// A program that listens on an abstract Unix socket, which Java cannot.
public final class AbstractSocket implements AutoCloseable {
  private static final Path PYTHON = Path.of("/usr/bin/python3");

  private final String name = "substrat-test-" + UUID.randomUUID();
  private final Process server;

  private AbstractSocket() throws IOException {
    String program =
        """
        import socket
        s = socket.socket(socket.AF_UNIX)
        s.bind("\\0%s")
        s.listen(16)
        print("up", flush=True)
        while True: s.accept()[0].close()
        """
            .formatted(name);
    this.server = new ProcessBuilder(PYTHON.toString(), "-c", program).start();
    assertThat(server.inputReader().readLine()).isEqualTo("up");
  }

  public static AbstractSocket open() throws IOException {
    Prerequisite.requireProgram(PYTHON.toString());
    return new AbstractSocket();
  }

  /// A command that prints `reached` or `refused`.
  public String knock() {
    return "python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"\\0%s\")'"
            .formatted(name)
        + " 2>/dev/null && echo reached || echo refused";
  }

  @Override
  public void close() {
    server.destroyForcibly();
  }
}
