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
final class OperatorToken implements TokenRoutes.RotationListener {
  private static final Log LOG = Log.of(OperatorToken.class);

  private final DaemonDirectory directory;
  private final Credentials credentials;

  OperatorToken(DaemonDirectory directory, Credentials credentials) {
    this.directory = directory;
    this.credentials = credentials;
  }

  /// Writes a new token if there is none, or if it is revoked or expired.
  void keep() throws IOException {
    if (directory.operatorToken().flatMap(credentials::authenticate).isEmpty()) {
      var token = credentials.mint(new Principal.OperatorPrincipal(), "operator.token");
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
      // The response contains the token anyway; the next start writes a new one.
      LOG.error("cannot write operator.token", e);
    }
  }
}
