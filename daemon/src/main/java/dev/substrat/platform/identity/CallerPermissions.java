package dev.substrat.platform.identity;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Permissions of an authenticated caller: the one place that decides what it may do.
///
/// A human may do what both the role and the token allow. A token without grants allows everything.
/// `label` and `credential` are the label and the id of the token; both are empty if no stored
/// token was used.
public record CallerPermissions(
    Principal principal, List<Grant> grants, String label, String credential) {

  public CallerPermissions(Principal principal) {
    this(principal, List.of(), "", "");
  }

  /// Whether the request is allowed. `target` is evaluated only if the token has filters.
  public boolean allows(RouteAccess access, Supplier<AccessTarget> target) {
    return switch (access) {
      case RouteAccess.GeneralAccess general ->
          switch (general) {
            case PUBLIC -> true;
            case ANY_TOKEN -> !hasToolsOnly();
            case TOOLS -> principal instanceof Principal.OperatorPrincipal || !isHuman();
            case HUMAN -> isHuman();
          };
      case Scope scope -> isInRole(scope) && isGranted(scope, target);
    };
  }

  /// Refuses a principal whose role does not include `scope`. For the code that does what the scope
  /// allows: what the token allows was decided when the request came in.
  public static void requireRole(Principal principal, Scope scope) {
    new CallerPermissions(principal).require(scope, () -> AccessTarget.NONE);
  }

  /// Whether the caller has this scope without a filter.
  public boolean may(Scope scope) {
    return allows(scope, () -> AccessTarget.NONE);
  }

  /// Whether the caller has this scope for the target.
  public boolean may(Scope scope, AccessTarget about) {
    return allows(scope, () -> about);
  }

  /// Why content that needs `scope` is omitted from a response; empty if the caller may read it.
  public Optional<String> findHidden(Scope scope, AccessTarget about) {
    return may(scope, about) ? Optional.empty() : Optional.of("needs the scope " + scope.word());
  }

  /// Key under which open streams and MCP sessions are counted. All zoo clients are one principal,
  /// so each of their tokens counts separately.
  public String account() {
    return principal instanceof Principal.ZooPrincipal && !credential.isEmpty()
        ? principal.key() + "/" + credential
        : principal.key();
  }

  public void require(RouteAccess access, Supplier<AccessTarget> target) {
    if (!allows(access, target)) {
      throw refusal(access);
    }
  }

  /// Actor that is recorded with changes, for operators. Changes by other callers are recorded
  /// where they happen.
  public @Nullable RequestActor actor() {
    return principal.isOperator() ? new RequestActor(principal.key(), label) : null;
  }

  private boolean isHuman() {
    return principal.role() != null;
  }

  private boolean hasToolsOnly() {
    return principal instanceof Principal.TurnPrincipal
        || principal instanceof Principal.ZooPrincipal;
  }

  private boolean isInRole(Scope scope) {
    Role role = principal.role();
    return role != null && scope.isIn(role);
  }

  private boolean isGranted(Scope scope, Supplier<AccessTarget> target) {
    if (grants.isEmpty()) {
      return true;
    }
    List<Grant> some = grants.stream().filter(grant -> grant.scope() == scope).toList();
    if (some.stream().anyMatch(grant -> !grant.isFiltered())) {
      return true;
    }
    if (some.isEmpty()) {
      return false;
    }
    AccessTarget about = target.get();
    return some.stream().anyMatch(grant -> grant.covers(scope, about));
  }

  private Fault refusal(RouteAccess access) {
    if (hasToolsOnly()) {
      return forbidden(
          "this token gives access to tools only",
          "call tools at /mcp; other requests need the operator's token");
    }
    return switch (access) {
      case RouteAccess.GeneralAccess general ->
          general == RouteAccess.GeneralAccess.TOOLS
              ? forbidden(
                  "people have no MCP tools",
                  "use spaces instead (/api/spaces, ./substrat space); /mcp is for agents")
              : forPeople();
      case Scope scope ->
          isHuman() ? missing(scope) : scope.isIn(Role.MEMBER) ? forPeople() : forOperator();
    };
  }

  private Fault missing(Scope scope) {
    Role role = principal.role();
    if (role != null && !scope.isIn(role)) {
      return forbidden(
          "this request needs the scope %s, which the role %s does not include"
              .formatted(scope.word(), role.word()),
          "an owner can change the role: ./substrat person update NAME --role "
              + (scope.isIn(Role.OPERATOR) ? Role.OPERATOR : Role.OWNER).word());
    }
    String held = grants.stream().map(Grant::text).collect(Collectors.joining(", "));
    boolean isFiltered = grants.stream().anyMatch(grant -> grant.scope() == scope);
    return forbidden(
        "this request needs the scope %s%s; the token has: %s"
            .formatted(scope.word(), isFiltered ? " without that filter" : "", held),
        "create a token that has it: ./substrat token create --scope " + scope.word());
  }

  private static Fault forPeople() {
    return forbidden("only people can do this", "agents use spaces with their tools, at /mcp");
  }

  private static Fault forOperator() {
    return forbidden("only the operator can do this", "use the operator's token");
  }

  private static Fault forbidden(String message, String hint) {
    return ErrorCode.FORBIDDEN.fault(message, hint);
  }
}
