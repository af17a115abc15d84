package dev.substrat.access.credential;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.CredentialId;
import dev.substrat.platform.identity.Grant;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Role;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.ResultRow;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Stored data of a token, without its secret. `createdAt` is the creation time of the first token
/// before all rotations, `rotatedAt` the time of the last rotation.
public record Credential(
    CredentialId id,
    String hash,
    Principal principal,
    String label,
    Instant createdAt,
    @Nullable Instant rotatedAt,
    @Nullable Instant expiresAt,
    @Nullable Instant revokedAt,
    @Nullable CredentialId replacedBy,
    List<Grant> grants) {

  static final String SELECT =
      """
      select id, hash, principal, label, created_at, expires_at, revoked_at, run_id, rotated_at,
        replaced_by, default_agent_id, zoo_agents, scopes,
        (select role from person where person.name = substr(credential.principal, 8)) as role
      from credential
      """;

  /// Default agent of a zoo client's token, if it has one.
  public @Nullable String defaultAgent() {
    return defaultAgent(principal);
  }

  /// The ids of the agents that a zoo client may see, if not all.
  public @Nullable List<String> agents() {
    return principal instanceof Principal.ZooPrincipal visitor && visitor.agents() != null
        ? visitor.agents().stream().map(AgentId::value).toList()
        : null;
  }

  /// The same, as stored in the database.
  static @Nullable String agents(Principal principal) {
    return principal instanceof Principal.ZooPrincipal visitor && visitor.agents() != null
        ? Json.text(visitor.agents().stream().map(AgentId::value).toList())
        : null;
  }

  CallerPermissions admission() {
    return new CallerPermissions(principal, grants, label, id.value());
  }

  boolean isValid(Instant now) {
    return revokedAt == null && (expiresAt == null || now.isBefore(expiresAt));
  }

  static Credential of(ResultRow row) {
    @Nullable String replacedBy = row.textOrNull("replaced_by");
    return new Credential(
        new CredentialId(row.text("id")),
        row.text("hash"),
        principal(row),
        row.text("label"),
        row.instant("created_at"),
        row.instantOrNull("rotated_at"),
        row.instantOrNull("expires_at"),
        row.instantOrNull("revoked_at"),
        replacedBy == null ? null : new CredentialId(replacedBy),
        TokenLimits.grants(row.textOrNull("scopes")));
  }

  /// Default agent of a zoo client's token.
  static @Nullable String defaultAgent(Principal principal) {
    return principal instanceof Principal.ZooPrincipal visitor && visitor.defaultAgent() != null
        ? visitor.defaultAgent().value()
        : null;
  }

  private static Principal principal(ResultRow row) {
    @Nullable String run = row.textOrNull("run_id");
    if (run != null) {
      return new Principal.TurnPrincipal(new AgentId(row.text("principal")), new RunId(run));
    }
    Principal known = Principal.parse(row.text("principal"));
    return switch (known) {
      case Principal.ZooPrincipal _ -> zoo(row);
      case Principal.PersonPrincipal person -> person(row, person.name());
      case Principal.OperatorPrincipal _, Principal.AgentPrincipal _, Principal.TurnPrincipal _ ->
          known;
    };
  }

  /// A person is stored as `person/NAME`; the query has read the role of NAME.
  private static Principal.PersonPrincipal person(ResultRow row, String name) {
    @Nullable String role = row.textOrNull("role");
    return role == null
        ? new Principal.PersonPrincipal(name)
        : new Principal.PersonPrincipal(name, Role.parse(role));
  }

  private static Principal.ZooPrincipal zoo(ResultRow row) {
    @Nullable String defaultAgent = row.textOrNull("default_agent_id");
    @Nullable String agents = row.textOrNull("zoo_agents");
    return new Principal.ZooPrincipal(
        defaultAgent == null ? null : new AgentId(defaultAgent),
        agents == null
            ? null
            : Json.own(agents).valueStream().map(id -> new AgentId(id.asText())).toList());
  }
}
