package dev.substrat.server.console.team;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Tx;
import dev.substrat.team.AgentTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Selects the agents of one Team page: a bounded number, however many there are. Agents that are
/// left out are counted, but not read.
///
/// The page has the first teams after a cursor, each from its root down as far as there is room. If
/// an agent is expanded, the page has only its team, with the first of its children after the
/// cursor.
final class TeamSelection {
  /// Maximum number of agents on a page.
  private static final int MAX_COUNT = 40;

  /// Maximum number of diagrams on a page.
  private static final int TEAMS = 10;

  /// Maximum number of children shown per agent, unless expanded.
  private static final int FIRST = 12;

  private static final String CHILDREN =
      """
      select id from agent where parent_id = ? and terminated_at is null and id > ?
      order by id limit ?
      """;

  private final Tx tx;
  private final Map<String, String> parents = new HashMap<>();
  private final Set<String> wanted = new HashSet<>();
  private final Set<String> shown = new LinkedHashSet<>();
  private final Map<String, Integer> hidden = new HashMap<>();
  private final String open;
  private final String after;
  private String next = "";

  /// `open` is the id of the expanded agent, `chosen` that of an agent that is always shown,
  /// `after` that of the last root or child of the previous page; empty for none.
  TeamSelection(Tx tx, String chosen, String open, String after) {
    this.tx = tx;
    this.open = open;
    this.after = after;
    if (!open.isEmpty()) {
      show(want(open), MAX_COUNT);
      return;
    }
    List<String> roots = roots();
    if (!chosen.isEmpty()) {
      String root = want(chosen);
      if (!roots.contains(root)) {
        roots.add(root);
      }
    }
    long teams = roots.stream().filter(this::isTeam).count();
    int room = teams == 0 ? 0 : (int) ((MAX_COUNT - roots.size()) / teams);
    roots.forEach(root -> show(root, room));
  }

  /// Adds an agent with all its ancestors and returns the last of them.
  private String want(String id) {
    String top = id;
    wanted.add(top);
    for (var up = parentOf(top); up.isPresent(); up = parentOf(top)) {
      parents.put(top, up.get());
      top = up.get();
      wanted.add(top);
    }
    return top;
  }

  private Optional<String> parentOf(String id) {
    return tx.find(
        """
        select agent.parent_id from agent join agent parent on parent.id = agent.parent_id
        where agent.id = ? and parent.terminated_at is null
        """,
        row -> row.text("parent_id"),
        id);
  }

  /// Roots of this page, oldest first.
  private List<String> roots() {
    List<String> found =
        tx.list(
            """
            select id from agent where parent_id is null and terminated_at is null and id > ?
            order by id limit ?
            """,
            row -> row.text("id"),
            after,
            MAX_COUNT + 1);
    var roots = new ArrayList<String>();
    int teams = 0;
    for (String root : found) {
      if (roots.size() == MAX_COUNT || teams == TEAMS) {
        next = roots.getLast();
        break;
      }
      roots.add(root);
      teams += isTeam(root) ? 1 : 0;
    }
    return roots;
  }

  private boolean isTeam(String root) {
    return AgentTree.hasChildren(tx, new AgentId(root));
  }

  /// Shows a root and up to `room` agents below it, those of a higher level first.
  private void show(String root, int room) {
    var leads = new ArrayDeque<>(List.of(root));
    shown.add(root);
    int left = room;
    while (!leads.isEmpty()) {
      String lead = leads.removeFirst();
      String start = lead.equals(open) ? after : "";
      int first = lead.equals(open) ? MAX_COUNT : FIRST;
      List<String> below = tx.list(CHILDREN, row -> row.text("id"), lead, start, first + 1);
      var children = new LinkedHashSet<>(below.subList(0, Math.min(first, below.size())));
      wanted.stream().filter(id -> lead.equals(parents.get(id))).forEach(children::add);
      int count = 0;
      for (String child : children) {
        if (left > 0 || wanted.contains(child)) {
          left--;
          count++;
          parents.put(child, lead);
          shown.add(child);
          leads.add(child);
        }
      }
      boolean isCut = below.size() > first || count < children.size();
      int rest = isCut ? count(lead, start) - count : 0;
      if (rest > 0) {
        hidden.put(lead, rest);
      }
    }
  }

  private int count(String lead, String start) {
    return (int)
        tx.number(
            """
            select count(*) as n from agent
            where parent_id = ? and terminated_at is null and id > ?
            """,
            lead,
            start);
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

  /// The last root of this page if there are more, or empty.
  String next() {
    return next;
  }
}
