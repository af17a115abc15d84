package dev.substrat.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.mcp.wire.HeaderArguments;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolEffect;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ToolDescriptorsTest {
  private final ToolDescriptors cards = new ToolDescriptors();

  /// Input and output of the tools of this test.
  public record Word(String word) {}

  private static Tool tool(String name) {
    return SimpleTool.of(
        name, ToolEffect.LOOKS, Word.class, Word.class, "Says it again.", (_, word) -> word);
  }

  @Test
  void descriptors_of_the_same_tool_list_are_built_once() {
    List<Tool> tools = List.of(tool("say"), tool("shout"));
    assertThat(cards.of(tools)).isSameAs(cards.of(tools));
  }

  /// Also with equal tools: a changed list is recognized by its identity.
  @Test
  void another_tool_list_has_its_own_descriptors() {
    Tool tool = tool("say");
    assertThat(cards.of(List.of(tool))).isNotSameAs(cards.of(List.of(tool)));
  }

  @Test
  void descriptors_of_unused_lists_are_evicted() {
    List<Tool> first = List.of(tool("say"));
    var before = cards.of(first);
    for (int i = 0; i < 200; i++) {
      var _ = cards.of(List.of(tool("say")));
    }
    assertThat(cards.of(first)).isNotSameAs(before);
  }

  @Test
  void a_tool_without_header_parameters_declares_none() {
    List<Tool> tools = List.of(tool("say"));
    assertThat(cards.mirrored(tools, "say")).isEqualTo(HeaderArguments.NONE);
    assertThat(cards.mirrored(tools, "unknown")).isEqualTo(HeaderArguments.NONE);
  }
}
