package dev.substrat.server.api;

import dev.substrat.access.credential.TokenLimits;
import dev.substrat.platform.identity.Grant;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Role;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.space.Spaces;
import dev.substrat.team.Agent;
import dev.substrat.team.Agents;
import dev.substrat.turn.engine.Engine;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Parses the limits of a new token from a request, and formats the limits of a token.
public final class TokenLimitsConverter {
  private static final int MAX_SCOPES = 50;

  private final Agents agents;
  private final Spaces spaces;
  private final InstantSource clock;

  public TokenLimitsConverter(Engine engine) {
    this.agents = engine.agents();
    this.spaces = engine.spaces();
    this.clock = engine.dependencies().clock();
  }

  /// Limits in a request; rejected if a token of `holder` cannot have them.
  public TokenLimits limits(
      Principal holder, @Nullable List<String> scopes, @Nullable Integer expiresInSeconds) {
    if (expiresInSeconds != null && expiresInSeconds < 1) {
      throw invalid(
          "/expiresInSeconds must be at least 1", "omit the key for a token that does not expire");
    }
    return new TokenLimits(
        scopes == null ? List.of() : grants(holder, scopes),
        expiresInSeconds == null ? null : clock.instant().plusSeconds(expiresInSeconds));
  }

  private List<Grant> grants(Principal holder, List<String> scopes) {
    Role role = holder.role();
    if (role == null) {
      throw invalid(
          "/scopes is for tokens of the operator and of people",
          "an agent's token gives access to the agent's tools; omit scopes");
    }
    if (scopes.isEmpty() || scopes.size() > MAX_SCOPES) {
      throw invalid(
          "/scopes must have 1 to %d entries, not %d".formatted(MAX_SCOPES, scopes.size()),
          "omit the key for all scopes of the role");
    }
    return scopes.stream()
        .map(Grant::parse)
        .peek(grant -> requireInRole(grant, role))
        .map(grant -> grant.naming(this::agentId, this::spaceId))
        .distinct()
        .toList();
  }

  private String agentId(String typed) {
    return agents.require(typed).id().value();
  }

  private String spaceId(String typed) {
    return spaces.require(new Principal.OperatorPrincipal(), typed).id();
  }

  private static void requireInRole(Grant grant, Role role) {
    if (!grant.scope().isIn(role)) {
      throw invalid(
          "the role %s does not include the scope %s".formatted(role.word(), grant.scope().word()),
          "omit the key, or change the role first (PUT /api/people/NAME,"
              + " ./substrat person update NAME --role R)");
    }
  }

  /// Scopes in the format of requests, with the handles of agents.
  List<String> texts(List<Grant> grants) {
    return grants.stream().map(grant -> grant.naming(this::handle, id -> id).text()).toList();
  }

  private String handle(String id) {
    return agents.find(id).map(Agent::handle).orElse(id);
  }

  private static Fault invalid(String message, String hint) {
    return ErrorCode.INVALID_ARGUMENTS.fault(message, hint);
  }
}
