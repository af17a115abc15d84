package dev.substrat.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Memory blocks written by their agents.
@OnEveryDatabase
final class AgentBlocksTest {
  private final MemoryTeam team;

  AgentBlocksTest(TestDatabase kind) {
    this.team = new MemoryTeam(kind.dialect());
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"S4-11", "S4-13", "S4-22", "C10"})
  void a_block_is_created_and_then_overwritten() {
    assertThat(team.call("ada", "update_memory", "{'label':'mood','content':'calm'}"))
        .isEqualTo(Json.own("{\"success\":true}"));
    assertThat(team.call("ada", "update_memory", "{'label':'mood','content':'glad'}"))
        .isEqualTo(Json.own("{\"success\":true}"));

    MemoryBlock block = team.memory.keptBlocks().show("ada", "mood");
    assertThat(block.content()).isEqualTo("glad");
    assertThat(block.version()).isEqualTo(2);
    assertThat(block.limit()).isEqualTo(MemoryLimits.BLOCK);
    assertThat(block.shared()).isFalse();
  }

  @Test
  @Requirement("N9")
  void every_version_has_its_author_and_reason() {
    team.call("ada", "update_memory", "{'label':'mood','content':'calm'}");
    var change = new BlockAdministration.BlockChange("stern", null, null, null, 1L);
    team.memory.keptBlocks().set("ada", "mood", change, MemoryAuthor.operator("too soft"));

    String ada = team.engine.agents().require("ada").id().value();
    var versions = team.versions("ada", "mood");
    assertThat(versions)
        .extracting(MemoryVersion::version, MemoryVersion::content, MemoryVersion::author)
        .containsExactly(tuple(2L, "stern", "operator"), tuple(1L, "calm", ada));
    assertThat(versions.getFirst().reason()).isEqualTo("too soft");
    assertThat(versions.getLast().reason()).startsWith("run ");
  }

  @Test
  @Requirement("N9")
  void undo_restores_the_previous_content_as_a_new_version() {
    team.call("ada", "update_memory", "{'label':'mood','content':'calm'}");
    team.call("ada", "update_memory", "{'label':'mood','content':'glad'}");

    var undone = team.memory.keptBlocks().undo("ada", "mood", MemoryAuthor.operator("undo"));

    assertThat(undone.content()).isEqualTo("calm");
    assertThat(undone.version()).isEqualTo(3);
    assertThat(
            team.memory.keptBlocks().undo("ada", "mood", MemoryAuthor.operator("undo")).content())
        .as("an undo can be undone")
        .isEqualTo("glad");
  }

  @Test
  @Requirement("N9")
  void a_deleted_block_is_restored_with_its_versions() {
    team.call("ada", "update_memory", "{'label':'mood','content':'calm'}");
    team.memory.keptBlocks().delete("ada", "mood", MemoryAuthor.operator(null));
    assertThat(team.memory.keptBlocks().list("ada")).isEmpty();

    team.memory.keptBlocks().undo("ada", "mood", MemoryAuthor.operator("undo"));

    assertThat(team.content("ada", "mood")).isEqualTo("calm");
    assertThat(team.refusal("ada", "update_memory", "{'label':'mood','content':'glad'}"))
        .as("it was not shown since")
        .isEqualTo("CONFLICT");
  }

  @Test
  @Requirement("N9")
  void content_over_the_limit_is_rejected_with_both_sizes() {
    String tooLong = "x".repeat(MemoryLimits.BLOCK + 7);

    JsonNode refused =
        team.call("ada", "update_memory", "{'label':'mood','content':'%s'}".formatted(tooLong));

    assertThat(refused.path("code").asText()).isEqualTo("TOO_LARGE");
    assertThat(refused.path("message").asText()).contains("4000", "4007");
    assertThat(refused.path("hint").asText()).contains("shorten the text by 7");
    assertThat(team.memory.keptBlocks().list("ada")).isEmpty();
    String full = "🦀".repeat(MemoryLimits.BLOCK);
    assertThat(
            team.refusal("ada", "update_memory", "{'label':'mood','content':'%s'}".formatted(full)))
        .as("an emoji is one character")
        .isEmpty();
  }

  @Test
  void the_number_of_blocks_is_limited() {
    for (int i = 0; i < MemoryLimits.BLOCKS; i++) {
      team.call("ada", "update_memory", "{'label':'b%d','content':'x'}".formatted(i));
    }

    assertThat(team.refusal("ada", "update_memory", "{'label':'more','content':'x'}"))
        .isEqualTo("LIMIT_REACHED");
    assertThat(team.refusal("ada", "update_memory", "{'label':'b0','content':'y'}")).isEmpty();
  }

  @Test
  @Requirement("N9")
  void a_read_only_block_is_changed_by_people_only() {
    var change = new BlockAdministration.BlockChange("no gambling", "rules", null, true, null);
    team.memory.keptBlocks().set("ada", "law", change, MemoryAuthor.operator(null));
    team.look("ada");

    assertThat(team.refusal("ada", "update_memory", "{'label':'law','content':'gamble'}"))
        .isEqualTo("FORBIDDEN");
    assertThat(team.content("ada", "law")).isEqualTo("no gambling");
  }

  @Test
  @Requirement("S4-18")
  void arguments_are_checked_before_any_change() {
    assertThat(team.refusal("ada", "update_memory", "{'label':'mood'}"))
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.refusal("ada", "update_memory", "{'label':'','content':'x'}"))
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.refusal("ada", "update_memory", "{'label':'a\\nb','content':'x'}"))
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.refusal("ada", "update_memory", "{'label':'m','content':'x','agent':'ben'}"))
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.memory.keptBlocks().list("ada")).isEmpty();
  }

  @Test
  @Requirement("A12")
  void a_retried_call_writes_once_whatever_happened_since() {
    String calm = "{'label':'mood','content':'calm'}";
    team.call("ada", "update_memory", calm, "key-1");
    team.call("ada", "update_memory", "{'label':'mood','content':'glad'}", "key-2");

    JsonNode again = team.call("ada", "update_memory", calm, "key-1");

    assertThat(again).isEqualTo(Json.own("{\"success\":true}"));
    assertThat(team.content("ada", "mood")).isEqualTo("glad");
    assertThat(team.told("memory_updated")).hasSize(2);
  }

  @Test
  void writing_equal_content_creates_no_version() {
    team.call("ada", "update_memory", "{'label':'mood','content':'calm'}");
    team.call("ada", "update_memory", "{'label':'mood','content':'calm'}");

    assertThat(team.versions("ada", "mood")).hasSize(1);
  }

  @Test
  @Requirement("N9")
  void memory_events_contain_sizes_and_no_content() {
    team.call("ada", "update_memory", "{'label':'mood','content':'secretly glad'}");

    var event = team.told("memory_updated").getFirst();
    assertThat(event.path("label").asText()).isEqualTo("mood");
    assertThat(event.path("version").asLong()).isEqualTo(1);
    assertThat(event.path("size").asInt()).isEqualTo(13);
    assertThat(event.toString()).doesNotContain("secretly");
  }

  @Test
  void making_a_block_read_only_is_one_event() {
    var change = new BlockAdministration.BlockChange("calm", null, null, null, null);
    team.memory.keptBlocks().set("ada", "mood", change, MemoryAuthor.operator(null));
    var fixed = new BlockAdministration.BlockChange("calm", null, null, true, null);
    team.memory.keptBlocks().set("ada", "mood", fixed, MemoryAuthor.operator(null));
    team.memory.keptBlocks().set("ada", "mood", fixed, MemoryAuthor.operator(null));

    assertThat(team.told("memory_updated")).hasSize(2);
    assertThat(team.versions("ada", "mood")).hasSize(1);
  }

  @Test
  void memory_of_a_terminated_agent_remains_visible_to_people() {
    team.call("ada", "update_memory", "{'label':'mood','content':'calm'}");
    String ada = team.engine.agents().require("ada").id().value();
    team.engine.agents().terminate("ada");

    assertThat(team.content(ada, "mood")).isEqualTo("calm");
  }
}
