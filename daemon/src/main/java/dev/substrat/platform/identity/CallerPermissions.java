package dev.substrat.platform.identity;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A caller with a valid credential, and the one place that decides what it may do.
///
/// A human may do what the role includes and the token allows. A token without grants allows
/// everything, one with grants only those. `label` is what the token is called, `credential` its
/// id; both are empty if no stored token admitted the caller.
public record CallerPermissions(
    Principal principal, List<Grant> grants, String label, String credential) {

  public CallerPermissions(Principal principal) {
    this(principal, List.of(), "", "");
  }

  /// Whether a request may go on. `target` is asked for only if the token has filters.
  public boolean allows(RouteAccess access, Supplier<AccessTarget> target) {
    return switch (access) {
      case RouteAccess.General general ->
          switch (general) {
            case PUBLIC -> true;
            case ANY_TOKEN -> !hasToolsOnly();
            case TOOLS -> principal instanceof Principal.Operator || !isHuman();
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

  /// Whether the caller may do this everywhere.
  public boolean may(Scope scope) {
    return allows(scope, () -> AccessTarget.NONE);
  }

  /// Whether the caller may do this to what `about` names.
  public boolean may(Scope scope, AccessTarget about) {
    return allows(scope, () -> about);
  }

  /// Why content that needs `scope` is left out of an answer; empty if the caller may read it.
  public Optional<String> findHidden(Scope scope, AccessTarget about) {
    return may(scope, about) ? Optional.empty() : Optional.of("needs the scope " + scope.word());
  }

  /// Under which name open streams and MCP sessions are kept and counted. All zoo clients are one
  /// principal, so each of their tokens counts by itself.
  public String account() {
    return principal instanceof Principal.Zoo && !credential.isEmpty()
        ? principal.key() + "/" + credential
        : principal.key();
  }

  public void require(RouteAccess access, Supplier<AccessTarget> target) {
    if (!allows(access, target)) {
      throw refusal(access);
    }
  }

  /// In whose name changes are recorded: operators by name. What others do is recorded where they
  /// do it.
  public @Nullable RequestActor actor() {
    return principal.isOperator() ? new RequestActor(principal.key(), label) : null;
  }

  private boolean isHuman() {
    return principal.role() != null;
  }

  private boolean hasToolsOnly() {
    return principal instanceof Principal.OfTurn || principal instanceof Principal.Zoo;
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
          "this token is good for its tools only", "call them at /mcp; the rest is the operator's");
    }
    return switch (access) {
      case RouteAccess.General general ->
          general == RouteAccess.General.TOOLS
              ? forbidden(
                  "people have no tools",
                  "talk in spaces instead (/api/spaces, ./substrat space); agents come here")
              : forPeople();
      case Scope scope ->
          isHuman() ? missing(scope) : scope.isIn(Role.MEMBER) ? forPeople() : forOperator();
    };
  }

  private Fault missing(Scope scope) {
    Role role = principal.role();
    if (role != null && !scope.isIn(role)) {
      return forbidden(
          "this needs the scope %s, which the role %s does not include"
              .formatted(scope.word(), role.word()),
          "an owner can change the role: ./substrat person update NAME --role "
              + (scope.isIn(Role.OPERATOR) ? Role.OPERATOR : Role.OWNER).word());
    }
    String held = grants.stream().map(Grant::text).collect(Collectors.joining(", "));
    boolean isElsewhere = grants.stream().anyMatch(grant -> grant.scope() == scope);
    return forbidden(
        "this needs the scope %s%s; the token has: %s"
            .formatted(scope.word(), isElsewhere ? " without that filter" : "", held),
        "create a token that has it: ./substrat token create --scope " + scope.word());
  }

  private static Fault forPeople() {
    return forbidden("only people may do this", "agents talk in spaces with their tools, at /mcp");
  }

  private static Fault forOperator() {
    return forbidden("only the operator may do this", "use the operator's token");
  }

  private static Fault forbidden(String message, String hint) {
    return new Fault(ErrorCode.FORBIDDEN, message, hint);
  }
}
