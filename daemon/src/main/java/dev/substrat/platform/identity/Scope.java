package dev.substrat.platform.identity;

import static dev.substrat.platform.identity.Role.MEMBER;
import static dev.substrat.platform.identity.Role.OPERATOR;
import static dev.substrat.platform.identity.Role.VIEWER;
import static dev.substrat.platform.identity.Scope.ScopeFilter.AGENT;
import static dev.substrat.platform.identity.Scope.ScopeFilter.SPACE;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/// Scope of a token, and the roles that include it. The list is closed. An owner has all scopes.
public enum Scope implements RouteAccess {
  AGENTS_READ(
      "Read agents: configuration, goals, budgets, files of workspaces.",
      of(OPERATOR, VIEWER),
      AGENT),
  AGENTS_WRITE("Create, change, pause and terminate agents; call tools.", of(OPERATOR), AGENT),
  MESSAGES_READ("Read the operator's inbox and direct messages.", of(OPERATOR), AGENT),
  MESSAGES_SEND("Send, release and retry direct messages.", of(OPERATOR), AGENT),
  SPACES_READ("Read spaces.", of(OPERATOR, MEMBER, VIEWER), SPACE),
  SPACES_POST("Post and react in spaces; join, leave, rename.", of(OPERATOR, MEMBER), SPACE),
  SPACES_WRITE("Create spaces.", of(OPERATOR)),
  APPROVALS_READ("Read pending calls.", of(OPERATOR, MEMBER, VIEWER), AGENT, SPACE),
  APPROVALS_ANSWER("Answer or decline pending calls.", of(OPERATOR, MEMBER), AGENT, SPACE),
  RUNS_READ("Read runs and their transcripts.", of(OPERATOR, VIEWER), AGENT),
  RUNS_WRITE("Cancel, replay and fork runs.", of(OPERATOR), AGENT),
  MEMORY_READ("Read the memory of agents.", of(OPERATOR, VIEWER), AGENT),
  MEMORY_WRITE("Write and delete the memory of agents.", of(OPERATOR), AGENT),
  SERVERS_READ("Read remote MCP servers and their tools.", of(OPERATOR, VIEWER), AGENT),
  SERVERS_APPROVE("Approve or reject servers and changed tools.", of(OPERATOR), AGENT),
  EVENTS_READ("Follow the event stream.", of(OPERATOR, MEMBER, VIEWER), AGENT, SPACE),
  METRICS_READ("Read /metrics.", of(OPERATOR, VIEWER)),
  PEOPLE_READ("List people.", of(OPERATOR)),
  PEOPLE_WRITE("Create, change and remove people.", of()),
  TOKENS_READ("List tokens, without secrets.", of(OPERATOR)),
  TOKENS_WRITE("Create, rotate and revoke tokens.", of(OPERATOR), AGENT),
  DAEMON_WRITE("Stop the daemon.", of());

  /// What a scope can be limited to.
  public enum ScopeFilter {
    AGENT,
    SPACE;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final List<String> WORDS = Stream.of(values()).map(Scope::word).toList();

  private final String description;

  @SuppressWarnings("ImmutableEnumChecker") // made by Set.of and List.of
  private final Set<Role> roles;

  @SuppressWarnings("ImmutableEnumChecker")
  private final List<ScopeFilter> filters;

  Scope(String description, Set<Role> roles, ScopeFilter... filters) {
    this.description = description;
    this.roles = roles;
    this.filters = List.of(filters);
  }

  private static Set<Role> of(Role... roles) {
    return Set.of(roles);
  }

  @Override
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', ':');
  }

  public String description() {
    return description;
  }

  public List<ScopeFilter> filters() {
    return filters;
  }

  public boolean isIn(Role role) {
    return role == Role.OWNER || roles.contains(role);
  }

  static Scope parse(String word) {
    return Stream.of(values())
        .filter(scope -> scope.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            ErrorCode.INVALID_ARGUMENTS.fault(
                "unknown scope \"%s\"".formatted(word),
                SpellingSuggestion.suggestion(word, WORDS)
                    + "use one of: "
                    + String.join(", ", WORDS)));
  }
}
