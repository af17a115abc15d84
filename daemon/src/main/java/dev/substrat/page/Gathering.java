package dev.substrat.page;

import dev.substrat.console.agents.AgentCard;
import dev.substrat.console.team.Member;
import dev.substrat.console.team.Picture;
import dev.substrat.store.Tx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Everybody who is alive, sorted into teams: a tree of at least two is one, the others are alone.
record Gathering(List<Picture> teams, List<Member> alone) {
  /// More than anybody can look at in one picture.
  private static final int MOST = 400;

  /// `chosen` is the handle of whoever is looked at more closely.
  static Gathering of(Tx tx, String chosen) {
    List<AgentCard> cards = Roster.all(tx, MOST);
    Map<String, AgentCard> byId =
        cards.stream().collect(Collectors.toMap(AgentCard::id, card -> card));
    Map<String, String> parents = parents(tx);
    parents.keySet().retainAll(byId.keySet());
    parents.values().retainAll(byId.keySet());
    Map<String, List<String>> asked = asked(tx);
    var teams = new LinkedHashMap<String, List<Member>>();
    for (AgentCard card : cards) {
      List<String> whom = asked.getOrDefault(card.id(), List.of());
      var member =
          new Member(
              card, parents.get(card.id()), whom, names(whom, byId), card.handle().equals(chosen));
      teams.computeIfAbsent(root(card.id(), parents), _ -> new ArrayList<>()).add(member);
    }
    return of(teams);
  }

  /// Children are never older than those who lead them, so each team begins with its root.
  private static Gathering of(Map<String, List<Member>> teams) {
    var pictures = new ArrayList<Picture>();
    var alone = new ArrayList<Member>();
    for (List<Member> team : teams.values()) {
      if (team.size() == 1) {
        alone.add(team.getFirst());
      } else {
        pictures.add(Picture.of(team));
      }
    }
    return new Gathering(pictures, alone);
  }

  private static String root(String id, Map<String, String> parents) {
    String top = id;
    for (@Nullable String up = parents.get(id); up != null; up = parents.get(up)) {
      top = up;
    }
    return top;
  }

  private static Map<String, String> parents(Tx tx) {
    var parents = new HashMap<String, String>();
    tx.list(
            """
            select id, parent_id from agent
            where terminated_at is null and parent_id is not null
            """,
            row -> Map.entry(row.text("id"), row.text("parent_id")))
        .forEach(pair -> parents.put(pair.getKey(), pair.getValue()));
    return parents;
  }

  /// Who waits for whose answer.
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
        .map(id -> Optional.ofNullable(byId.get(id)).map(AgentCard::called).orElse(id))
        .collect(Collectors.joining(", "));
  }
}
