package dev.substrat.console.team;

import dev.substrat.console.team.TeamDiagram.DiagramEdge;
import dev.substrat.console.team.TeamDiagram.DiagramNode;
import dev.substrat.console.team.TeamDiagram.HiddenChildren;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Layout of a team as a tree from left to right: a parent is centred at few children and aligned
/// with the first of many. Positions are in pixels.
public record TeamDiagram(
    int width,
    int height,
    List<DiagramNode> nodes,
    List<HiddenChildren> more,
    List<DiagramEdge> reports,
    List<DiagramEdge> waits) {
  public static final int NODE_WIDTH = 208;
  public static final int NODE_HEIGHT = 60;
  private static final int COLUMN = 240;
  private static final int ROW = 76;
  private static final int MARGIN = 10;

  /// With more children, the centre may be out of view.
  private static final int FEW = 6;

  /// Space for lines between nodes in one column.
  private static final int BULGE = 44;

  /// A node and its position.
  public record DiagramNode(TeamNode member, int x, int y) {
    int middle() {
      return y + NODE_HEIGHT / 2;
    }

    int right() {
      return x + NODE_WIDTH;
    }
  }

  /// Placeholder for children that are not shown. `last` is the id of the last child that is.
  public record HiddenChildren(TeamNode lead, String last, int count, int x, int y) {
    /// Expands the lead, or shows its children after the last one of this page.
    public String path() {
      String handle = lead.agent().handle();
      return "/team?open=" + handle + (handle.equals(lead.open()) ? "&after=" + last : "");
    }

    int middle() {
      return y + NODE_HEIGHT / 2;
    }

    int right() {
      return x + NODE_WIDTH;
    }
  }

  /// A curve between two nodes, and its tooltip.
  public record DiagramEdge(String id, String path, String title) {}

  /// Members in display order; exactly one of them has no parent among them. `hidden` are the
  /// numbers of children that are not shown, by parent id.
  public static TeamDiagram of(List<TeamNode> members, Map<String, Integer> hidden) {
    var layout = new DiagramLayout(members, hidden);
    layout.place(members.getFirst(), 0);
    List<DiagramNode> nodes =
        members.stream().map(one -> layout.nodes.get(one.agent().id())).toList();
    return new TeamDiagram(
        layout.right + MARGIN + BULGE,
        layout.rows * ROW - (ROW - NODE_HEIGHT) + 2 * MARGIN,
        nodes,
        List.copyOf(layout.more),
        layout.reports(nodes),
        layout.waits(nodes));
  }

  /// The same team for a portrait screen.
  public TeamDiagram tall() {
    return TeamOutline.of(
        nodes.stream().map(DiagramNode::member).toList(),
        more.stream()
            .collect(Collectors.toMap(one -> one.lead().agent().id(), HiddenChildren::count)));
  }

  private static final class DiagramLayout {
    private final Map<String, List<TeamNode>> children = new HashMap<>();
    private final Map<String, DiagramNode> nodes = new HashMap<>();
    private final Map<String, Integer> hidden;
    private final List<HiddenChildren> more = new ArrayList<>();
    private int rows;
    private int right;

    DiagramLayout(List<TeamNode> members, Map<String, Integer> hidden) {
      this.hidden = hidden;
      for (TeamNode member : members) {
        if (member.parentId() != null) {
          children.computeIfAbsent(member.parentId(), _ -> new ArrayList<>()).add(member);
        }
      }
    }

    /// Returns its y position.
    private int place(TeamNode member, int column) {
      var below = new ArrayList<Integer>();
      for (TeamNode child : children.getOrDefault(member.agent().id(), List.of())) {
        below.add(place(child, column + 1));
      }
      int left = hidden.getOrDefault(member.agent().id(), 0);
      if (left > 0) {
        var rest =
            new HiddenChildren(
                member, lastChild(member), left, MARGIN + COLUMN * (column + 1), row());
        more.add(rest);
        right = Math.max(right, rest.right());
        below.add(rest.y());
      }
      var node = new DiagramNode(member, MARGIN + COLUMN * column, beside(below));
      nodes.put(member.agent().id(), node);
      right = Math.max(right, node.right());
      return node.y();
    }

    private String lastChild(TeamNode lead) {
      List<TeamNode> below = children.getOrDefault(lead.agent().id(), List.of());
      return below.isEmpty() ? "" : below.getLast().agent().id();
    }

    private int beside(List<Integer> below) {
      if (below.isEmpty()) {
        return row();
      }
      int first = below.getFirst();
      return below.size() > FEW ? first : (first + below.getLast()) / 2;
    }

    private int row() {
      return MARGIN + ROW * rows++;
    }

    private List<DiagramEdge> reports(List<DiagramNode> all) {
      var lines = new ArrayList<DiagramEdge>();
      for (DiagramNode child : all) {
        DiagramNode parent = nodes.get(String.valueOf(child.member().parentId()));
        if (parent != null) {
          String title =
              child.member().agent().name() + " reports to " + parent.member().agent().name();
          lines.add(
              new DiagramEdge("r-" + child.member().agent().id(), across(parent, child, 0), title));
        }
      }
      for (HiddenChildren rest : more) {
        DiagramNode lead = nodes.get(rest.lead().agent().id());
        if (lead != null) {
          int bend = (lead.right() + rest.x()) / 2;
          String path = curve(lead.right(), lead.middle(), bend, rest.x(), rest.middle());
          lines.add(new DiagramEdge("m-" + rest.lead().agent().id(), path, ""));
        }
      }
      return lines;
    }

    private List<DiagramEdge> waits(List<DiagramNode> all) {
      var lines = new ArrayList<DiagramEdge>();
      for (DiagramNode asker : all) {
        for (String id : asker.member().asked()) {
          DiagramNode answerer = nodes.get(id);
          if (answerer != null) {
            lines.add(wait(asker, answerer));
          }
        }
      }
      return lines;
    }

    private static DiagramEdge wait(DiagramNode asker, DiagramNode answerer) {
      String path;
      if (asker.x() == answerer.x()) {
        path = beside(asker, answerer);
      } else if (asker.x() < answerer.x()) {
        path = across(asker, answerer, 8);
      } else {
        path = back(asker, answerer, -8);
      }
      return new DiagramEdge(
          "w-" + asker.member().agent().id() + "-" + answerer.member().agent().id(),
          path,
          asker.member().agent().name() + " waits for " + answerer.member().agent().name());
    }

    private static String across(DiagramNode left, DiagramNode right, int shift) {
      int middle = (left.right() + right.x()) / 2;
      return curve(left.right(), left.middle() + shift, middle, right.x(), right.middle() + shift);
    }

    private static String back(DiagramNode right, DiagramNode left, int shift) {
      int middle = (left.right() + right.x()) / 2;
      return curve(right.x(), right.middle() + shift, middle, left.right(), left.middle() + shift);
    }

    private static String beside(DiagramNode one, DiagramNode other) {
      return curve(one.right(), one.middle(), one.right() + BULGE, other.right(), other.middle());
    }

    private static String curve(int x, int y, int bend, int toX, int toY) {
      return "M%d %dC%d %d %d %d %d %d".formatted(x, y, bend, y, bend, toY, toX, toY);
    }
  }

  /// Layout of a team as an indented list, for portrait screens.
  private static final class TeamOutline {
    private static final int ROW = 72;
    private static final int INDENT = 24;
    private static final int MARGIN = 10;

    /// Space for arrows beside the nodes.
    private static final int BULGE = 34;

    private final Map<String, List<TeamNode>> children = new HashMap<>();
    private final Map<String, DiagramNode> nodes = new HashMap<>();
    private final List<DiagramNode> inOrder = new ArrayList<>();
    private final List<HiddenChildren> more = new ArrayList<>();
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
              outline.inOrder.stream().mapToInt(DiagramNode::right).max().orElse(0),
              outline.more.stream().mapToInt(HiddenChildren::right).max().orElse(0));
      return new TeamDiagram(
          right + BULGE + MARGIN,
          outline.rows * ROW - (ROW - TeamDiagram.NODE_HEIGHT) + 2 * MARGIN,
          List.copyOf(outline.inOrder),
          List.copyOf(outline.more),
          outline.reports(),
          outline.waits(right + BULGE));
    }

    private void place(TeamNode member, int depth) {
      var node = new DiagramNode(member, MARGIN + INDENT * depth, row());
      inOrder.add(node);
      nodes.put(member.agent().id(), node);
      List<TeamNode> below = children.getOrDefault(member.agent().id(), List.of());
      for (TeamNode child : below) {
        place(child, depth + 1);
      }
      int left = hidden.getOrDefault(member.agent().id(), 0);
      if (left > 0) {
        String last = below.isEmpty() ? "" : below.getLast().agent().id();
        more.add(new HiddenChildren(member, last, left, MARGIN + INDENT * (depth + 1), row()));
      }
    }

    private int row() {
      return MARGIN + ROW * rows++;
    }

    private List<DiagramEdge> reports() {
      var lines = new ArrayList<DiagramEdge>();
      for (DiagramNode child : inOrder) {
        DiagramNode parent = nodes.get(String.valueOf(child.member().parentId()));
        if (parent != null) {
          lines.add(report(child, parent));
        }
      }
      return lines;
    }

    private static DiagramEdge report(DiagramNode child, DiagramNode parent) {
      String path =
          "M%d %dV%dH%d"
              .formatted(
                  parent.x() + INDENT / 2,
                  parent.y() + TeamDiagram.NODE_HEIGHT,
                  child.middle(),
                  child.x());
      return new DiagramEdge("r-" + child.member().agent().id(), path, "");
    }

    private List<DiagramEdge> waits(int bend) {
      var lines = new ArrayList<DiagramEdge>();
      for (DiagramNode asker : inOrder) {
        for (String id : asker.member().asked()) {
          DiagramNode answerer = nodes.get(id);
          if (answerer != null) {
            lines.add(wait(asker, answerer, bend));
          }
        }
      }
      return lines;
    }

    private static DiagramEdge wait(DiagramNode asker, DiagramNode answerer, int bend) {
      return new DiagramEdge(
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
}
