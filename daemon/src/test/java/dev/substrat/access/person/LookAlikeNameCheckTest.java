package dev.substrat.access.person;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.tool.ToolCall;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Names that look like another name are rejected for agents and people.
@OnEveryDatabase
final class LookAlikeNameCheckTest {
  private final TestDatabase place;
  private final TestDaemon daemon;

  LookAlikeNameCheckTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  private Answer create(String name, String more) {
    var config = Json.object().put("name", name);
    config.putObject("provider").put("name", "external");
    if (!more.isEmpty()) {
      config.setAll((ObjectNode) Json.own(more));
    }
    return daemon.post("/api/agents", Json.text(config));
  }

  private Answer put(String path, String json) {
    return daemon.client().send("PUT", path, json);
  }

  private static void assertRefused(Answer answer, String... words) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(409);
    assertThat(answer.text("code")).isEqualTo("NAME_CONFUSABLE");
    assertThat(answer.text("message")).contains(words);
    assertThat(answer.text("hint")).contains("choose a name");
  }

  private static void assertTaken(Answer answer, String words) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(409);
    assertThat(answer.text("code")).isEqualTo("NAME_TAKEN");
    assertThat(answer.text("message")).contains(words);
  }

  private static void assertCreated(Answer answer) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
  }

  @Test
  void a_name_that_looks_like_a_reserved_word_is_refused() {
    assertRefused(create("operator\u200b", ""), "/name", "the reserved word \"operator\"");
    assertRefused(create("\u043eperator", ""), "the reserved word");
    assertRefused(create("USЕR", ""), "\"user\"");
    assertRefused(create("subs\u00adtrat", ""), "\"substrat\"");
  }

  @Test
  void a_reserved_word_is_refused_in_any_punctuation_and_case() {
    for (String name : new String[] {"operator", " Operator ", "SYSTEM", "person", "user"}) {
      Answer answer = create(name, "");
      assertThat(answer.status()).as(name).isEqualTo(422);
      assertThat(answer.text("code")).isEqualTo("INVALID_CONFIG");
      assertThat(answer.text("hint")).contains("reserved: ").contains("system");
    }
    for (String name : new String[] {"@operator", "operator:", "[System]", "\u201cuser\u201d"}) {
      assertRefused(create(name, ""), "the reserved word");
    }
    assertCreated(create("user research", ""));
    assertCreated(create("system architect", ""));
    assertCreated(create("personal coach", ""));
    assertCreated(create("operators", ""));
  }

  /// Prompts introduce people as `person ana`, and the operator as `operator`.
  @Test
  void a_name_that_begins_like_the_prompt_label_of_a_person_is_rejected() {
    for (String name :
        new String[] {
          "person: vera",
          "person vera",
          "Person  Vera",
          "person/vera",
          "person-vera",
          "person\uff1a vera",
          "реrson vera",
          "per\u200bson: vera",
          "operator: go on",
          "Operator (you)",
          "\u043eperator Vera"
        }) {
      assertRefused(create(name, ""), "the reserved word");
    }
    assertRefused(create("vera", "{\"handle\":\"person-vera\"}"), "/handle", "\"person\"");
    assertRefused(create("Pérson Vera", ""), "/name", "\"person\"");
    assertRefused(
        daemon.post("/api/people", "{\"name\":\"vera\",\"displayName\":\"Operator: Vera\"}"),
        "/displayName");
  }

  @Test
  void an_agent_and_a_person_never_have_an_equal_name() {
    assertCreated(daemon.post("/api/people", "{\"name\":\"vk\",\"displayName\":\"Vera Kay\"}"));
    for (String name : new String[] {"vk", "VK", "@vk", "vera kay", "Vera-Kay", "Vera  Kay:"}) {
      assertTaken(create(name, ""), "the person");
    }
    assertRefused(create("aide", "{\"handle\":\"vera-kay\"}"), "/handle", "\"Vera Kay\" (vk)");
    assertRefused(create("Véra Kay", ""), "/name", "the person \"Vera Kay\" (vk)");
    assertCreated(create("Max", "{\"handle\":\"m-1\"}"));
    assertTaken(daemon.post("/api/people", "{\"name\":\"max\"}"), "the agent \"Max\" (m-1)");
    assertTaken(daemon.post("/api/tokens", "{\"person\":\"max\"}"), "the agent \"Max\"");
    assertTaken(put("/api/people/vk", "{\"displayName\":\"Max!\"}"), "the agent \"Max\"");
    assertTaken(put("/api/people/vk", "{\"displayName\":\"M-1\"}"), "the agent \"m-1\"");
    assertCreated(daemon.post("/api/people", "{\"name\":\"eve\"}"));
    assertTaken(put("/api/people/vk", "{\"displayName\":\"Eve\"}"), "the person \"eve\"");
    assertThat(put("/api/people/vk", "{\"displayName\":\"VK\"}").status()).isEqualTo(200);
    assertThat(put("/api/people/vk", "{\"displayName\":\"Operator\"}").status()).isEqualTo(422);
    assertCreated(create("vera kay", ""));
  }

  /// Check and creation are one transaction: of two concurrent requests one is rejected.
  @Test
  void of_two_look_alikes_created_at_the_same_time_one_is_refused() throws Exception {
    for (int round = 0; round < 30; round++) {
      String name = "ana" + round;
      boolean isPerson = round % 3 == 0;
      var barrier = new CyclicBarrier(2);
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var first =
            threads.submit(() -> {
              barrier.await();
              return isPerson
                  ? daemon.post("/api/people", "{\"name\":\"%s\"}".formatted(name)).status()
                  : create(name, "").status();
            });
        var second =
            threads.submit(() -> {
              barrier.await();
              return create("\u0430na" + name.substring(3), "").status();
            });
        assertThat(List.of(first.get(), second.get())).containsExactlyInAnyOrder(201, 409);
      }
    }
  }

  @Test
  void a_name_that_looks_like_an_agents_name_or_handle_is_refused_in_both_directions() {
    assertCreated(create("Ana", "{\"handle\":\"captain\"}"));
    assertRefused(create("\u0410na", ""), "the agent \"Ana\" (captain)");
    assertRefused(create("\u0441aptain", ""), "(captain)");
    assertThat(create("\u0410na", "").text("hint")).contains("U+0410 CYRILLIC CAPITAL LETTER A");
    assertCreated(create("мира", ""));
    assertCreated(create("сора", ""));
    assertRefused(create("copa", ""), "the agent \"сора\"");
    daemon.delete("/api/agents/captain");
    assertCreated(create("\u0410na", ""));
  }

  @Test
  void ascii_names_never_look_alike_and_equal_names_of_agents_are_allowed() {
    for (String name : new String[] {"modern", "rnodern", "bill", "bi11", "b0b", "bob"}) {
      assertCreated(create(name, ""));
    }
    assertCreated(create("Müller", "{\"parent\":\"bob\"}"));
    assertCreated(create("Müller", "{\"parent\":\"bill\"}"));
    assertCreated(create("MÜLLER", "{\"parent\":\"modern\"}"));
  }

  @Test
  void people_and_agents_do_not_look_like_each_other() {
    assertCreated(daemon.post("/api/people", "{\"name\":\"ana\",\"displayName\":\"Ana Río\"}"));
    assertRefused(create("\u0430na", ""), "the person \"ana\" (ana)");
    assertRefused(create("Anа Río", ""), "the person \"Ana Río\" (ana)");
    assertCreated(create("b\u0435n", ""));
    assertRefused(daemon.post("/api/people", "{\"name\":\"ben\"}"), "the agent \"b\u0435n\"");
    assertRefused(
        daemon.post("/api/people", "{\"name\":\"eve\",\"displayName\":\"\u0430na\"}"),
        "/displayName",
        "the person \"ana\"");
    assertRefused(put("/api/people/ana", "{\"displayName\":\"operat\u043er\"}"), "/displayName");
    assertThat(put("/api/people/ana", "{\"displayName\":\"Ana Rio\"}").status()).isEqualTo(200);
  }

  @Test
  void an_update_and_a_spawn_are_refused_too() {
    assertCreated(create("ana", ""));
    assertCreated(create("lead", "{\"toolsets\":[\"team\"]}"));
    assertRefused(
        put("/api/agents/lead", "{\"name\":\"\u0430na\",\"provider\":{\"name\":\"external\"}}"),
        "the agent \"ana\"");
    assertRefused(
        daemon.post("/api/agents?dryRun=true", "{\"name\":\"\u0430na\"}"), "the agent \"ana\"");
    var engine = daemon.engine();
    var caller = engine.externalRuns().caller(engine.agents().require("lead"));
    var call = new ToolCall(caller, 0, MessageId.random().value(), null);
    JsonNode reply =
        engine
            .pipeline()
            .call(
                call,
                "spawn_agent",
                Json.object().put("name", "\u0430na").put("instructions", "sail"))
            .reply()
            .json();
    assertThat(reply.path("code").asText()).as("%s", reply).isEqualTo("NAME_CONFUSABLE");
  }

  @Test
  void rows_of_earlier_versions_are_compared_and_reported() {
    assertCreated(create("ana", ""));
    assertCreated(create("eve", ""));
    assertThat(groups()).isEmpty();
    daemon
        .engine()
        .dependencies()
        .database()
        .transact(tx -> {
          tx.update("update agent set name = ? where handle = 'eve'", "\u0430n\u0430");
          return tx.update("update agent set name_skeleton = null");
        });
    assertRefused(create("an\u0430", ""), "looks like the agent");
    JsonNode groups = groups();
    assertThat(groups).hasSize(1);
    assertThat(groups.get(0).findValuesAsText("name"))
        .containsExactlyInAnyOrder("ana", "\u0430n\u0430");
    assertThat(groups.get(0).findValuesAsText("handle")).contains("ana", "eve");
  }

  @Test
  void existing_names_that_are_now_invalid_are_reported_and_can_be_kept() {
    assertCreated(daemon.post("/api/people", "{\"name\":\"vera\"}"));
    for (String handle : List.of("one", "two", "three")) {
      assertCreated(create(handle, ""));
    }
    rename("one", "System");
    rename("two", "person: vera");
    rename("three", "Vera");
    assertThat(groups().valueStream().map(group -> group.findValuesAsText("name")))
        .containsExactlyInAnyOrder(
            List.of("system", "System"),
            List.of("person", "person: vera"),
            List.of("vera", "Vera"));
    String same =
        "{\"name\":\"System\",\"description\":\"x\",\"provider\":{\"name\":\"external\"}}";
    assertThat(put("/api/agents/one", same).status()).isEqualTo(200);
  }

  private void rename(String handle, String name) {
    daemon
        .engine()
        .dependencies()
        .database()
        .transact(tx -> tx.update("update agent set name = ? where handle = ?", name, handle));
  }

  private JsonNode groups() {
    return daemon.get("/api/lookalikes").body().path("groups");
  }
}
