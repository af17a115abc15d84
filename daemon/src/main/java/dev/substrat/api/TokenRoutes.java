package dev.substrat.api;

import dev.substrat.credential.Credential;
import dev.substrat.credential.Credentials;
import dev.substrat.credential.Token;
import dev.substrat.http.Exchange;
import dev.substrat.http.Reply;
import dev.substrat.http.Route;
import dev.substrat.http.Route.Access;
import dev.substrat.id.CredentialId;
import dev.substrat.id.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Tokens over HTTP.
public final class TokenRoutes {
  private final Credentials credentials;

  public TokenRoutes(Credentials credentials) {
    this.credentials = credentials;
  }

  /// A wish for a token; the label helps to tell them apart later.
  public record NewToken(@Nullable String label) {}

  /// A token without its secret.
  record TokenView(
      String id, String principal, String label, Instant createdAt, @Nullable Instant revokedAt) {}

  public List<Route> routes() {
    return List.of(
        Route.read("/api/tokens", Access.OPERATOR, "All tokens, without secrets.", _ -> list()),
        Route.write(
            "/api/tokens",
            Access.OPERATOR,
            "Mints another token for the operator; it is shown once.",
            NewToken.class,
            this::mint),
        Route.remove(
            "/api/tokens/{id}", Access.OPERATOR, "Revokes a token, at once.", this::revoke));
  }

  static Reply shownOnce(Token token) {
    return Reply.created(Map.of("token", token.text(), "id", token.id().value()));
  }

  private Reply list() {
    return Reply.ok(Map.of("tokens", credentials.list().stream().map(TokenRoutes::view).toList()));
  }

  private Reply mint(Exchange exchange) {
    String label = exchange.body(NewToken.class).label();
    return shownOnce(credentials.mint(new Principal.Operator(), label == null ? "" : label));
  }

  private Reply revoke(Exchange exchange) {
    credentials.revoke(new CredentialId(exchange.name("id")));
    return Reply.noContent();
  }

  private static TokenView view(Credential credential) {
    return new TokenView(
        credential.id().value(),
        credential.principal().key(),
        credential.label(),
        credential.createdAt(),
        credential.revokedAt());
  }
}
