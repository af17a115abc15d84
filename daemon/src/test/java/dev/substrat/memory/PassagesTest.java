package dev.substrat.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Passages are stored by agents and found by search.
@OnEveryDatabase
final class PassagesTest {
  private final MemoryTeam team;

  PassagesTest(TestDatabase kind) {
    this.team = new MemoryTeam(kind.dialect());
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"S4-14", "S4-17", "C22"})
  void a_stored_passage_is_found_with_exactly_the_documented_keys() {
    JsonNode stored =
        team.call("ada", "store_memory", "{'content':'Ben likes tea.','tags':['ben','taste']}");
    assertThat(fields(stored)).containsExactly("passageId");

    JsonNode found = team.call("ada", "search_memory", "{'query':'tea'}");

    assertThat(fields(found)).containsExactly("passages");
    assertThat(found.path("passages")).hasSize(1);
    JsonNode passage = found.path("passages").get(0);
    assertThat(fields(passage))
        .containsExactly("id", "content", "tags", "createdAt", "match", "score");
    assertThat(passage.path("id")).isEqualTo(stored.path("passageId"));
    assertThat(passage.path("content").asText()).isEqualTo("Ben likes tea.");
    assertThat(passage.path("tags").toString()).isEqualTo("[\"ben\",\"taste\"]");
    assertThat(passage.path("createdAt").asText()).isEqualTo("2026-03-01T12:00:00Z");
    assertThat(passage.path("match").asText()).isEqualTo("words");
    assertThat(passage.path("score").asDouble()).isEqualTo(1);
  }

  @Test
  @Requirement("C22")
  void whole_words_score_higher_than_parts_of_words() {
    store("ada", "boat in the harbor");
    store("ada", "a boat harbor");
    store("ada", "boats near harbors");
    store("ada", "steamboat harborage");

    JsonNode found = team.call("ada", "search_memory", "{'query':'boat harbor'}").path("passages");
    assertThat(found.findValuesAsText("content"))
        .containsExactly(
            "a boat harbor", "boat in the harbor", "steamboat harborage", "boats near harbors");
    assertThat(found.get(0).path("score").asDouble()).isEqualTo(1);
    assertThat(found.get(1).path("score").asDouble()).isBetween(0.8, 0.95);
    assertThat(found.get(2).path("score").asDouble()).isBetween(0.2, 0.5);
    assertThat(found.get(3).path("score").asDouble()).isBetween(0.2, 0.5);

    JsonNode message = team.call("ada", "search_memory", "{'query':'i'}").path("passages");
    assertThat(message.get(0).path("score").asDouble()).as("inside a word").isLessThan(0.5);
    JsonNode either =
        team.call("ada", "search_memory", "{'query':'boat OR tide'}").path("passages");
    assertThat(either.get(0).path("score").asDouble()).isBetween(0.8, 1.0);
  }

  @Test
  @Requirement("S4-15")
  void case_does_not_matter_in_any_language() {
    for (String text :
        List.of("Die Straße ist naß", "Обед в ПОЛДЕНЬ", "ΟΔΥΣΣΕΥΣ sails", "İstanbul", "CAFÉ")) {
      store("ada", text);
    }

    assertThat(team.found("ada", "STRASSE")).containsExactly("Die Straße ist naß");
    assertThat(team.found("ada", "полдень")).containsExactly("Обед в ПОЛДЕНЬ");
    assertThat(team.found("ada", "οδυσσευς")).containsExactly("ΟΔΥΣΣΕΥΣ sails");
    assertThat(team.found("ada", "İSTANBUL")).containsExactly("İstanbul");
    assertThat(team.found("ada", "cafe\u0301")).as("composed or not").containsExactly("CAFÉ");
    assertThat(team.found("ada", "nobody")).isEmpty();
  }

  @Test
  @Requirement("S4-15")
  void a_query_is_matched_literally() {
    store("ada", "100% sure");
    store("ada", "100 or so");
    store("ada", "under_score");
    store("ada", "back\\slash");

    assertThat(team.found("ada", "0%")).containsExactly("100% sure");
    assertThat(team.found("ada", "r_s")).containsExactly("under_score");
    assertThat(team.found("ada", "\\")).containsExactly("back\\slash");
    assertThat(team.found("ada", "' union 1=1 --")).isEmpty();
    assertThat(team.found("ada", "ж".repeat(100_000))).as("however long it is").isEmpty();
  }

  @Test
  void the_newest_passages_come_first_up_to_the_limit() {
    for (int i = 0; i < 12; i++) {
      store("ada", "tide " + i);
      team.clock.pass(Duration.ofSeconds(1));
    }

    assertThat(team.found("ada", "tide")).hasSize(10).startsWith("tide 11", "tide 10");
    JsonNode two = team.call("ada", "search_memory", "{'query':'tide','limit':2}");
    assertThat(two.path("passages").findValuesAsText("content"))
        .containsExactly("tide 11", "tide 10");
    assertThat(team.refusal("ada", "search_memory", "{'query':'tide','limit':0}"))
        .isEqualTo("INVALID_ARGUMENTS");
  }

  @Test
  void tags_narrow_a_search_before_the_limit() {
    team.call("ada", "store_memory", "{'content':'tide low','tags':['Sea','low']}");
    team.clock.pass(Duration.ofSeconds(1));
    team.call("ada", "store_memory", "{'content':'tide high','tags':['sea']}");
    team.clock.pass(Duration.ofSeconds(1));
    store("ada", "tide of letters");

    JsonNode found = team.call("ada", "search_memory", "{'query':'tide','tags':['sea'],'limit':2}");

    assertThat(found.path("passages").findValuesAsText("content"))
        .containsExactly("tide high", "tide low");
    assertThat(
            team.call("ada", "search_memory", "{'query':'','tags':['SEA','low']}")
                .path("passages")
                .findValuesAsText("content"))
        .containsExactly("tide low");
  }

  @Test
  @Requirement("A12")
  void a_retried_call_stores_once_and_gets_the_same_id() {
    JsonNode first = team.call("ada", "store_memory", "{'content':'tide'}", "key");
    JsonNode again = team.call("ada", "store_memory", "{'content':'tide'}", "key");
    JsonNode bens = team.call("ben", "store_memory", "{'content':'tide'}", "key");

    assertThat(again).isEqualTo(first);
    assertThat(bens).isNotEqualTo(first);
    assertThat(team.found("ada", "tide")).hasSize(1);
    assertThat(team.told("passage_stored")).hasSize(2);
  }

  @Test
  @Requirement("S4-18")
  void invalid_passages_are_rejected() {
    assertThat(team.refusal("ada", "store_memory", "{'content':' '}"))
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.refusal("ada", "store_memory", "{'content':'x','tags':['']}"))
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.refusal("ada", "store_memory", "{'content':'x','tags':'sea'}"))
        .isEqualTo("INVALID_ARGUMENTS");
    String long_ = "x".repeat(MemoryLimits.PASSAGE + 1);
    assertThat(team.refusal("ada", "store_memory", "{'content':'%s'}".formatted(long_)))
        .isEqualTo("TOO_LARGE");
    assertThat(team.found("ada", "")).isEmpty();
  }

  @Test
  void a_deleted_passage_leaves_no_rows() {
    String id = store("ada", "tide");

    assertThatThrownBy(() -> team.memory.passages().delete("ben", id, MemoryAuthor.operator(null)))
        .isInstanceOf(Fault.class);
    team.memory.passages().delete("ada", id, MemoryAuthor.operator(null));

    assertThat(team.found("ada", "tide")).isEmpty();
    assertThat(team.database.<Long>read(tx -> tx.number("select count(*) as n from memory")))
        .isZero();
  }

  private String store(String agent, String content) {
    return team.memory
        .passages()
        .add(agent, new Passages.PassageDraft(content, List.of()), MemoryAuthor.operator(null))
        .id();
  }

  private static List<String> fields(JsonNode node) {
    var names = new ArrayList<String>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
