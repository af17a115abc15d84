package dev.substrat.server.console.team;

import dev.substrat.console.agents.AgentCard;
import dev.substrat.console.team.TeamDiagram;
import dev.substrat.console.team.TeamNode;
import dev.substrat.server.console.agents.AgentList;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Groups active agents into teams: trees of at least two agents, and single agents.
record TeamGroups(List<TeamDiagram> teams, List<TeamNode> alone) {
  /// `chosen` is the agent with open details; `open` the agent whose children are all shown. Both
  /// may be absent.
  static TeamGroups of(Tx tx, Optional<Agent> chosen, Optional<Agent> open) {
    var lineup = new TeamSelection(tx, id(chosen), id(open));
    List<AgentCard> cards = AgentList.among(tx, lineup.shown());
    Map<String, AgentCard> byId =
        cards.stream().collect(Collectors.toMap(AgentCard::id, card -> card));
    Map<String, List<String>> asked = asked(tx);
    var teams = new LinkedHashMap<String, List<TeamNode>>();
    for (AgentCard card : cards) {
      List<String> whom = asked.getOrDefault(card.id(), List.of());
      var member =
          new TeamNode(
              card,
              lineup.parent(card.id()),
              whom,
              names(whom, byId),
              card.id().equals(id(chosen)),
              open.map(Agent::handle).orElse(""));
      teams.computeIfAbsent(root(card.id(), lineup), _ -> new ArrayList<>()).add(member);
    }
    return of(teams, lineup.hidden());
  }

  private static String id(Optional<Agent> agent) {
    return agent.map(one -> one.id().value()).orElse("");
  }

  /// Children are created after their parents, so each team starts with its root.
  private static TeamGroups of(Map<String, List<TeamNode>> teams, Map<String, Integer> hidden) {
    var pictures = new ArrayList<TeamDiagram>();
    var alone = new ArrayList<TeamNode>();
    for (List<TeamNode> team : teams.values()) {
      if (team.size() == 1 && !hidden.containsKey(team.getFirst().agent().id())) {
        alone.add(team.getFirst());
      } else {
        pictures.add(TeamDiagram.of(team, hidden));
      }
    }
    return new TeamGroups(pictures, alone);
  }

  private static String root(String id, TeamSelection lineup) {
    String top = id;
    for (@Nullable String up = lineup.parent(id); up != null; up = lineup.parent(up)) {
      top = up;
    }
    return top;
  }

  /// Pending replies between agents.
  private static Map<String, List<String>> asked(Tx tx) {
    return tx
        .list(
            """
            select distinct asker, answerer from pending_reply where kind = 'question'
            order by asker, answerer
            """,
            row -> Map.entry(row.text("asker"), row.text("answerer")))
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
