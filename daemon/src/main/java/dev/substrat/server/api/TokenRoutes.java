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
import dev.substrat.protocol.Fault;
import dev.substrat.team.Agents;
import dev.substrat.turn.engine.Engine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Tokens over HTTP.
public final class TokenRoutes {
  private static final int LARGEST_PAGE = 200;
  private static final int MOST_AGENTS = 200;

  private final Credentials credentials;
  private final People people;
  private final Agents agents;
  private final TokenRotation rotation;
  private final RotatedToken successor;
  private final TokenAuthority authority;

  public TokenRoutes(Engine engine, People people, RotatedToken successor) {
    this.credentials = engine.credentials();
    this.people = people;
    this.agents = engine.agents();
    this.rotation = engine.rotation();
    this.successor = successor;
    this.authority = new TokenAuthority(engine);
  }

  /// Told when a token has taken the place of another, before anybody else knows it. This package
  /// owns the moment; `daemon` keeps the operator's file.
  @FunctionalInterface
  public interface RotatedToken {
    void replaces(CredentialId old, Token fresh);
  }

  /// A wish for an agent's token; the label helps to tell them apart later.
  public record NewToken(
      @Nullable String label,
      @JsonPropertyDescription("Seconds until it expires; left out: never.")
          @Nullable Integer expiresInSeconds) {}

  /// A wish for a token that is no agent's.
  public record TokenRequest(
      @Nullable String label,
      @JsonPropertyDescription("true: for a visitor of the zoo. Default: for the operator.")
          @Nullable Boolean zoo,
      @JsonPropertyDescription("For a visitor: the agent that a fresh chat there becomes.")
          @Nullable String defaultAgent,
      @JsonPropertyDescription("For a zoo client: the agents it may see; all if missing.")
          @Nullable List<String> agents,
      @JsonPropertyDescription("For the person of this name, who is let in if nobody has it yet.")
          @Nullable String person,
      @JsonPropertyDescription(
              "Limits a token of the operator or a person, such as `messages:send agent=mira`;"
                  + " left out: everything the role includes.")
          @Nullable List<String> scopes,
      @JsonPropertyDescription("Seconds until it expires; left out: never.")
          @Nullable Integer expiresInSeconds) {

    boolean isForZoo() {
      return zoo != null && zoo;
    }

    String labelOrNone() {
      return label == null ? "" : label;
    }
  }

  /// A person's token, and whether they were let in for it.
  record PersonsToken(String token, String id, String person, boolean created) {}

  /// How long the old token still works; at once worthless if nothing is said.
  public record Change(
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
      @JsonPropertyDescription("Id of the agent that goes with a visitor's token.")
          @Nullable String defaultAgent,
      @JsonPropertyDescription("Ids of the agents that a zoo client may see, if not all.")
          @Nullable List<String> agents,
      @JsonPropertyDescription("What the token is limited to; missing: nothing.")
          @Nullable List<String> scopes) {}

  /// `next` is where the following page begins, if there may be one.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<TokenView> tokens, @Nullable String next) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read("/api/tokens", Scope.TOKENS_READ, "Tokens, without secrets.", this::list)
            .withQuery("limit", "How many, at most " + LARGEST_PAGE + ".")
            .withQuery("after", "`next` of the page before."),
        HttpRoute.write(
            "/api/tokens",
            Scope.TOKENS_WRITE,
            "Mints another token for the operator, or one for a person or the zoo; shown once.",
            TokenRequest.class,
            this::mint),
        HttpRoute.write(
            "/api/tokens/{id}/rotate",
            Scope.TOKENS_WRITE,
            "Mints a token in place of this one; it is shown once.",
            Change.class,
            this::rotate),
        HttpRoute.remove(
            "/api/tokens/{id}", Scope.TOKENS_WRITE, "Revokes a token, at once.", this::revoke));
  }

  public static HttpReply shownOnce(Token token) {
    return HttpReply.created(Map.of("token", token.text(), "id", token.id().value()));
  }

  private HttpReply list(HttpExchange exchange) {
    int limit = exchange.limit(LARGEST_PAGE);
    var page =
        credentials.list(exchange.query("after").orElse(""), limit).stream()
            .map(this::view)
            .toList();
    return HttpReply.ok(new Page(page, page.size() < limit ? null : page.getLast().id()));
  }

  private HttpReply mint(HttpExchange exchange) {
    TokenRequest wish = exchange.body(TokenRequest.class);
    if (!wish.isForZoo() && (wish.defaultAgent() != null || wish.agents() != null)) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          (wish.agents() == null ? "/defaultAgent" : "/agents") + " is for visitors of the zoo",
          "add \"zoo\": true, or leave it out");
    }
    return wish.person() == null ? mint(exchange, wish) : invite(exchange, wish, wish.person());
  }

  private HttpReply mint(HttpExchange exchange, TokenRequest wish) {
    Principal holder = holder(wish);
    TokenLimits limits = authority.limits(holder, wish.scopes(), wish.expiresInSeconds());
    return shownOnce(credentials.mint(exchange.admission(), holder, wish.labelOrNone(), limits));
  }

  private Principal holder(TokenRequest wish) {
    if (!wish.isForZoo()) {
      return new Principal.Operator();
    }
    List<AgentId> seen = wish.agents() == null ? null : seen(wish.agents());
    AgentId standard =
        wish.defaultAgent() == null ? null : agents.require(wish.defaultAgent()).id();
    if (standard != null && seen != null && !seen.contains(standard)) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "/defaultAgent \"%s\" is not among /agents".formatted(wish.defaultAgent()),
          "add it to agents, or choose one of them");
    }
    return new Principal.Zoo(standard, seen);
  }

  private List<AgentId> seen(List<String> names) {
    if (names.isEmpty() || names.size() > MOST_AGENTS) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "/agents must name 1 to %d agents, not %d".formatted(MOST_AGENTS, names.size()),
          "leave it out for all agents");
    }
    return names.stream().map(name -> agents.require(name).id()).distinct().toList();
  }

  private HttpReply invite(HttpExchange exchange, TokenRequest wish, String name) {
    if (wish.isForZoo()) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "/zoo and /person exclude each other",
          "a token has one holder: leave one of them out");
    }
    Principal holder = people.findPrincipal(name).orElseGet(() -> new Principal.Person(name));
    TokenLimits limits = authority.limits(holder, wish.scopes(), wish.expiresInSeconds());
    People.Invitation invited =
        people.invite(exchange.admission(), name, wish.labelOrNone(), limits);
    return HttpReply.created(
        new PersonsToken(
            invited.token().text(), invited.token().id().value(), name, invited.isNew()));
  }

  /// One after the other, so that the successor of a successor is not overtaken on its way to the
  /// operator's file.
  private synchronized HttpReply rotate(HttpExchange exchange) {
    Integer grace = exchange.body(Change.class).graceSeconds();
    var old = new CredentialId(exchange.name("id"));
    TokenRotation.Rotated rotated =
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
