package dev.substrat.examples;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.CliMain;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.config.TlsFiles;
import dev.substrat.platform.json.Json;
import dev.substrat.server.Daemon;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Test fixture: a daemon and its command line.
final class Desk implements AutoCloseable {
  private final Path data;
  private final Daemon daemon;

  Desk(Path data) {
    this(new DaemonSettings("127.0.0.1", 0, data, null, 2, "error", Set.of()));
  }

  private Desk(DaemonSettings settings) {
    this.data = settings.data();
    this.daemon = Daemon.start(settings, Map.of());
  }

  /// One whose agents may call services on `host` although it is not public.
  static Desk reaching(Path data, String host) {
    var settings = new DaemonSettings("127.0.0.1", 0, data, null, 2, "error", Set.of());
    return new Desk(settings.allowing(Set.of(host), Set.of()));
  }

  /// One whose daemon speaks HTTPS.
  static Desk withTls(Path data, TlsFiles files) {
    var settings = new DaemonSettings("127.0.0.1", 0, data, null, 2, "error", Set.of());
    return new Desk(settings.withTls(files));
  }

  /// What a command printed and how it ended.
  record Ran(int code, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }
  }

  /// Runs a command without a terminal.
  Ran run(String... words) {
    return run(false, "", words);
  }

  /// The same with something on stdin.
  Ran pipe(String input, String... words) {
    return run(false, input, words);
  }

  /// Declares a team.
  Ran apply(String team, String... options) {
    return run(
        false,
        team,
        Stream.concat(Stream.of("apply", "-"), Stream.of(options)).toArray(String[]::new));
  }

  /// On a terminal, with what is typed there afterwards.
  Ran onTerminal(String answer, String... words) {
    return run(true, answer, words);
  }

  /// On a terminal. While its question stands there something else happens; then it is agreed to.
  Ran agreeing(Runnable meanwhile, String... words) {
    var typed = new ByteArrayInputStream(new byte[] {'y', '\n'});
    var answer =
        new FilterInputStream(typed) {
          private boolean asked;

          @Override
          public int read() throws IOException {
            ask();
            return super.read();
          }

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            ask();
            return super.read(bytes, offset, length);
          }

          private void ask() {
            if (!asked) {
              asked = true;
              meanwhile.run();
            }
          }
        };
    return run(true, answer, words);
  }

  private Ran run(boolean isTerminal, String input, String... words) {
    return run(isTerminal, new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), words);
  }

  private Ran run(boolean isTerminal, InputStream input, String... words) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var screen =
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            input,
            false,
            isTerminal,
            isTerminal);
    String[] all =
        Stream.concat(Stream.of(words), Stream.of("--data", data.toString()))
            .toArray(String[]::new);
    int code = CliMain.run(screen, all);
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /// One agent, as the daemon shows it.
  JsonNode agent(String handle) {
    return Json.own(run("agent", "show", handle, "--json").out());
  }

  List<String> handles() {
    return Json.own(run("agent", "list", "--json").out())
        .path("agents")
        .valueStream()
        .map(agent -> agent.path("handle").asText())
        .toList();
  }

  @Override
  public void close() {
    daemon.close();
  }
}
