package dev.substrat.console.team;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.console.agents.AgentCard;
import dev.substrat.console.agents.ConditionBadge;
import dev.substrat.console.team.TeamDiagram.DiagramNode;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TeamDiagramTest {
  private final TeamDiagram picture =
      TeamDiagram.of(
          List.of(
              member("top", null, List.of("left")),
              member("left", "top", List.of("right")),
              member("right", "top", List.of("top", "operator")),
              member("deep", "left", List.of()),
              member("other", "left", List.of())),
          Map.of());

  @Test
  void a_parent_is_left_of_its_children_and_centred() {
    DiagramNode top = node("top");
    DiagramNode left = node("left");
    assertThat(left.x()).isGreaterThan(top.right());
    assertThat(left.y()).isEqualTo((node("deep").y() + node("other").y()) / 2);
    assertThat(top.y()).isEqualTo((left.y() + node("right").y()) / 2);
  }

  @Test
  void nodes_do_not_overlap_or_leave_the_diagram() {
    for (DiagramNode one : picture.nodes()) {
      assertThat(one.right()).isLessThan(picture.width());
      assertThat(one.y() + TeamDiagram.NODE_HEIGHT).isLessThan(picture.height());
      for (DiagramNode other : picture.nodes()) {
        boolean isApart =
            one.equals(other)
                || Math.abs(one.x() - other.x()) >= TeamDiagram.NODE_WIDTH
                || Math.abs(one.y() - other.y()) >= TeamDiagram.NODE_HEIGHT;
        assertThat(isApart).as("%s and %s", one, other).isTrue();
      }
    }
  }

  @Test
  void the_outline_indents_children_below_their_parent() {
    TeamDiagram tall = picture.tall();
    assertThat(tall.nodes()).hasSameSizeAs(picture.nodes());
    assertThat(tall.nodes().stream().map(node -> node.member().agent().id()))
        .containsExactly("top", "left", "deep", "other", "right");
    for (int i = 1; i < tall.nodes().size(); i++) {
      DiagramNode before = tall.nodes().get(i - 1);
      assertThat(tall.nodes().get(i).y()).isGreaterThan(before.y() + TeamDiagram.NODE_HEIGHT);
      assertThat(tall.nodes().get(i).x()).isGreaterThan(tall.nodes().getFirst().x());
    }
    assertThat(tall.width()).as("fits a phone").isLessThan(340);
    assertThat(tall.reports()).hasSize(4);
    assertThat(tall.waits())
        .extracting(TeamDiagram.DiagramEdge::title)
        .containsExactlyInAnyOrderElementsOf(
            picture.waits().stream().map(TeamDiagram.DiagramEdge::title).toList());
  }

  @Test
  void each_line_is_drawn_once_and_people_are_left_out() {
    assertThat(picture.reports())
        .extracting(TeamDiagram.DiagramEdge::title)
        .hasSize(4)
        .contains("left reports to top");
    assertThat(picture.waits())
        .extracting(TeamDiagram.DiagramEdge::title)
        .containsExactly("top waits for left", "left waits for right", "right waits for top");
  }

  @Test
  void a_parent_of_many_is_aligned_with_the_first_and_the_rest_is_folded() {
    List<TeamNode> many =
        Stream.concat(
                Stream.of(member("top", null, List.of())),
                IntStream.range(0, 12).mapToObj(i -> member("w" + i, "top", List.of())))
            .toList();
    TeamDiagram wide = TeamDiagram.of(many, Map.of("top", 28));
    for (TeamDiagram one : List.of(wide, wide.tall())) {
      assertThat(one.more())
          .singleElement()
          .satisfies(more -> {
            assertThat(more.count()).isEqualTo(28);
            assertThat(more.path()).isEqualTo("/team?open=top");
            assertThat(more.y()).isGreaterThan(one.nodes().getLast().y());
            assertThat(more.y() + TeamDiagram.NODE_HEIGHT).isLessThan(one.height());
            assertThat(more.right()).isLessThan(one.width());
          });
    }
    assertThat(wide.nodes().getFirst().y()).isEqualTo(wide.nodes().get(1).y());
  }

  private DiagramNode node(String name) {
    return picture.nodes().stream()
        .filter(node -> node.member().agent().id().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static TeamNode member(String name, @Nullable String parent, List<String> asked) {
    var card =
        new AgentCard(
            name, name, name, name, "", "worker", "scripted", ConditionBadge.idle(), null, 0, 0);
    return new TeamNode(card, parent, asked, "", false, "");
  }
}
