package dev.substrat.server.console.team;

import dev.substrat.console.agents.AgentCard;
import dev.substrat.console.team.TeamDiagram;
import dev.substrat.console.team.TeamNode;
import dev.substrat.server.console.agents.AgentList;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  /// Selects the agents of the team diagram. It reads only the tree, and no other data of agents
  /// that are left out.
  private static final class TeamSelection {
    /// Maximum number of agents in the diagrams.
    private static final int MOST = 400;

    /// Maximum number of children shown per agent, unless expanded.
    private static final int FIRST = 12;

    private final Map<String, String> parents = new HashMap<>();
    private final Map<String, List<String>> children = new HashMap<>();
    private final Set<String> wanted = new HashSet<>();
    private final Set<String> shown = new LinkedHashSet<>();
    private final Map<String, Integer> hidden = new HashMap<>();
    private final String open;

    /// `open` is the id of the expanded agent, `chosen` that of an agent that is always shown;
    /// empty for none.
    TeamSelection(Tx tx, String chosen, String open) {
      this.open = open;
      Map<String, String> leads = leads(tx);
      Set<String> alive = leads.keySet();
      leads.forEach((id, lead) -> {
        if (alive.contains(lead)) {
          parents.put(id, lead);
          children.computeIfAbsent(lead, _ -> new ArrayList<>()).add(id);
        }
      });
      want(chosen);
      want(open);
      alive.stream().filter(id -> !parents.containsKey(id)).forEach(this::show);
    }

    /// Adds an agent with all its ancestors.
    private void want(String id) {
      for (@Nullable String up = id; up != null; up = parents.get(up)) {
        wanted.add(up);
      }
    }

    /// Parents of active agents by id, oldest first; empty for roots.
    private static Map<String, String> leads(Tx tx) {
      var leads = new LinkedHashMap<String, String>();
      tx.list(
              """
              select id, coalesce(parent_id, '') as parent_id from agent
              where terminated_at is null order by id
              """,
              row -> Map.entry(row.text("id"), row.text("parent_id")))
          .forEach(pair -> leads.put(pair.getKey(), pair.getValue()));
      return leads;
    }

    private void show(String id) {
      if (shown.size() >= MOST && !wanted.contains(id)) {
        return;
      }
      shown.add(id);
      List<String> below = children.getOrDefault(id, List.of());
      int first = id.equals(open) ? below.size() : FIRST;
      for (int i = 0; i < below.size(); i++) {
        if (i < first || wanted.contains(below.get(i))) {
          show(below.get(i));
        }
      }
      int left = (int) below.stream().filter(one -> !shown.contains(one)).count();
      if (left > 0) {
        hidden.put(id, left);
      }
    }

    /// Ids of the shown agents.
    Set<String> shown() {
      return shown;
    }

    /// Parent ids of the shown agents; only active parents.
    @Nullable String parent(String id) {
      return parents.get(id);
    }

    /// Numbers of children that are not shown, by parent id.
    Map<String, Integer> hidden() {
      return hidden;
    }
  }
}
