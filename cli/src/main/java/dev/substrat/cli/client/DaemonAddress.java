package dev.substrat.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Address of a daemon: from `daemon.json` in its data directory, or a URL from the user.
///
/// An address from a URL has no `directory` and no `socket`, and its `pid` is -1.
public record DaemonAddress(@Nullable Path directory, URI url, String socket, long pid) {

  /// Address from a URL. `source` is the option or variable that contains it.
  public static DaemonAddress at(String typed, String source) {
    try {
      var url = new URI(typed.strip().replaceAll("/+$", ""));
      boolean isUsable =
          ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
              && url.getHost() != null
              && url.getRawPath().isEmpty()
              && url.getRawQuery() == null
              && url.getRawUserInfo() == null;
      if (isUsable) {
        return new DaemonAddress(null, url, "", -1);
      }
    } catch (URISyntaxException _) {
      // Falls through: reported the same way as an address of the wrong kind.
    }
    throw ErrorCode.INVALID_ARGUMENTS.fault(
        "%s is not the URL of a daemon: \"%s\"".formatted(source, typed),
        "use http:// or https://, a host and optionally a port: https://team.example:7420");
  }

  public boolean isRemote() {
    return directory == null;
  }

  /// Whether requests leave this machine unencrypted.
  public boolean isUnencryptedRemote() {
    return "http".equals(url.getScheme()) && !isHere(url.getHost());
  }

  /// Whether the host is localhost or a loopback address. A name such as `127.0.0.1.example.com` is
  /// not.
  private static boolean isHere(String host) {
    if (host.equalsIgnoreCase("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host.replaceAll("^\\[|]$", "")).isLoopbackAddress();
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /// Throws a fault if the file is missing, which usually means that no daemon is running.
  public static DaemonAddress read(Path directory) {
    Path file = file(directory);
    try {
      return parse(directory, Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      throw unreachable("no daemon is running for " + directory, startHint(directory), e);
    } catch (IOException e) {
      throw unreachable(
          "cannot read " + file,
          "run this command as the user who started the daemon, or check --data",
          e);
    }
  }

  private static DaemonAddress parse(Path directory, byte[] bytes) {
    JsonNode json;
    try {
      json = JsonTree.parse(bytes);
    } catch (IOException e) {
      throw damaged(directory, "is not valid JSON", e);
    }
    String socket = json.path("socket").asText();
    return new DaemonAddress(
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
      // Falls through: reported like an address of the wrong kind.
    }
    throw damaged(directory, "does not contain the address of the daemon", null);
  }

  private static boolean isHttps(URI url) {
    return "https".equals(url.getScheme());
  }

  /// Connects to a local daemon with TLS over its Unix socket, which only its owner can open, so no
  /// certificate must be trusted.
  DaemonConnection connect() throws IOException {
    return isOverUnixSocket()
        ? DaemonConnection.UnixSocketConnection.open(Path.of(socket))
        : DaemonConnection.TcpConnection.open(url);
  }

  private boolean isOverUnixSocket() {
    return isHttps(url) && !isRemote();
  }

  /// Host header for this connection.
  String host() {
    return isOverUnixSocket() ? "localhost" : url.getRawAuthority();
  }

  private static Fault damaged(Path directory, String how, @Nullable Throwable cause) {
    return unreachable(
        file(directory) + " " + how,
        "the daemon writes this file when it starts; " + startHint(directory),
        cause);
  }

  private static Path file(Path directory) {
    return directory.resolve("daemon.json");
  }

  String startHint() {
    return directory == null
        ? "check the URL and that the daemon is running"
        : startHint(directory);
  }

  private static String startHint(Path directory) {
    return "start the daemon: " + DataDirectoryOption.command("up", directory);
  }

  /// Whether the process of the daemon is gone. Slow compared to a request, so checked only after
  /// an error.
  public boolean isStale() {
    return pid > 0 && ProcessHandle.of(pid).isEmpty();
  }

  /// Token of the operator. Sent in a header, never printed.
  String token() {
    if (directory == null) {
      throw ErrorCode.UNAUTHORIZED.fault(
          "no token for " + url,
          "set SUBSTRAT_TOKEN, or use --token-file FILE; an owner creates one:"
              + " ./substrat token create --person NAME");
    }
    Path file = directory.resolve("operator.token");
    try {
      String token = Files.readString(file).strip();
      if (token.isEmpty()) {
        throw ErrorCode.UNAUTHORIZED.fault(
            file + " is empty", "restart the daemon, which writes the token to this file");
      }
      return token;
    } catch (IOException e) {
      throw ErrorCode.UNAUTHORIZED.fault(
          "cannot read " + file,
          "run this command as the user who started the daemon, or restart the daemon to write the"
              + " token",
          e);
    }
  }

  /// Fault for a connection error, with the cause if it is known.
  ///
  /// Process ids are reused, so a process with this id may be another program: the hint never
  /// suggests to stop it.
  Fault unreachableFault(IOException cause) {
    if (directory == null) {
      return unreachable(
          "no response from %s: %s".formatted(url, cause.getMessage()), startHint(), cause);
    }
    return isStale()
        ? unreachable(
            "the daemon has exited: %s is stale, process %d does not exist"
                .formatted(file(directory), pid),
            startHint(),
            cause)
        : unreachable(
            "no response from %s: %s is stale, or the daemon hangs".formatted(url, file(directory)),
            "if the daemon is starting, try again in a few seconds; otherwise " + startHint(),
            cause);
  }

  private static Fault unreachable(String message, String hint, @Nullable Throwable cause) {
    return ErrorCode.DAEMON_UNREACHABLE.fault(message, hint, cause);
  }
}
