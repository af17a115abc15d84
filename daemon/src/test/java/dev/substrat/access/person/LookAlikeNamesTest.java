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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Names that look like another's are refused, wherever a name is given.
@OnEveryDatabase
final class LookAlikeNamesTest {
  private final TestDatabase place;
  private final TestDaemon daemon;

  LookAlikeNamesTest(TestDatabase kind) {
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
  void plain_ascii_names_never_look_alike_and_equal_names_are_allowed_elsewhere() {
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
    assertRefused(create("person ana", ""), "the person \"ana\"");
    assertRefused(create("Person  \u0430na", ""), "the person \"ana\"");
    assertCreated(create("person in charge", ""));
    assertCreated(create("person bo", ""));
    assertRefused(daemon.post("/api/people", "{\"name\":\"bo\"}"), "the agent \"person bo\"");
    assertRefused(daemon.post("/api/tokens", "{\"person\":\"bo\"}"), "the agent \"person bo\"");
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
            .toolbox()
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
        .ground()
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

  private JsonNode groups() {
    return daemon.get("/api/lookalikes").body().path("groups");
  }
}
