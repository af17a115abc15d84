package dev.substrat.console.team;

import dev.substrat.console.team.TeamDiagram.Line;
import dev.substrat.console.team.TeamDiagram.More;
import dev.substrat.console.team.TeamDiagram.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Layout of a team as an indented list, for portrait screens.
final class TeamOutline {
  private static final int ROW = 72;
  private static final int INDENT = 24;
  private static final int MARGIN = 10;

  /// Space for arrows beside the nodes.
  private static final int BULGE = 34;

  private final Map<String, List<TeamNode>> children = new HashMap<>();
  private final Map<String, Node> nodes = new HashMap<>();
  private final List<Node> inOrder = new ArrayList<>();
  private final List<More> more = new ArrayList<>();
  private final Map<String, Integer> hidden;
  private int rows;

  private TeamOutline(List<TeamNode> members, Map<String, Integer> hidden) {
    this.hidden = hidden;
    for (TeamNode member : members) {
      if (member.parentId() != null) {
        children.computeIfAbsent(member.parentId(), _ -> new ArrayList<>()).add(member);
      }
    }
  }

  static TeamDiagram of(List<TeamNode> members, Map<String, Integer> hidden) {
    var outline = new TeamOutline(members, hidden);
    outline.place(members.getFirst(), 0);
    int right =
        Math.max(
            outline.inOrder.stream().mapToInt(Node::right).max().orElse(0),
            outline.more.stream().mapToInt(More::right).max().orElse(0));
    return new TeamDiagram(
        right + BULGE + MARGIN,
        outline.rows * ROW - (ROW - TeamDiagram.NODE_HEIGHT) + 2 * MARGIN,
        List.copyOf(outline.inOrder),
        List.copyOf(outline.more),
        outline.reports(),
        outline.waits(right + BULGE));
  }

  private void place(TeamNode member, int depth) {
    var node = new Node(member, MARGIN + INDENT * depth, row());
    inOrder.add(node);
    nodes.put(member.agent().id(), node);
    List<TeamNode> below = children.getOrDefault(member.agent().id(), List.of());
    for (TeamNode child : below) {
      place(child, depth + 1);
    }
    int left = hidden.getOrDefault(member.agent().id(), 0);
    if (left > 0) {
      String last = below.isEmpty() ? "" : below.getLast().agent().id();
      more.add(new More(member, last, left, MARGIN + INDENT * (depth + 1), row()));
    }
  }

  private int row() {
    return MARGIN + ROW * rows++;
  }

  private List<Line> reports() {
    var lines = new ArrayList<Line>();
    for (Node child : inOrder) {
      Node parent = nodes.get(String.valueOf(child.member().parentId()));
      if (parent != null) {
        lines.add(report(child, parent));
      }
    }
    return lines;
  }

  private static Line report(Node child, Node parent) {
    String path =
        "M%d %dV%dH%d"
            .formatted(
                parent.x() + INDENT / 2,
                parent.y() + TeamDiagram.NODE_HEIGHT,
                child.middle(),
                child.x());
    return new Line("r-" + child.member().agent().id(), path, "");
  }

  private List<Line> waits(int bend) {
    var lines = new ArrayList<Line>();
    for (Node asker : inOrder) {
      for (String id : asker.member().asked()) {
        Node answerer = nodes.get(id);
        if (answerer != null) {
          lines.add(wait(asker, answerer, bend));
        }
      }
    }
    return lines;
  }

  private static Line wait(Node asker, Node answerer, int bend) {
    return new Line(
        "w-" + asker.member().agent().id() + "-" + answerer.member().agent().id(),
        "M%d %dC%d %d %d %d %d %d"
            .formatted(
                asker.right(),
                asker.middle(),
                bend,
                asker.middle(),
                bend,
                answerer.middle(),
                answerer.right(),
                answerer.middle()),
        asker.member().agent().name() + " waits for " + answerer.member().agent().name());
  }
}
