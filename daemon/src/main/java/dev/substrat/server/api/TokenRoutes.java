package dev.substrat.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.access.credential.Credential;
import dev.substrat.access.credential.Credentials;
import dev.substrat.access.credential.Token;
import dev.substrat.access.credential.TokenLimits;
import dev.substrat.access.credential.TokenRotation;
import dev.substrat.access.person.People;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.CredentialId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.Agents;
import dev.substrat.turn.engine.Engine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// HTTP routes of tokens.
public final class TokenRoutes {
  private static final int MAX_PAGE_SIZE = 200;
  private static final int MAX_AGENTS = 200;

  private final Credentials credentials;
  private final People people;
  private final Agents agents;
  private final TokenRotation rotation;
  private final RotationListener successor;
  private final TokenLimitsConverter authority;

  public TokenRoutes(Engine engine, People people, RotationListener successor) {
    this.credentials = engine.credentials();
    this.people = people;
    this.agents = engine.agents();
    this.rotation = engine.rotation();
    this.successor = successor;
    this.authority = new TokenLimitsConverter(engine);
  }

  /// Called when a token was replaced, before the response is sent. The daemon updates the
  /// operator's token file with it.
  @FunctionalInterface
  public interface RotationListener {
    void replaces(CredentialId old, Token fresh);
  }

  /// Request for an agent's token; the label helps to tell tokens apart.
  public record NewToken(
      @Nullable String label,
      @JsonPropertyDescription("Seconds until the token expires. Default: never.")
          @Nullable Integer expiresInSeconds) {}

  /// Request for a token of the operator, a person or a zoo client.
  public record TokenRequest(
      @Nullable String label,
      @JsonPropertyDescription("true: token of a zoo client. Default: token of the operator.")
          @Nullable Boolean zoo,
      @JsonPropertyDescription("For a zoo client: the agent that is loaded into a new chat.")
          @Nullable String defaultAgent,
      @JsonPropertyDescription("For a zoo client: agents that it can list and load. Default: all.")
          @Nullable List<String> agents,
      @JsonPropertyDescription(
              "Token of the person with this name, who is added if they do not exist.")
          @Nullable String person,
      @JsonPropertyDescription(
              "Limits a token of the operator or a person, such as `messages:send agent=mira`;"
                  + " default: all scopes of the role.")
          @Nullable List<String> scopes,
      @JsonPropertyDescription("Seconds until the token expires. Default: never.")
          @Nullable Integer expiresInSeconds) {

    boolean isForZoo() {
      return zoo != null && zoo;
    }

    String labelOrNone() {
      return label == null ? "" : label;
    }
  }

  /// A person's token, and whether the person was added for it.
  record PersonTokenView(String token, String id, String person, boolean created) {}

  /// How long the old token still works; by default it is revoked immediately.
  public record RotationRequest(
      @JsonPropertyDescription("Seconds the old token still works (default 0, at most 3600).")
          @Nullable Integer graceSeconds) {}

  /// A token without its secret.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record TokenView(
      String id,
      String principal,
      String label,
      Instant createdAt,
      @Nullable Instant rotatedAt,
      @Nullable Instant expiresAt,
      @Nullable Instant revokedAt,
      @Nullable String replacedBy,
      @JsonPropertyDescription("For a zoo client: id of the default agent.")
          @Nullable String defaultAgent,
      @JsonPropertyDescription("Ids of the agents that a zoo client can list and load, if not all.")
          @Nullable List<String> agents,
      @JsonPropertyDescription(
              "Scopes of the token; missing if the token has all scopes of its role.")
          @Nullable List<String> scopes) {}

  /// `next` is the position of the next page, if there may be one.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record TokenPage(List<TokenView> tokens, @Nullable String next) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
                "/api/tokens", Scope.TOKENS_READ, "List tokens, without secrets.", this::list)
            .withQuery("limit", "Maximum number of tokens, up to " + MAX_PAGE_SIZE + ".")
            .withQuery("after", "`next` of the previous page."),
        HttpRoute.write(
            "/api/tokens",
            Scope.TOKENS_WRITE,
            "Create a token for the operator, a person or a zoo client; it is shown once.",
            TokenRequest.class,
            this::mint),
        HttpRoute.write(
            "/api/tokens/{id}/rotate",
            Scope.TOKENS_WRITE,
            "Replace a token with a new token; it is shown once.",
            RotationRequest.class,
            this::rotate),
        HttpRoute.remove(
            "/api/tokens/{id}", Scope.TOKENS_WRITE, "Revoke a token immediately.", this::revoke));
  }

  public static HttpReply shownOnce(Token token) {
    return HttpReply.created(Map.of("token", token.text(), "id", token.id().value()));
  }

  private HttpReply list(HttpExchange exchange) {
    int limit = exchange.limit(MAX_PAGE_SIZE);
    var page =
        credentials.list(exchange.query("after").orElse(""), limit).stream()
            .map(this::view)
            .toList();
    return HttpReply.ok(new TokenPage(page, page.size() < limit ? null : page.getLast().id()));
  }

  private HttpReply mint(HttpExchange exchange) {
    TokenRequest request = exchange.body(TokenRequest.class);
    if (!request.isForZoo() && (request.defaultAgent() != null || request.agents() != null)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          (request.agents() == null ? "/defaultAgent" : "/agents")
              + " is only for tokens of zoo clients",
          "add \"zoo\": true, or omit the key");
    }
    return request.person() == null
        ? mint(exchange, request)
        : invite(exchange, request, request.person());
  }

  private HttpReply mint(HttpExchange exchange, TokenRequest request) {
    Principal holder = holder(request);
    TokenLimits limits = authority.limits(holder, request.scopes(), request.expiresInSeconds());
    return shownOnce(credentials.mint(exchange.admission(), holder, request.labelOrNone(), limits));
  }

  private Principal holder(TokenRequest request) {
    if (!request.isForZoo()) {
      return new Principal.OperatorPrincipal();
    }
    List<AgentId> seen = request.agents() == null ? null : seen(request.agents());
    AgentId standard =
        request.defaultAgent() == null ? null : agents.require(request.defaultAgent()).id();
    if (standard != null && seen != null && !seen.contains(standard)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/defaultAgent \"%s\" is not among /agents".formatted(request.defaultAgent()),
          "add the agent to /agents, or use an agent of /agents");
    }
    return new Principal.ZooPrincipal(standard, seen);
  }

  private List<AgentId> seen(List<String> names) {
    if (names.isEmpty() || names.size() > MAX_AGENTS) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/agents must name 1 to %d agents, not %d".formatted(MAX_AGENTS, names.size()),
          "omit the key for all agents");
    }
    return names.stream().map(name -> agents.require(name).id()).distinct().toList();
  }

  private HttpReply invite(HttpExchange exchange, TokenRequest request, String name) {
    if (request.isForZoo()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/zoo and /person cannot be combined", "a token has one holder: omit /zoo or /person");
    }
    Principal holder =
        people.findPrincipal(name).orElseGet(() -> new Principal.PersonPrincipal(name));
    TokenLimits limits = authority.limits(holder, request.scopes(), request.expiresInSeconds());
    People.Invitation invited =
        people.invite(exchange.admission(), name, request.labelOrNone(), limits);
    return HttpReply.created(
        new PersonTokenView(
            invited.token().text(), invited.token().id().value(), name, invited.isNew()));
  }

  /// Synchronised: two rotations of the same token must update the operator's file in order.
  private synchronized HttpReply rotate(HttpExchange exchange) {
    Integer grace = exchange.body(RotationRequest.class).graceSeconds();
    var old = new CredentialId(exchange.name("id"));
    TokenRotation.RotationResult rotated =
        rotation.rotate(exchange.admission(), old, Duration.ofSeconds(grace == null ? 0 : grace));
    successor.replaces(old, rotated.token());
    return HttpReply.created(
        Map.of(
            "token", rotated.token().text(),
            "id", rotated.token().id().value(),
            "replaces", old.value(),
            "oldWorksUntil", rotated.oldUntil()));
  }

  private HttpReply revoke(HttpExchange exchange) {
    credentials.revoke(exchange.admission(), new CredentialId(exchange.name("id")));
    return HttpReply.noContent();
  }

  private TokenView view(Credential credential) {
    return new TokenView(
        credential.id().value(),
        credential.principal().key(),
        credential.label(),
        credential.createdAt(),
        credential.rotatedAt(),
        credential.expiresAt(),
        credential.revokedAt(),
        credential.replacedBy() == null ? null : credential.replacedBy().value(),
        credential.defaultAgent(),
        credential.agents(),
        credential.grants().isEmpty() ? null : authority.texts(credential.grants()));
  }
}
