package dev.substrat.cli.wire;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What a running daemon left in its data directory so that commands find it.
public record DaemonFile(Path directory, URI url, String socket, long pid) {

  /// A fault when there is no daemon, which is the usual reason for the file to be missing.
  public static DaemonFile read(Path directory) {
    Path file = file(directory);
    try {
      return parse(directory, Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      throw unreachable("no daemon is running for " + directory, startOne(directory), e);
    } catch (IOException e) {
      throw unreachable(
          "cannot read " + file, "run this as the user who started the daemon, or check --data", e);
    }
  }

  private static DaemonFile parse(Path directory, byte[] bytes) {
    JsonNode json;
    try {
      json = Json.parse(bytes);
    } catch (IOException e) {
      throw damaged(directory, "is not what a daemon writes there", e);
    }
    String socket = json.path("socket").asText();
    return new DaemonFile(
        directory,
        address(json.path("url").asText(), socket, directory),
        socket,
        json.path("pid").asLong(-1));
  }

  private static URI address(String text, String socket, Path directory) {
    try {
      URI url = URI.create(text);
      boolean isKnown = "http".equals(url.getScheme()) || (isHttps(url) && !socket.isEmpty());
      if (isKnown && url.getHost() != null && url.getPort() > 0) {
        return url;
      }
    } catch (IllegalArgumentException _) {
      // Falls through: told the same way as an address of the wrong kind.
    }
    throw damaged(directory, "does not say where the daemon listens", null);
  }

  private static boolean isHttps(URI url) {
    return "https".equals(url.getScheme());
  }

  /// A daemon with a TLS certificate is reached over its Unix socket.
  DaemonConnection connect() throws IOException {
    return isHttps(url)
        ? DaemonConnection.Unix.open(Path.of(socket))
        : DaemonConnection.Tcp.open(url);
  }

  /// What the daemon is called in a request over that connection.
  String host() {
    return isHttps(url) ? "localhost" : url.getRawAuthority();
  }

  private static Fault damaged(Path directory, String how, @Nullable Throwable cause) {
    return unreachable(
        file(directory) + " " + how,
        "a daemon writes it anew when it starts; " + startOne(directory),
        cause);
  }

  private static Path file(Path directory) {
    return directory.resolve("daemon.json");
  }

  String startOne() {
    return startOne(directory);
  }

  private static String startOne(Path directory) {
    return "start one: " + DataDirectory.command("up", directory);
  }

  /// Asked only when something went wrong: looking at processes is slow compared to a request.
  public boolean isStale() {
    return pid > 0 && ProcessHandle.of(pid).isEmpty();
  }

  /// The secret of the operator. Never printed; it goes into one header.
  String token() {
    Path file = directory.resolve("operator.token");
    try {
      String token = Files.readString(file).strip();
      if (token.isEmpty()) {
        throw new Fault(
            ErrorCode.UNAUTHORIZED,
            file + " is empty",
            "restart the daemon: it writes the token again");
      }
      return token;
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.UNAUTHORIZED,
          "cannot read " + file,
          "run this as the user who started the daemon, or restart it to write the token again",
          e);
    }
  }

  /// Nothing answers where the file points; says why as far as it can be known.
  ///
  /// A process with the right number proves nothing: numbers are given again, so the reader is
  /// never told to end it.
  Fault silence(IOException cause) {
    return isStale()
        ? unreachable(
            "the daemon is gone: %s is stale, its process %d no longer runs"
                .formatted(file(directory), pid),
            startOne(),
            cause)
        : unreachable(
            "nothing answers at %s: %s is stale, or the daemon does not answer"
                .formatted(url, file(directory)),
            "if it is just starting, try again in a moment; otherwise " + startOne(),
            cause);
  }

  private static Fault unreachable(String message, String hint, @Nullable Throwable cause) {
    return new Fault(ErrorCode.DAEMON_UNREACHABLE, message, hint, cause);
  }
}
