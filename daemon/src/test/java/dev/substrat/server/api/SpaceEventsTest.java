package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestClient;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Event streams of spaces.
@OnEveryDatabase
@Timeout(300)
final class SpaceEventsTest {
  private final SpacesFixture harbor;

  SpaceEventsTest(TestDatabase kind) {
    this.harbor = new SpacesFixture(kind);
  }

  @AfterEach
  void close() throws IOException {
    harbor.close();
  }

  @Test
  @Requirement({"S4-5", "S4-8"})
  void the_stream_of_a_space_has_its_messages_and_turns() {
    try (var stream = stream(harbor.daemon.client(), "?space=general")) {
      stream.event("connected");
      SpacesFixture.say(harbor.ana, "crew", "elsewhere");
      String id = SpacesFixture.say(harbor.ana, "general", "here").text("id");
      harbor.bo.post("/api/messages/" + id + "/reactions", "{\"emoji\":\"🚢\"}");

      var said = stream.event();
      assertThat(said.event()).isEqualTo("message_created");
      assertThat(said.data().path("message_id").asText()).isEqualTo(id);
      assertThat(said.data().path("author").asText()).endsWith("ana");
      assertThat(said.data().path("text").asText()).isEqualTo("here");
      assertThat(said.data().path("spaceId").asText()).isEqualTo("general");
      var thought = stream.event();
      assertThat(thought.event()).isEqualTo("reaction_added");
      assertThat(thought.data().path("emoji").asText()).isEqualTo("🚢");
      assertThat(thought.data().path("author").asText()).endsWith("bo");
    }
  }

  @Test
  @Requirement("N7")
  void a_persons_stream_shows_their_spaces_and_nothing_else() {
    SpacesFixture.say(harbor.ana, "crew", "between us");
    harbor.daemon.post("/api/agents/ada/messages", "{\"text\":\"for ada only\"}");
    harbor.daemon.createAgent("cat", "[]");
    SpacesFixture.say(harbor.ana, "general", "for all");

    try (var stream = stream(harbor.bo, "?after=0")) {
      assertThat(stream.event("connected").data().path("active")).isEmpty();
      assertThat(stream.event().event()).isEqualTo("space_created");
      var said = stream.event();
      assertThat(said.event()).isEqualTo("message_created");
      assertThat(said.data().path("text").asText()).isEqualTo("for all");
    }
    try (var stream = stream(harbor.ana, "?after=0")) {
      assertThat(stream.event("message_created").data().path("text").asText())
          .isEqualTo("between us");
    }
    for (String query : new String[] {"?agent=ada", "?run=1", "?agent=nobody"}) {
      assertThat(harbor.bo.get("/api/events" + query).status()).as(query).isEqualTo(403);
    }
  }

  @Test
  @Requirement("N7")
  void a_removed_member_gets_no_more_events() {
    try (var stream = stream(harbor.ana, "")) {
      stream.event("connected");
      harbor.daemon.client().send("DELETE", "/api/spaces/crew/members", "{\"member\":\"ana\"}");
      SpacesFixture.say(harbor.daemon.client(), "crew", "she is gone");
      SpacesFixture.say(harbor.daemon.client(), "general", "hello ana");
      assertThat(stream.event("message_created").data().path("text").asText())
          .isEqualTo("hello ana");

      harbor.daemon.delete("/api/people/ana");
      SpacesFixture.say(harbor.daemon.client(), "general", "she is gone");
      assertThat(lastOf(stream)).isEqualTo("goodbye");
    }
  }

  @Test
  @Requirement("N2")
  void a_person_sees_and_releases_held_messages() {
    echoing("cat");
    echoing("dog");
    harbor.create("{\"name\":\"Pets\",\"maxChainDepth\":1,\"members\":[\"cat\",\"dog\",\"ana\"]}");
    assertThat(harbor.bo.post("/api/spaces/pets/release", "").text("code"))
        .isEqualTo("NOT_A_MEMBER");

    try (var stream = stream(harbor.ana, "?space=pets")) {
      SpacesFixture.say(harbor.ana, "pets", "hello");
      stream.event("wake_held");
      var held = harbor.ana.get("/api/spaces/pets").body();
      assertThat(held.path("held").asInt()).isPositive();
      assertThat(held.path("heldReason").asText()).isNotEmpty();

      var released = harbor.ana.post("/api/spaces/pets/release", "");
      assertThat(released.body().path("released").asInt()).isPositive();
      stream.event("wakes_released");
      // Held agents are woken now and post again.
      stream.event("message_created");
    }
  }

  private void echoing(String name) {
    var created =
        harbor.daemon.post(
            "/api/agents",
            """
            {"name":"%s","toolsets":["channels"],"provider":{"name":"scripted","playbook":[
              {"when":{"kind":"space_message"},"do":[
                {"call":"send_message","with":{"channelId":"pets","text":"me too"}}]}]}}\
            """
                .formatted(name));
    assertThat(created.status()).as("%s", created).isEqualTo(201);
  }

  private static String lastOf(EventReader stream) {
    String last = "";
    for (var next = stream.next(); next.isPresent(); next = stream.next()) {
      assertThat(next.get().data().path("text").asText()).isNotEqualTo("she is gone");
      last = next.get().event();
    }
    return last;
  }

  private EventReader stream(TestClient who, String query) {
    return new EventReader(harbor.daemon.url() + "/api/events" + query, who.token());
  }
}
