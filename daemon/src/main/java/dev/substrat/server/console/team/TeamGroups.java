package dev.substrat.server.console.team;

import dev.substrat.console.agents.AgentCard;
import dev.substrat.console.team.TeamDiagram;
import dev.substrat.console.team.TeamNode;
import dev.substrat.platform.json.Json;
import dev.substrat.server.console.agents.AgentList;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Groups active agents into teams: trees of at least two agents, and single agents.
record TeamGroups(List<TeamDiagram> teams, List<TeamNode> alone, String next) {
  /// `chosen` is the agent with open details; `open` the expanded agent; `after` the position of
  /// the page. All may be absent.
  static TeamGroups of(Tx tx, Optional<Agent> chosen, Optional<Agent> open, String after) {
    var lineup = new TeamSelection(tx, id(chosen), id(open), after);
    List<AgentCard> cards = AgentList.among(tx, lineup.shown());
    Map<String, AgentCard> byId =
        cards.stream().collect(Collectors.toMap(AgentCard::id, card -> card));
    Map<String, List<String>> asked = asked(tx, lineup.shown());
    var teams = new LinkedHashMap<String, List<TeamNode>>();
    for (AgentCard card : cards) {
      List<String> recipients = asked.getOrDefault(card.id(), List.of());
      var member =
          new TeamNode(
              card,
              lineup.parent(card.id()),
              recipients,
              names(recipients, byId),
              card.id().equals(id(chosen)),
              open.map(Agent::handle).orElse(""));
      teams.computeIfAbsent(root(card.id(), lineup), _ -> new ArrayList<>()).add(member);
    }
    return of(teams, lineup);
  }

  private static String id(Optional<Agent> agent) {
    return agent.map(one -> one.id().value()).orElse("");
  }

  /// Children are created after their parents, so each team starts with its root.
  private static TeamGroups of(Map<String, List<TeamNode>> teams, TeamSelection lineup) {
    Map<String, Integer> hidden = lineup.hidden();
    var pictures = new ArrayList<TeamDiagram>();
    var alone = new ArrayList<TeamNode>();
    for (List<TeamNode> team : teams.values()) {
      if (team.size() == 1 && !hidden.containsKey(team.getFirst().agent().id())) {
        alone.add(team.getFirst());
      } else {
        pictures.add(TeamDiagram.of(team, hidden));
      }
    }
    return new TeamGroups(pictures, alone, lineup.next());
  }

  private static String root(String id, TeamSelection lineup) {
    String top = id;
    for (@Nullable String up = lineup.parent(id); up != null; up = lineup.parent(up)) {
      top = up;
    }
    return top;
  }

  /// Agents that owe these a reply.
  private static Map<String, List<String>> asked(Tx tx, Set<String> askers) {
    return tx
        .list(
            """
            select distinct asker, answerer from pending_reply
            where kind = 'question' and asker in (select value from MEMBERS)
            order by asker, answerer
            """
                .replace("MEMBERS", tx.dialect().members()),
            row -> Map.entry(row.text("asker"), row.text("answerer")),
            Json.text(List.copyOf(askers)))
        .stream()
        .collect(
            Collectors.groupingBy(
                Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
  }

  private static String names(List<String> ids, Map<String, AgentCard> byId) {
    return ids.stream()
        .map(id -> Optional.ofNullable(byId.get(id)).map(AgentCard::displayName).orElse(id))
        .collect(Collectors.joining(", "));
  }
}
