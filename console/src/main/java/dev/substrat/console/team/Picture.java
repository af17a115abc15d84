package dev.substrat.console.team;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A team as a tree that grows to the right: whoever leads stands left of those they lead, in the
/// middle of them. Positions are in pixels.
public record Picture(
    int width, int height, List<Node> nodes, List<Line> reports, List<Line> waits) {
  public static final int NODE_WIDTH = 208;
  public static final int NODE_HEIGHT = 60;
  private static final int COLUMN = 240;
  private static final int ROW = 76;
  private static final int MARGIN = 10;

  /// Room for lines between those who stand below each other.
  private static final int BULGE = 44;

  /// Where somebody stands.
  public record Node(Member member, int x, int y) {
    int middle() {
      return y + NODE_HEIGHT / 2;
    }

    int right() {
      return x + NODE_WIDTH;
    }
  }

  /// A curve between two of them; `title` says what it means.
  public record Line(String id, String path, String title) {}

  /// Members in the order in which they should stand; exactly one of them has no parent among them.
  public static Picture of(List<Member> members) {
    var layout = new Layout(members);
    layout.place(members.getFirst(), 0);
    List<Node> nodes = members.stream().map(one -> layout.nodes.get(one.agent().id())).toList();
    return new Picture(
        nodes.stream().mapToInt(Node::right).max().orElse(0) + MARGIN + BULGE,
        layout.rows * ROW - (ROW - NODE_HEIGHT) + 2 * MARGIN,
        nodes,
        layout.reports(nodes),
        layout.waits(nodes));
  }

  /// The same team for a screen that is higher than wide.
  public Picture tall() {
    return Outline.of(nodes.stream().map(Node::member).toList());
  }

  private static final class Layout {
    private final Map<String, List<Member>> children = new HashMap<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private int rows;

    Layout(List<Member> members) {
      for (Member member : members) {
        if (member.parentId() != null) {
          children.computeIfAbsent(member.parentId(), _ -> new ArrayList<>()).add(member);
        }
      }
    }

    /// Returns how far down it stands.
    private int place(Member member, int column) {
      List<Member> below = children.getOrDefault(member.agent().id(), List.of());
      int y;
      if (below.isEmpty()) {
        y = MARGIN + ROW * rows++;
      } else {
        int first = place(below.getFirst(), column + 1);
        int last = first;
        for (Member child : below.subList(1, below.size())) {
          last = place(child, column + 1);
        }
        y = (first + last) / 2;
      }
      nodes.put(member.agent().id(), new Node(member, MARGIN + COLUMN * column, y));
      return y;
    }

    private List<Line> reports(List<Node> all) {
      var lines = new ArrayList<Line>();
      for (Node child : all) {
        Node parent = nodes.get(String.valueOf(child.member().parentId()));
        if (parent != null) {
          String title =
              child.member().agent().name() + " reports to " + parent.member().agent().name();
          lines.add(new Line("r-" + child.member().agent().id(), across(parent, child, 0), title));
        }
      }
      return lines;
    }

    private List<Line> waits(List<Node> all) {
      var lines = new ArrayList<Line>();
      for (Node asker : all) {
        for (String id : asker.member().asked()) {
          Node answerer = nodes.get(id);
          if (answerer != null) {
            lines.add(wait(asker, answerer));
          }
        }
      }
      return lines;
    }

    private static Line wait(Node asker, Node answerer) {
      String path;
      if (asker.x() == answerer.x()) {
        path = beside(asker, answerer);
      } else if (asker.x() < answerer.x()) {
        path = across(asker, answerer, 8);
      } else {
        path = back(asker, answerer, -8);
      }
      return new Line(
          "w-" + asker.member().agent().id() + "-" + answerer.member().agent().id(),
          path,
          asker.member().agent().name() + " waits for " + answerer.member().agent().name());
    }

    private static String across(Node left, Node right, int shift) {
      int middle = (left.right() + right.x()) / 2;
      return curve(left.right(), left.middle() + shift, middle, right.x(), right.middle() + shift);
    }

    private static String back(Node right, Node left, int shift) {
      int middle = (left.right() + right.x()) / 2;
      return curve(right.x(), right.middle() + shift, middle, left.right(), left.middle() + shift);
    }

    private static String beside(Node one, Node other) {
      return curve(one.right(), one.middle(), one.right() + BULGE, other.right(), other.middle());
    }

    private static String curve(int x, int y, int bend, int toX, int toY) {
      return "M%d %dC%d %d %d %d %d %d".formatted(x, y, bend, y, bend, toY, toX, toY);
    }
  }
}
