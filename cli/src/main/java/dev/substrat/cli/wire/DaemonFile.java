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
public record DaemonFile(Path directory, URI url, long pid) {
  public static final String START_ONE = "start one: ./substrat up";

  /// A fault when there is no daemon, which is the usual reason for the file to be missing.
  public static DaemonFile read(Path directory) {
    Path file = directory.resolve("daemon.json");
    try {
      JsonNode json = Json.parse(Files.readAllBytes(file));
      return new DaemonFile(
          directory, http(json.path("url").asText(), file), json.path("pid").asLong(-1));
    } catch (NoSuchFileException e) {
      throw unreachable("no daemon is running for " + directory, START_ONE, e);
    } catch (IOException e) {
      throw unreachable("cannot read " + file + ": " + e.getMessage(), START_ONE, e);
    }
  }

  private static URI http(String text, Path file) {
    try {
      URI url = URI.create(text);
      if ("http".equals(url.getScheme()) && url.getHost() != null && url.getPort() > 0) {
        return url;
      }
    } catch (IllegalArgumentException _) {
      // Falls through: told the same way as an address of the wrong kind.
    }
    throw unreachable(file + " does not say where the daemon listens", START_ONE, null);
  }

  /// Asked only when something went wrong: looking at processes is slow compared to a request.
  public boolean isStale() {
    return pid > 0 && ProcessHandle.of(pid).isEmpty();
  }

  /// The secret of the operator. Never printed; it goes into one header.
  String token() {
    Path file = directory.resolve("operator.token");
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.UNAUTHORIZED,
          "cannot read " + file,
          "run this as the user who started the daemon, or restart it to write the token again",
          e);
    }
  }

  /// Nothing answers where the file points; says why as far as it can be known.
  Fault silence(IOException cause) {
    return isStale()
        ? unreachable(
            "the daemon is gone: daemon.json in %s is stale, its process %d no longer runs"
                .formatted(directory, pid),
            START_ONE,
            cause)
        : unreachable(
            "nothing answers at %s, although process %d runs".formatted(url, pid),
            "if it is starting, try again in a moment; otherwise stop process %d and %s"
                .formatted(pid, START_ONE),
            cause);
  }

  private static Fault unreachable(String message, String hint, @Nullable Throwable cause) {
    return new Fault(ErrorCode.DAEMON_UNREACHABLE, message, hint, cause);
  }
}
