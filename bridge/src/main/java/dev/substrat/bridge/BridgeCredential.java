package dev.substrat.bridge;

import dev.substrat.bridge.json.JsonText;
import dev.substrat.bridge.json.MessagePart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The secret that says who the client is. Chosen when the bridge starts, and never again: nothing
/// that comes in later can change it.
///
/// Safe for many threads.
final class BridgeCredential {
  private final BridgeOptions options;

  /// What to do when it is not valid any more.
  private final String remedy;

  private @Nullable String token;

  private BridgeCredential(BridgeOptions options, String remedy, @Nullable String token) {
    this.options = options;
    this.remedy = remedy;
    this.token = token;
  }

  /// A turn's own token comes before the agent's: a program that a daemon runs acts in its turn.
  static BridgeCredential of(BridgeOptions options, @Nullable String ofTurn) {
    Path named = options.tokenFile();
    if (named != null) {
      String token = TokenFile.read(named).orElseThrow(() -> missing(named));
      return new BridgeCredential(
          options, "write a valid one into " + named + " and start again", token);
    }
    if (ofTurn != null && !ofTurn.isBlank()) {
      String token = TokenFile.checked(ofTurn.strip(), "SUBSTRAT_TOKEN");
      return new BridgeCredential(options, "a program may act only while its turn lasts", token);
    }
    Path usual = options.usualTokenFile();
    String remedy = "delete " + usual + " and start again; a new one is made then";
    return new BridgeCredential(options, remedy, TokenFile.read(usual).orElse(null));
  }

  private static BridgeError missing(Path file) {
    return new BridgeError(
        "INVALID_ARGUMENTS",
        "there is no token file " + file,
        "write a token into it (`./substrat token create --agent A`), or leave --token-file out");
  }

  /// The token; if there is none yet, the operator's is used, once, to have one made.
  synchronized String token(SocketConnection connection) throws IOException {
    if (token == null) {
      String fresh = mint(connection);
      TokenFile.write(options.usualTokenFile(), fresh);
      token = fresh;
    }
    return token;
  }

  /// The head of a message, with whom the bridge was started for: the daemon refuses another's
  /// token.
  RequestHead head(SocketConnection connection) throws IOException {
    return RequestHead.mcp(token(connection)).with("Substrat-Principal", options.principal());
  }

  /// Why the daemon did not do what it was asked with this token.
  BridgeError refused(DaemonReply reply) throws IOException {
    if (reply.status() != 401) {
      return ResponseReader.refused(reply.status(), JsonText.parse(reply.body()));
    }
    return new BridgeError(
        "UNAUTHORIZED",
        "the daemon does not accept this token: it was revoked, its agent was terminated, or its"
            + " turn is over",
        remedy);
  }

  private String mint(SocketConnection connection) throws IOException {
    RequestHead head =
        new RequestHead("POST", options.mintingPath(), operatorToken())
            .with("Content-Type", "application/json");
    DaemonReply reply =
        connection.ask(head, options.mintingWish().getBytes(StandardCharsets.UTF_8));
    byte[] body = reply.body();
    Optional<JsonText> json = JsonText.parse(body);
    String fresh = json.isEmpty() ? null : json.get().text(MessagePart.TOKEN);
    if (reply.status() != 201 || fresh == null) {
      throw ResponseReader.refused(reply.status(), json);
    }
    return TokenFile.checked(fresh, "the daemon's answer");
  }

  private String operatorToken() {
    Path file = options.data().resolve("operator.token");
    try {
      return TokenFile.checked(Files.readString(file).strip(), file.toString());
    } catch (IOException e) {
      boolean isMissing = e instanceof NoSuchFileException;
      throw new BridgeError(
          "UNAUTHORIZED",
          "there is no token in "
              + options.usualTokenFile()
              + ", and none can be made because "
              + file
              + (isMissing ? " is missing" : " cannot be read"),
          "run this as the user who started the daemon, or name a token with --token-file");
    }
  }
}
