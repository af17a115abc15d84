package dev.substrat.bridge;

import dev.substrat.bridge.json.JsonText;
import dev.substrat.bridge.json.Part;
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
final class Credential {
  private final Options options;

  /// What to do when it is not valid any more.
  private final String remedy;

  private @Nullable String token;

  private Credential(Options options, String remedy, @Nullable String token) {
    this.options = options;
    this.remedy = remedy;
    this.token = token;
  }

  /// A turn's own token comes before the agent's: a program that a daemon runs acts in its turn.
  static Credential of(Options options, @Nullable String ofTurn) {
    Path named = options.tokenFile();
    if (named != null) {
      String token = TokenFile.read(named).orElseThrow(() -> missing(named));
      return new Credential(options, "write a valid one into " + named + " and start again", token);
    }
    if (ofTurn != null && !ofTurn.isBlank()) {
      String token = TokenFile.checked(ofTurn.strip(), "SUBSTRAT_TOKEN");
      return new Credential(options, "a program may act only while its turn lasts", token);
    }
    Path usual = options.usualTokenFile();
    String remedy = "delete " + usual + " and start again; a new one is made then";
    return new Credential(options, remedy, TokenFile.read(usual).orElse(null));
  }

  private static Refusal missing(Path file) {
    return new Refusal(
        "INVALID_ARGUMENTS",
        "there is no token file " + file,
        "write a token into it (`./substrat token create --agent A`), or leave --token-file out");
  }

  /// The token; if there is none yet, the operator's is used, once, to have one made.
  synchronized String token(Connection connection) throws IOException {
    if (token == null) {
      String fresh = mint(connection);
      TokenFile.write(options.usualTokenFile(), fresh);
      token = fresh;
    }
    return token;
  }

  /// The head of a message, with whom the bridge was started for: the daemon refuses another's
  /// token.
  Head head(Connection connection) throws IOException {
    return Head.mcp(token(connection)).with("Substrat-Principal", options.principal());
  }

  /// Why the daemon did not do what it was asked with this token.
  Refusal refused(Reply reply) throws IOException {
    if (reply.status() != 401) {
      return Answers.refused(reply.status(), JsonText.parse(reply.body()));
    }
    return new Refusal(
        "UNAUTHORIZED",
        "the daemon does not accept this token: it was revoked, its agent was terminated, or its"
            + " turn is over",
        remedy);
  }

  private String mint(Connection connection) throws IOException {
    Head head =
        new Head("POST", options.mintingPath(), operatorToken())
            .with("Content-Type", "application/json");
    Reply reply = connection.ask(head, options.mintingWish().getBytes(StandardCharsets.UTF_8));
    byte[] body = reply.body();
    Optional<JsonText> json = JsonText.parse(body);
    String fresh = json.isEmpty() ? null : json.get().text(Part.TOKEN);
    if (reply.status() != 201 || fresh == null) {
      throw Answers.refused(reply.status(), json);
    }
    return TokenFile.checked(fresh, "the daemon's answer");
  }

  private String operatorToken() {
    Path file = options.data().resolve("operator.token");
    try {
      return TokenFile.checked(Files.readString(file).strip(), file.toString());
    } catch (IOException e) {
      boolean isMissing = e instanceof NoSuchFileException;
      throw new Refusal(
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
