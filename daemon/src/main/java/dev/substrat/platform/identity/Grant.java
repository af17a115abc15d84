package dev.substrat.platform.identity;

import dev.substrat.protocol.ErrorCode;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One scope of a token, optionally limited to one agent or space: `messages:send agent=mira`.
public record Grant(Scope scope, @Nullable String agent, @Nullable String space) {

  /// Parses the output of [#text] and user input.
  public static Grant parse(String typed) {
    String[] words = typed.strip().split("\\s+");
    Scope scope = Scope.parse(words[0]);
    @Nullable String agent = null;
    @Nullable String space = null;
    for (String word : List.of(words).subList(1, words.length)) {
      int equals = word.indexOf('=');
      String name = equals < 0 ? word : word.substring(0, equals);
      String value = equals < 0 ? "" : word.substring(equals + 1);
      requireFilter(scope, name, value, typed);
      if (name.equals(Scope.ScopeFilter.AGENT.word())) {
        agent = value;
      } else {
        space = value;
      }
    }
    return new Grant(scope, agent, space);
  }

  private static void requireFilter(Scope scope, String name, String value, String typed) {
    List<String> possible = scope.filters().stream().map(Scope.ScopeFilter::word).toList();
    if (!possible.contains(name) || value.isEmpty()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "scope \"%s\" has no filter \"%s\"".formatted(typed.strip(), name),
          possible.isEmpty()
              ? "use %s without a filter".formatted(scope.word())
              : "%s allows only the filter %s"
                  .formatted(
                      scope.word(),
                      String.join(" or ", possible.stream().map(one -> one + "=NAME").toList())));
    }
  }

  /// The same with other names for agent and space: people type handles, the database stores ids.
  public Grant naming(UnaryOperator<String> agents, UnaryOperator<String> spaces) {
    return new Grant(
        scope,
        agent == null ? null : agents.apply(agent),
        space == null ? null : spaces.apply(space));
  }

  boolean isFiltered() {
    return agent != null || space != null;
  }

  /// Whether this grant allows a request for `wanted` on `target`.
  boolean covers(Scope wanted, AccessTarget target) {
    return scope == wanted
        && (agent == null || agent.equals(target.agent()))
        && (space == null || space.equals(target.space()));
  }

  /// Whether this grant allows everything that `other` allows.
  public boolean includes(Grant other) {
    return covers(other.scope, new AccessTarget(other.agent, other.space));
  }

  public String text() {
    return String.join(
        " ",
        Stream.of(
                scope.word(),
                agent == null ? "" : "agent=" + agent,
                space == null ? "" : "space=" + space)
            .filter(word -> !word.isEmpty())
            .toList());
  }
}
