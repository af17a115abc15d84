package dev.substrat.bridge;

import dev.substrat.bridge.json.MessageField;
import dev.substrat.bridge.json.RawJsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Token of the client. It is chosen when the bridge starts and never changes.
///
/// Thread-safe.
final class BridgeCredential {
  private final BridgeOptions options;

  /// Hint for an invalid token.
  private final String remedy;

  private @Nullable String token;

  private BridgeCredential(BridgeOptions options, String remedy, @Nullable String token) {
    this.options = options;
    this.remedy = remedy;
    this.token = token;
  }

  /// The token of a turn has priority: a program started by the daemon acts in its turn.
  static BridgeCredential of(BridgeOptions options, @Nullable String ofTurn) {
    Path named = options.tokenFile();
    if (named != null) {
      String token = TokenFile.read(named).orElseThrow(() -> missing(named));
      return new BridgeCredential(
          options, "write a valid token to " + named + " and start again", token);
    }
    if (ofTurn != null && !ofTurn.isBlank()) {
      String token = TokenFile.checked(ofTurn.strip(), "SUBSTRAT_TOKEN");
      return new BridgeCredential(
          options, "the token of a turn is valid only during that turn", token);
    }
    Path usual = options.defaultTokenFile();
    String remedy = "delete " + usual + " and start again; a new token is then created";
    return new BridgeCredential(options, remedy, TokenFile.read(usual).orElse(null));
  }

  private static BridgeError missing(Path file) {
    return new BridgeError(
        "INVALID_ARGUMENTS",
        "token file not found: " + file,
        "write a token to it (`./substrat token create --agent A`), or remove --token-file");
  }

  /// The token. If there is none yet, one is created with the operator's token.
  synchronized String token(SocketConnection connection) throws IOException {
    if (token == null) {
      String fresh = mint(connection);
      TokenFile.write(options.defaultTokenFile(), fresh);
      token = fresh;
    }
    return token;
  }

  /// Request head with the token and the principal. The daemon rejects a token of another
  /// principal.
  RequestHeadBuilder head(SocketConnection connection) throws IOException {
    return RequestHeadBuilder.mcp(token(connection))
        .with("Substrat-Principal", options.principal());
  }

  /// The error for a rejected token.
  BridgeError refused(DaemonReply reply) throws IOException {
    if (reply.status() != 401) {
      return ResponseReader.refused(reply.status(), RawJsonObject.parse(reply.body()));
    }
    return new BridgeError(
        "UNAUTHORIZED",
        "the daemon rejected the token: it was revoked, its agent was terminated, or its turn has"
            + " ended",
        remedy);
  }

  private String mint(SocketConnection connection) throws IOException {
    RequestHeadBuilder head =
        new RequestHeadBuilder("POST", options.tokenPath(), operatorToken())
            .with("Content-Type", "application/json");
    DaemonReply reply =
        connection.send(head, options.tokenRequestBody().getBytes(StandardCharsets.UTF_8));
    byte[] body = reply.body();
    Optional<RawJsonObject> json = RawJsonObject.parse(body);
    String fresh = json.isEmpty() ? null : json.get().text(MessageField.TOKEN);
    if (reply.status() != 201 || fresh == null) {
      throw ResponseReader.refused(reply.status(), json);
    }
    return TokenFile.checked(fresh, "the daemon's response");
  }

  private String operatorToken() {
    Path file = options.data().resolve("operator.token");
    try {
      return TokenFile.checked(Files.readString(file).strip(), file.toString());
    } catch (IOException e) {
      boolean isMissing = e instanceof NoSuchFileException;
      throw new BridgeError(
          "UNAUTHORIZED",
          "no token in "
              + options.defaultTokenFile()
              + ", and none can be created because "
              + file
              + (isMissing ? " is missing" : " cannot be read"),
          "run this as the user who started the daemon, or use --token-file");
    }
  }

  /// Reads and writes token files, which only their owner may read.
  private static final class TokenFile {
    private static final int OTHERS = 0077;

    private TokenFile() {}

    /// Empty if the file does not exist.
    static Optional<String> read(Path file) {
      try {
        int mode = (Integer) Files.getAttribute(file, "unix:mode");
        if ((mode & OTHERS) != 0) {
          throw new BridgeError(
              "FORBIDDEN",
              "other users can read the token in " + file,
              "run: chmod 600 "
                  + file
                  + "; if another user may have read the token, create a new token");
        }
        return Optional.of(checked(Files.readString(file).strip(), file.toString()));
      } catch (NoSuchFileException _) {
        return Optional.empty();
      } catch (IOException e) {
        throw new BridgeError(
            "FORBIDDEN", "cannot read " + file, "check its owner and permissions");
      }
    }

    /// Writes atomically; the file is never readable by other users.
    static void write(Path file, String token) {
      Path folder = file.toAbsolutePath().getParent();
      try {
        Files.createDirectories(folder, permissions("rwx------"));
        Path fresh = Files.createTempFile(folder, "token", ".tmp", permissions("rw-------"));
        Files.writeString(fresh, token + "\n");
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        throw new BridgeError(
            "FORBIDDEN", "cannot write " + file, "check the permissions of " + folder);
      }
    }

    private static FileAttribute<?> permissions(String mode) {
      return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
    }

    /// Rejects text that is not a single word: it would break a header. The message does not
    /// include it, because it may be a secret.
    static String checked(String token, String source) {
      if (!RequestHeadBuilder.isPlain(token) || token.indexOf(' ') >= 0) {
        throw new BridgeError(
            "UNAUTHORIZED", "no valid token in " + source, "it must contain only the token");
      }
      return token;
    }
  }
}
