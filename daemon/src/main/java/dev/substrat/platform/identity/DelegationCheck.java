package dev.substrat.platform.identity;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Limits what a caller may grant to others by a token or a role: no more than it may do itself.
public final class DelegationCheck {
  /// Scopes that correspond to the built-in tools of an agent, and so to its token.
  private static final List<Scope> OF_AGENT =
      List.of(
          Scope.AGENTS_READ,
          Scope.AGENTS_WRITE,
          Scope.MESSAGES_READ,
          Scope.MESSAGES_SEND,
          Scope.SPACES_READ,
          Scope.SPACES_POST,
          Scope.MEMORY_READ,
          Scope.MEMORY_WRITE);

  /// The same for the tools of a zoo client.
  private static final List<Scope> OF_ZOO =
      List.of(Scope.AGENTS_READ, Scope.MEMORY_READ, Scope.MEMORY_WRITE);

  private static final int MAX_NAMES = 8;

  private DelegationCheck() {}

  /// Rejects a caller who may not create, rotate or revoke a token of `holder` with these grants.
  public static void requireToken(CallerPermissions caller, Principal holder, List<Grant> grants) {
    switch (holder) {
      case Principal.OperatorPrincipal _, Principal.PersonPrincipal _ ->
          requireHuman(caller, holder, grants);
      case Principal.AgentPrincipal one -> requireAgent(caller, one.agent().value());
      case Principal.TurnPrincipal turn -> requireAgent(caller, turn.agent().value());
      case Principal.ZooPrincipal zoo -> requireZoo(caller, zoo);
    }
  }

  private static void requireAgent(CallerPermissions caller, String agent) {
    requireAll(caller, "a token of an agent", OF_AGENT, List.of(AccessTarget.ofAgent(agent)));
  }

  private static void requireZoo(CallerPermissions caller, Principal.ZooPrincipal zoo) {
    List<AccessTarget> seen =
        zoo.agents() == null
            ? List.of(AccessTarget.NONE)
            : zoo.agents().stream().map(agent -> AccessTarget.ofAgent(agent.value())).toList();
    requireAll(caller, "a token of this zoo client", OF_ZOO, seen);
  }

  /// People and the operator: the role operator manages its own tokens, the role owner all tokens.
  private static void requireHuman(CallerPermissions caller, Principal holder, List<Grant> wanted) {
    boolean isOwn = holder.key().equals(caller.principal().key());
    if (!isOwn && caller.principal().role() != Role.OWNER) {
      throw forbidden(
          "only owners can create or change tokens of other people",
          "with the role operator, you can manage your own tokens and the tokens of agents");
    }
    List<Grant> held = caller.grants();
    boolean isWithin =
        held.isEmpty()
            || (!wanted.isEmpty()
                && wanted.stream()
                    .allMatch(one -> held.stream().anyMatch(own -> own.includes(one))));
    if (!isWithin) {
      throw forbidden(
          "a token with scopes can create, rotate and revoke only tokens with the same or fewer"
              + " scopes; its scopes: "
              + held.stream().map(Grant::text).collect(Collectors.joining(", ")),
          "ask for some of these scopes, or use a token without scopes");
    }
  }

  /// Rejects a caller who may not give `role` to a person, or change a person with this role.
  public static void requireRole(CallerPermissions caller, Role role) {
    requireAll(
        caller,
        "the role " + role.word(),
        Stream.of(Scope.values()).filter(scope -> scope.isIn(role)).toList(),
        List.of(AccessTarget.NONE));
  }

  private static void requireAll(
      CallerPermissions caller, String what, List<Scope> scopes, List<AccessTarget> about) {
    List<String> missing =
        scopes.stream()
            .filter(scope -> !about.stream().allMatch(target -> caller.may(scope, target)))
            .map(Scope::word)
            .toList();
    if (missing.isEmpty()) {
      return;
    }
    int more = missing.size() - MAX_NAMES;
    throw forbidden(
        "%s includes scopes that you do not have: %s%s"
            .formatted(
                what,
                String.join(", ", missing.subList(0, Math.min(MAX_NAMES, missing.size()))),
                more > 0 ? " and %d more".formatted(more) : ""),
        hint(caller, missing));
  }

  private static String hint(CallerPermissions caller, List<String> missing) {
    @Nullable Role role = caller.principal().role();
    return caller.grants().isEmpty()
        ? "your role is %s; ask an owner".formatted(role == null ? "none" : role.word())
        : "use a token without scopes, or a token with these scopes: ./substrat token create"
            + " --scope "
            + missing.getFirst();
  }

  private static Fault forbidden(String message, String hint) {
    return ErrorCode.FORBIDDEN.fault(message, hint);
  }
}
