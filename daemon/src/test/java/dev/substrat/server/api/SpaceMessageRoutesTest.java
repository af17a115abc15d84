package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Messages in spaces over HTTP, for the operator and people.
@OnEveryDatabase
@Timeout(300)
@Requirement("S4-22")
final class SpaceMessageRoutesTest {
  private final SpacesFixture harbor;

  SpaceMessageRoutesTest(TestDatabase kind) {
    this.harbor = new SpacesFixture(kind);
  }

  @AfterEach
  void close() throws IOException {
    harbor.close();
  }

  @Test
  void messages_have_the_documented_keys_and_are_listed_oldest_first() {
    SpacesFixture.say(harbor.ana, "general", "one");
    var two = SpacesFixture.say(harbor.daemon.client(), "general", "two");
    SpacesFixture.say(harbor.bo, "general", "three");

    assertThat(two.body().path("author").asText()).isEqualTo("operator");
    JsonNode all = harbor.daemon.get("/api/spaces/general/messages").body().path("messages");
    assertThat(all)
        .extracting(one -> one.path("seq").asInt() + one.path("author").asText())
        .containsExactly("1ana", "2operator", "3bo");
    assertThat(all.get(0).properties())
        .extracting(property -> property.getKey())
        .contains(
            "id",
            "seq",
            "author",
            "text",
            "kind",
            "status",
            "parentId",
            "reactions",
            "metadata",
            "createdAt");
    assertThat(all.get(0).path("kind").asText()).isEqualTo("message");
    assertThat(all.get(0).path("status").asText()).isEqualTo("complete");
    assertThat(all.get(0).path("authorKind").asText()).isEqualTo("person");

    assertThat(texts("?limit=2")).containsExactly("two", "three");
    assertThat(texts("?beforeSeq=3&limit=1")).containsExactly("two");
    assertThat(texts("?afterSeq=1&limit=1")).containsExactly("two");
    assertThat(texts("?afterSeq=3")).isEmpty();
    assertThat(harbor.daemon.get("/api/spaces/general/messages?afterSeq=x").status())
        .isEqualTo(400);
  }

  private Iterable<String> texts(String query) {
    return harbor
        .daemon
        .get("/api/spaces/general/messages" + query)
        .body()
        .path("messages")
        .valueStream()
        .map(message -> message.path("text").asText())
        .toList();
  }

  @Test
  void the_same_idempotency_key_posts_once() {
    String path = "/api/spaces/general/messages";
    var first = harbor.ana.post(path, "{\"text\":\"x\"}", "Idempotency-Key", "k");
    var again = harbor.ana.post(path, "{\"text\":\"x\"}", "Idempotency-Key", "k");
    var other = harbor.ana.post(path, "{\"text\":\"y\"}", "Idempotency-Key", "k");
    var others = harbor.bo.post(path, "{\"text\":\"y\"}", "Idempotency-Key", "k");

    assertThat(again.text("id")).isEqualTo(first.text("id"));
    assertThat(other.status()).isEqualTo(409);
    assertThat(others.status()).as("a key of another author").isEqualTo(201);
    assertThat(texts("")).containsExactly("x", "y");
  }

  @Test
  void an_unknown_member_is_reported_as_neither_agent_nor_person() {
    var operator =
        harbor.daemon.post(
            "/api/spaces", "{\"name\":\"x\",\"kind\":\"dm\",\"members\":[\"ada\",\"anna\"]}");
    assertThat(operator.text("message")).isEqualTo("no agent or person is named anna");
    assertThat(operator.text("hint")).startsWith("did you mean ana ").contains("/api/people");
    var person = harbor.ana.post("/api/spaces/general/members", "{\"member\":\"anna\"}");
    assertThat(person.text("hint"))
        .as("people get no suggestions of names")
        .doesNotContain("did you");

    assertThat(
            harbor.daemon.post("/api/spaces", "{\"name\":\"x\",\"kind\":\"privat\"}").text("hint"))
        .startsWith("did you mean private? use one of: ");
    assertThat(harbor.daemon.get("/api/spaces/genral").text("hint"))
        .startsWith("did you mean general? available spaces: ");
    assertThat(harbor.bo.send("DELETE", "/api/spaces/general/members", "{\"member\":\"bo\"}"))
        .satisfies(answer -> assertThat(answer.text("hint")).contains("nothing to remove"));
  }

  @Test
  void messages_are_replied_to_reacted_to_and_marked_as_read() {
    String id = SpacesFixture.say(harbor.ana, "general", "who watches?").text("id");
    String reply = "{\"text\":\"I do\",\"parentId\":\"%s\"}".formatted(id);
    assertThat(harbor.bo.post("/api/spaces/general/messages", reply).status()).isEqualTo(201);
    assertThat(harbor.ana.get("/api/messages/" + id + "/replies").body().path("messages"))
        .extracting(one -> one.path("text").asText() + " " + one.path("parentId").asText())
        .containsExactly("I do " + id);

    String reactions = "/api/messages/" + id + "/reactions";
    harbor.bo.post(reactions, "{\"emoji\":\"🚢\"}");
    var refused = harbor.bo.post(reactions, "{\"emoji\":\"lovely\"}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text("message")).isEqualTo("/emoji must be one emoji, not \"lovely\"");
    assertThat(refused.text("hint")).contains("👍", ":thumbsup:");
    harbor.bo.post(reactions, "{\"emoji\":\":tada:\"}");
    assertThat(
            harbor
                .bo
                .send("DELETE", reactions, "{\"emoji\":\"🎉\"}")
                .body()
                .path("changed")
                .asBoolean())
        .isTrue();
    var both = harbor.daemon.post(reactions, "{\"emoji\":\"🚢\"}");
    assertThat(both.body().path("reactions"))
        .extracting(one -> one.path("author").asText())
        .containsExactly("bo", "operator");
    var left = harbor.bo.send("DELETE", reactions, "{\"emoji\":\"🚢\"}");
    assertThat(left.body().path("reactions"))
        .extracting(one -> one.path("author").asText())
        .containsExactly("operator");
    assertThat(left.body().path("changed").asBoolean()).isTrue();
    assertThat(harbor.bo.send("DELETE", reactions, "{\"emoji\":\"🚢\"}").body().path("changed"))
        .as("none was there")
        .hasToString("false");
    assertThat(harbor.daemon.post(reactions, "{\"emoji\":\"🚢\"}").body().path("changed"))
        .as("again")
        .hasToString("false");

    assertThat(harbor.ana.get("/api/spaces/general").body().path("unread").asInt()).isEqualTo(1);
    assertThat(harbor.ana.post("/api/spaces/general/read", "{\"seq\":2}").body().path("unread"))
        .hasToString("0");
    assertThat(harbor.ana.get("/api/spaces").body().at("/spaces/1/unread").asInt()).isZero();
  }

  @Test
  void replies_are_paged_with_their_reactions() {
    String path =
        "/api/messages/" + SpacesFixture.say(harbor.ana, "general", "who watches?").text("id");
    for (String text : List.of("👀", "👋🏽", "🏳️‍🌈")) {
      String id = reply(path, text);
      harbor.ana.post("/api/messages/" + id + "/reactions", "{\"emoji\":\"%s\"}".formatted(text));
    }

    JsonNode first = harbor.ana.get(path + "/replies?limit=2").body();
    assertThat(first.path("messages"))
        .extracting(one -> one.path("text").asText() + one.at("/reactions/0/emoji").asText())
        .containsExactly("👀👀", "👋🏽👋🏽");
    assertThat(first.path("hasMore").asBoolean()).isTrue();
    JsonNode second = harbor.ana.get(path + "/replies?limit=2&afterSeq=3").body();
    assertThat(second.path("messages"))
        .extracting(one -> one.path("text").asText() + one.path("reactions").size())
        .containsExactly("🏳️‍🌈1");
    assertThat(second.path("hasMore").asBoolean()).isFalse();
    assertThat(harbor.ana.get(path + "/replies?afterSeq=x").status()).isEqualTo(400);
  }

  private String reply(String path, String text) {
    String parent = path.substring(path.lastIndexOf('/') + 1);
    String body = "{\"text\":\"%s\",\"parentId\":\"%s\"}".formatted(text, parent);
    return harbor.bo.post("/api/spaces/general/messages", body).text("id");
  }

  @Test
  void the_delivery_state_of_a_space_message_is_posted() {
    String id = SpacesFixture.say(harbor.ana, "general", "hello").text("id");

    var posted = harbor.daemon.get("/api/messages/" + id);
    assertThat(posted.text("kind")).isEqualTo("space_message");
    assertThat(posted.text("status")).isEqualTo("stored");
    assertThat(posted.text("to")).isEqualTo("general");
    var messages = harbor.daemon.post("/api/agents/ada/messages", "{\"text\":\"hi\"}");
    String reactions = "/api/messages/" + messages.text("message_id") + "/reactions";
    assertThat(harbor.daemon.post(reactions, "{\"emoji\":\"x\"}").status()).isEqualTo(404);
    assertThat(harbor.daemon.get("/api/messages/" + messages.text("message_id")).status())
        .isEqualTo(200);
  }

  @Test
  void posting_to_a_dm_creates_it() {
    var said = SpacesFixture.say(harbor.bo, "dm-bo-ada", "hello ada");

    assertThat(said.text("spaceId")).isEqualTo("dm-ada-bo");
    assertThat(SpacesFixture.say(harbor.bo, "dm-ada-bo", "again").body().path("seq").asInt())
        .isEqualTo(2);
    assertThat(SpacesFixture.say(harbor.daemon.client(), "dm-operator-ben", "x").text("spaceId"))
        .isEqualTo("dm-ben-operator");
    var foreign = harbor.bo.post("/api/spaces/dm-ada-ana/messages", "{\"text\":\"x\"}");
    assertThat(foreign.status()).isEqualTo(404);
    var unknown = harbor.bo.post("/api/spaces/dm-bo-nobody/messages", "{\"text\":\"x\"}");
    assertThat(unknown.status()).isEqualTo(404);
  }
}
