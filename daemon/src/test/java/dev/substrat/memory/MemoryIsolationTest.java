package dev.substrat.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// An agent can neither read nor change the memory of another.
@OnEveryDatabase
@Requirement({"S4-12", "S4-19", "N9"})
final class MemoryIsolationTest {
  private static final String SECRET = "heron";

  private final MemoryTeam team;
  private final List<String> adasNames = new ArrayList<>();

  MemoryIsolationTest(TestDatabase kind) {
    this.team = new MemoryTeam(kind.dialect());
    team.call("ada", "update_memory", "{'label':'diary','content':'heron one'}");
    team.call("ada", "set_memories", "{'memories':[{'key':'word','value':'heron two'}]}");
    String passage =
        team.call("ada", "store_memory", "{'content':'heron three','tags':['bird']}")
            .path("passageId")
            .asText();
    String ada = team.engine.agents().require("ada").id().value();
    String block = team.memory.keptBlocks().show("ada", "diary").id();
    String value = team.memory.values().all("ada").getFirst().id();
    adasNames.addAll(
        List.of("diary", "word", "ada/diary", "ada", ada, ada + "/diary", passage, block, value));
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void no_tool_reads_memory_of_another_agent() {
    for (String who : List.of("mira", "ben")) {
      for (String name : adasNames) {
        assertThat(team.call(who, "search_memory", "{'query':'%s'}".formatted(name)).toString())
            .doesNotContain(SECRET);
        assertThat(team.call(who, "get_memories", "{'keys':['%s']}".formatted(name)).toString())
            .doesNotContain(SECRET);
        JsonNode written =
            team.call(who, "update_memory", "{'label':'%s','content':'x'}".formatted(name));
        assertThat(written.toString()).as("nor by a refusal").doesNotContain(SECRET);
      }
      assertThat(team.found(who, SECRET)).isEmpty();
      assertThat(team.found(who, "")).isEmpty();
      assertThat(team.call(who, "search_memory", "{'query':'','tags':['bird']}").toString())
          .doesNotContain(SECRET);
      assertThat(team.call(who, "get_memories", "{}").toString()).doesNotContain(SECRET);
    }
  }

  @Test
  void no_tool_changes_memory_of_another_agent() {
    for (String name : adasNames) {
      team.call("ben", "update_memory", "{'label':'%s','content':'mine'}".formatted(name));
      team.call("ben", "store_memory", "{'content':'mine','tags':['%s']}".formatted(name));
      team.call(
          "ben", "set_memories", "{'memories':[{'key':'%s','value':'mine'}]}".formatted(name));
      team.call("ben", "delete_memories", "{'keys':['%s']}".formatted(name));
    }

    assertThat(team.content("ada", "diary")).isEqualTo("heron one");
    assertThat(team.versions("ada", "diary")).hasSize(1);
    assertThat(team.memory.values().all("ada").getFirst().value()).isEqualTo("heron two");
    assertThat(team.found("ada", SECRET)).containsExactly("heron three");
    assertThat(team.memory.keptBlocks().list("ada")).hasSize(1);
  }

  @Test
  void no_memory_tool_has_an_argument_that_names_an_agent() {
    for (String more : List.of("agent", "agentId", "agent_id", "owner")) {
      String extra = "'%s':'ada'".formatted(more);
      assertThat(team.refusal("ben", "search_memory", "{'query':'heron',%s}".formatted(extra)))
          .isEqualTo("INVALID_ARGUMENTS");
      assertThat(team.refusal("ben", "get_memories", "{%s}".formatted(extra)))
          .isEqualTo("INVALID_ARGUMENTS");
      assertThat(team.refusal("ben", "store_memory", "{'content':'x',%s}".formatted(extra)))
          .isEqualTo("INVALID_ARGUMENTS");
      assertThat(team.refusal("ben", "delete_memories", "{'keys':['word'],%s}".formatted(extra)))
          .isEqualTo("INVALID_ARGUMENTS");
    }
  }
}
