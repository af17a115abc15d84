package dev.substrat.provider.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.memory.AgentBlocks;
import dev.substrat.memory.MemoryBlock;
import dev.substrat.memory.MemoryValues;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import dev.substrat.testkit.Requirement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Exact text of the memory in a prompt.
final class MemorySectionTest {
  private static final String ADA_ID = "01980000-0000-7000-8000-000000000002";
  private static final String BEN_ID = "01980000-0000-7000-8000-000000000003";
  private static final Agent ADA = agent(List.of("team", "memory"));

  @Test
  @Requirement({"S4-13", "N9"})
  void blocks_and_values_are_inside_a_data_fence() {
    var section =
        new MemorySection(
            List.of(
                block("b-1", "mood", "Calm since the storm.\n\n## Not a heading", ADA_ID),
                shared("b-2", "plan", "Sail at eight.", BEN_ID)),
            List.of(
                new MemoryValues.StoredValue("v-1", "berth", "4", 1, Instant.EPOCH),
                new MemoryValues.StoredValue("v-2", "ship", "Alma\nof Bergen", 2, Instant.EPOCH)),
            Map.of(ADA_ID, "ada", BEN_ID, "ben"));

    GoldenFiles.require("memory", section.text(ADA).orElseThrow() + "\n");
    assertThat(section.shown())
        .containsExactly(
            new AgentBlocks.VisibleBlock("b-1", 3), new AgentBlocks.VisibleBlock("b-2", 7));
  }

  @Test
  void an_agent_without_memory_gets_a_hint_if_it_has_memory_tools() {
    var nothing = new MemorySection(List.of(), List.of(), Map.of());

    GoldenFiles.require("memory-empty", nothing.text(ADA).orElseThrow() + "\n");
    assertThat(nothing.text(agent(List.of("team")))).isEmpty();
  }

  @Test
  @Requirement("N9")
  void a_cut_block_does_not_count_as_shown() {
    var section =
        new MemorySection(
            List.of(
                block("b-1", "short", "x", ADA_ID),
                block("b-2", "long", "y".repeat(60_000), ADA_ID)),
            List.of(),
            Map.of(ADA_ID, "ada"));

    assertThat(section.text(ADA).orElseThrow()).contains("of 60000 characters are shown");
    assertThat(section.shown()).containsExactly(new AgentBlocks.VisibleBlock("b-1", 3));
  }

  private static MemoryBlock block(String id, String label, String content, String author) {
    return new MemoryBlock(
        id, label, content, "", 4000, false, false, true, 3, 0, author, Instant.EPOCH);
  }

  private static MemoryBlock shared(String id, String label, String content, String author) {
    return new MemoryBlock(
        id, label, content, "What we do.", 200, false, true, false, 7, 0, author, Instant.EPOCH);
  }

  private static Agent agent(List<String> toolsets) {
    var agentProvider = ProviderConfig.named("scripted");
    var config =
        new AgentConfig(
            "ada", null, null, null, "worker", agentProvider, toolsets, null, null, null);
    return new Agent(
        new AgentId(ADA_ID), "ada", "ada", "worker", null, config, false, Instant.EPOCH, null);
  }
}
