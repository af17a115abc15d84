package dev.substrat.turn;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.substrat.access.credential.Token;
import dev.substrat.http.server.TokenAuthenticator;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.CredentialId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.turn.scheduling.RunningTurns;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Tokens of programs that outlive a turn of their agent. Such a token is valid only while a turn
/// of its agent runs on this daemon, and expires with the daemon.
///
/// Between turns its bearer is answered like that of an ended turn: a client that is rejected
/// entirely might never reconnect.
public final class ProgramTokens {
  private final Map<CredentialId, IssuedToken> keys = new ConcurrentHashMap<>();

  private record IssuedToken(AgentId agent, RunId first, Token token) {
    /// Constant-time comparison.
    boolean isWritten(String text) {
      return MessageDigest.isEqual(token.text().getBytes(US_ASCII), text.getBytes(US_ASCII));
    }
  }

  /// Creates a token for the agent of this turn; its earlier one is revoked.
  Token issue(AgentId agent, RunId run) {
    keys.values().removeIf(key -> key.agent().equals(agent));
    Token token = Token.unissued();
    keys.put(token.id(), new IssuedToken(agent, run, token));
    return token;
  }

  /// Accepts these tokens and those that `others` accepts.
  public TokenAuthenticator withFallback(TokenAuthenticator others, RunningTurns running) {
    return new TokenAuthenticator() {
      @Override
      public Optional<CallerPermissions> authenticate(String token) {
        return ProgramTokens.this.authenticate(token, running).or(() -> others.authenticate(token));
      }

      @Override
      public Optional<CallerPermissions> authenticateSession(String session) {
        return others.authenticateSession(session);
      }
    };
  }

  private Optional<CallerPermissions> authenticate(String text, RunningTurns running) {
    return Token.parse(text)
        .map(token -> keys.get(token.id()))
        .filter(key -> key.isWritten(text))
        .map(key ->
            new CallerPermissions(
                new Principal.TurnPrincipal(
                    key.agent(), running.runOf(key.agent()).orElse(key.first()))));
  }
}
