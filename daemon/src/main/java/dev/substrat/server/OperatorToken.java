package dev.substrat.server;

import dev.substrat.access.credential.Credentials;
import dev.substrat.access.credential.Token;
import dev.substrat.platform.identity.CredentialId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.log.Log;
import dev.substrat.server.api.TokenRoutes;
import java.io.IOException;
import java.util.Optional;

/// The operator's token in the data directory. It is written at every start and always valid.
final class OperatorToken implements TokenRoutes.RotatedToken {
  private static final Log LOG = Log.of(OperatorToken.class);

  private final DaemonDirectory directory;
  private final Credentials credentials;

  OperatorToken(DaemonDirectory directory, Credentials credentials) {
    this.directory = directory;
    this.credentials = credentials;
  }

  /// Writes a new one if there is none, or one that is worth nothing any more.
  void keep() throws IOException {
    if (directory.operatorToken().flatMap(credentials::authenticate).isEmpty()) {
      var token = credentials.mint(new Principal.Operator(), "operator.token");
      directory.writeOperatorToken(token.text());
    }
  }

  @Override
  public void replaces(CredentialId old, Token fresh) {
    try {
      Optional<Token> kept = directory.operatorToken().flatMap(Token::parse);
      if (kept.isPresent() && kept.get().id().equals(old)) {
        directory.writeOperatorToken(fresh.text());
      }
    } catch (IOException e) {
      // The token is shown anyway; the next start writes a new one.
      LOG.error("cannot write operator.token", e);
    }
  }
}
