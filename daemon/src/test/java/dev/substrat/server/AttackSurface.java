package dev.substrat.server;

import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.AccessTarget;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Grant;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Role;
import dev.substrat.platform.identity.RouteAccess;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.identity.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The page docs/attack-surface.md: every route and tool, and who can reach it.
final class AttackSurface {
  private AttackSurface() {}

  /// The kinds of callers there are.
  enum Caller {
    NONE("no token", null),
    REVOKED("revoked token", null),
    OWNER("owner", new CallerPermissions(new Principal.OperatorPrincipal())),
    OPERATOR("operator", person(Role.OPERATOR)),
    MEMBER("member", person(Role.MEMBER)),
    VIEWER("viewer", person(Role.VIEWER)),
    AGENT("external agent", new CallerPermissions(new Principal.AgentPrincipal(AgentId.random()))),
    TURN(
        "turn",
        new CallerPermissions(new Principal.TurnPrincipal(AgentId.random(), RunId.random()))),
    ZOO("zoo client", new CallerPermissions(new Principal.ZooPrincipal())),
    METRICS("`metrics:read`", scoped(List.of("metrics:read"))),
    OTHER_AGENT("scopes of another agent", scoped(forAgent("ada"))),
    OWNER_SESSION("owner session", new CallerPermissions(new Principal.OperatorPrincipal())),
    OPERATOR_SESSION("operator session", person(Role.OPERATOR)),
    MEMBER_SESSION("member session", person(Role.MEMBER)),
    VIEWER_SESSION("viewer session", person(Role.VIEWER));

    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // its lists are never changed
    private final @Nullable CallerPermissions admission;

    Caller(String title, @Nullable CallerPermissions admission) {
      this.title = title;
      this.admission = admission;
    }

    /// Whether it is a browser, which sends a cookie and the origin of its page, and no token.
    boolean isSession() {
      return name().endsWith("_SESSION");
    }

    private static CallerPermissions person(Role role) {
      return new CallerPermissions(new Principal.PersonPrincipal("ana", role));
    }

    private static CallerPermissions scoped(List<String> scopes) {
      List<Grant> grants = scopes.stream().map(Grant::parse).toList();
      return new CallerPermissions(new Principal.OperatorPrincipal(), grants, "", "");
    }
  }

  /// Everything that can be limited to an agent, limited to this one.
  static List<String> forAgent(String handle) {
    return Stream.of(Scope.values())
        .filter(scope -> scope.filters().contains(Scope.ScopeFilter.AGENT))
        .map(scope -> scope.word() + " agent=" + handle)
        .toList();
  }

  /// Result for a caller: `yes`, `401` or `403`.
  static String outcome(HttpRoute route, Caller caller) {
    if (route.access() == RouteAccess.PUBLIC) {
      return "yes";
    }
    if (caller.admission == null) {
      return "401";
    }
    return caller.admission.allows(route.access(), () -> AccessTarget.NONE) ? "yes" : "403";
  }

  /// `tools` are the names of tools by caller.
  static String page(List<HttpRoute> routes, Map<Caller, List<String>> tools) {
    var page = new ArrayList<String>();
    page.add(
        """
        # Attack surface

        Every route and every tool, and which callers may use it. `AttackSurfaceTest` generates this page from the declarations of the
        routes and sends every request of it. Renew it with `-Dsubstrat.golden=renew`.

        * `yes`: the request reaches its handler, which may still reject its content. `401`: no valid token. `403`: the caller lacks the
          scope. See [roles and scopes](tokens.md).
        * `scopes of another agent` is a token of the operator whose scopes are limited to another agent than that of the request.
        * `owner session` and the others are signed-in browsers: they send the session cookie and the origin of the console.
        * The decisions of handlers about changes are in [attack surface: changes](attack-surface-changes.md).

        ## Routes
        """);
    page.add("| route | requires | " + titles(List.of(Caller.values())) + " |");
    page.add("|---|---|" + "---|".repeat(Caller.values().length));
    routes.stream()
        .sorted(Comparator.comparing(HttpRoute::path).thenComparing(HttpRoute::method))
        .map(AttackSurface::row)
        .forEach(page::add);
    page.add(
        """

        ## MCP tools

        Over `/mcp` an agent has the tools of its toolsets, a zoo client those of the zoo. The operator has none, people are refused.
        """);
    List<Caller> listing = tools.keySet().stream().sorted().toList();
    page.add("| tool | " + titles(listing) + " |");
    page.add("|---|" + "---|".repeat(listing.size()));
    var names = new TreeSet<String>();
    tools.values().forEach(names::addAll);
    for (String name : names) {
      page.add(
          "| `%s` | %s |"
              .formatted(
                  name,
                  listing.stream()
                      .map(one -> tools.getOrDefault(one, List.of()).contains(name) ? "yes" : "no")
                      .collect(Collectors.joining(" | "))));
    }
    page.add(
        """

        ## Commands

        The command line has no rights of its own: each command sends requests of the first table with the token it is given.
        What each command gets is in [attack surface of the command line](attack-surface-commands.md).\
        """);
    return String.join("\n", page) + "\n";
  }

  /// The table of scopes in docs/tokens.md.
  static String scopes() {
    var table = new ArrayList<String>();
    table.add("| scope | allows | filters | operator | member | viewer |");
    table.add("|---|---|---|---|---|---|");
    for (Scope scope : Scope.values()) {
      String filters =
          scope.filters().stream()
              .map(filter -> "`" + filter.word() + "=`")
              .collect(Collectors.joining(" "));
      String roles =
          Stream.of(Role.OPERATOR, Role.MEMBER, Role.VIEWER)
              .map(role -> scope.isIn(role) ? "yes" : "no")
              .collect(Collectors.joining(" | "));
      table.add(
          "| `%s` | %s | %s | %s |".formatted(scope.word(), scope.description(), filters, roles));
    }
    return String.join("\n", table);
  }

  private static String row(HttpRoute route) {
    String outcomes =
        Stream.of(Caller.values())
            .map(caller -> outcome(route, caller))
            .collect(Collectors.joining(" | "));
    return "| `%s %s` | %s | %s |"
        .formatted(route.method(), route.path(), route.access().word(), outcomes);
  }

  private static String titles(List<Caller> callers) {
    return callers.stream().map(caller -> caller.title).collect(Collectors.joining(" | "));
  }
}
