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

/// Where a daemon is: what it wrote into its data directory, or a URL that the user gave.
///
/// Of a daemon behind a URL nothing else is known: it has no `directory` and no `socket` here, and
/// its `pid` is -1.
public record DaemonAddress(@Nullable Path directory, URI url, String socket, long pid) {

  /// A daemon on this or another machine. `source` is where the URL was given.
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
    throw new Fault(
        ErrorCode.INVALID_ARGUMENTS,
        "%s is not the URL of a daemon: \"%s\"".formatted(source, typed),
        "use http:// or https://, a host and perhaps a port: https://team.example:7420");
  }

  public boolean isRemote() {
    return directory == null;
  }

  /// Whether what is sent can be read on the way by others than this machine.
  public boolean isUnencryptedRemote() {
    return "http".equals(url.getScheme()) && !isHere(url.getHost());
  }

  /// Only an address can be one of this machine's: a name that begins like one is another's.
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

  /// A fault when there is no daemon, which is the usual reason for the file to be missing.
  public static DaemonAddress read(Path directory) {
    Path file = file(directory);
    try {
      return parse(directory, Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      throw unreachable("no daemon is running for " + directory, startHint(directory), e);
    } catch (IOException e) {
      throw unreachable(
          "cannot read " + file, "run this as the user who started the daemon, or check --data", e);
    }
  }

  private static DaemonAddress parse(Path directory, byte[] bytes) {
    JsonNode json;
    try {
      json = JsonTree.parse(bytes);
    } catch (IOException e) {
      throw damaged(directory, "is not what a daemon writes there", e);
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
      // Falls through: told the same way as an address of the wrong kind.
    }
    throw damaged(directory, "does not say where the daemon listens", null);
  }

  private static boolean isHttps(URI url) {
    return "https".equals(url.getScheme());
  }

  /// A daemon of this machine with a TLS certificate is reached over its Unix socket, which only
  /// its owner can open: that needs no trust in a certificate.
  DaemonConnection connect() throws IOException {
    return isOverUnixSocket()
        ? DaemonConnection.Unix.open(Path.of(socket))
        : DaemonConnection.Tcp.open(url);
  }

  private boolean isOverUnixSocket() {
    return isHttps(url) && !isRemote();
  }

  /// What the daemon is called in a request over that connection.
  String host() {
    return isOverUnixSocket() ? "localhost" : url.getRawAuthority();
  }

  private static Fault damaged(Path directory, String how, @Nullable Throwable cause) {
    return unreachable(
        file(directory) + " " + how,
        "a daemon writes it anew when it starts; " + startHint(directory),
        cause);
  }

  private static Path file(Path directory) {
    return directory.resolve("daemon.json");
  }

  String startHint() {
    return directory == null
        ? "check the URL, and that the daemon listens there"
        : startHint(directory);
  }

  private static String startHint(Path directory) {
    return "start one: " + DataDirectoryOption.command("up", directory);
  }

  /// Asked only when something went wrong: looking at processes is slow compared to a request.
  public boolean isStale() {
    return pid > 0 && ProcessHandle.of(pid).isEmpty();
  }

  /// The secret of the operator. Never printed; it goes into one header.
  String token() {
    if (directory == null) {
      throw new Fault(
          ErrorCode.UNAUTHORIZED,
          "there is no token for " + url,
          "set SUBSTRAT_TOKEN, or use --token-file FILE; an owner creates one:"
              + " ./substrat token create --person NAME");
    }
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
  Fault unreachableFault(IOException cause) {
    if (directory == null) {
      return unreachable(
          "nothing answers at %s: %s".formatted(url, cause.getMessage()), startHint(), cause);
    }
    return isStale()
        ? unreachable(
            "the daemon is gone: %s is stale, its process %d no longer runs"
                .formatted(file(directory), pid),
            startHint(),
            cause)
        : unreachable(
            "nothing answers at %s: %s is stale, or the daemon does not answer"
                .formatted(url, file(directory)),
            "if it is just starting, try again in a moment; otherwise " + startHint(),
            cause);
  }

  private static Fault unreachable(String message, String hint, @Nullable Throwable cause) {
    return new Fault(ErrorCode.DAEMON_UNREACHABLE, message, hint, cause);
  }
}
