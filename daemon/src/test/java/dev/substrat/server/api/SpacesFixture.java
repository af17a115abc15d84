package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.TestDatabase;
import dev.substrat.tool.ToolCall;
import dev.substrat.turn.engine.Engine;
import java.io.IOException;

/// A daemon with the external agents ada and ben, the people ana and bo, and the spaces `general`,
/// for all, and `crew`, for ada and ana.
final class SpacesFixture implements AutoCloseable {
  private final TestDatabase place;
  final TestDaemon daemon;
  final TestClient ana;
  final TestClient bo;
  final TestClient ada;

  SpacesFixture(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    agent("ada");
    agent("ben");
    this.ana = person("ana");
    this.bo = person("bo");
    this.ada = daemon.as(daemon.post("/api/agents/ada/tokens", "{}").text("token"));
    create("{\"name\":\"General\",\"members\":[\"ada\",\"ben\",\"ana\"],\"topic\":\"the harbor\"}");
    create("{\"name\":\"Crew\",\"kind\":\"private\",\"members\":[\"ada\",\"ana\"]}");
  }

  private void agent(String name) {
    Answer created =
        daemon.post(
            "/api/agents",
            """
            {"name":"%s","provider":{"name":"external"},"toolsets":["team","spaces"]}\
            """
                .formatted(name));
    assertThat(created.status()).as("%s", created).isEqualTo(201);
  }

  private TestClient person(String name) {
    return daemon.as(
        daemon.post("/api/tokens", "{\"person\":\"%s\"}".formatted(name)).text("token"));
  }

  Answer create(String body) {
    Answer created = daemon.post("/api/spaces", body);
    assertThat(created.status()).as("%s", created).isEqualTo(201);
    return created;
  }

  /// An external agent enters a space.
  JsonNode enter(String agent, String space) {
    Engine engine = daemon.engine();
    var caller = engine.externalRuns().caller(engine.agents().require(agent));
    var call = new ToolCall(caller, 0, MessageId.random().value(), null);
    var where = Json.object().put("spaceId", space);
    return engine.pipeline().call(call, "enter_space", where).reply().json();
  }

  /// Posts a message and returns the response.
  static Answer say(TestClient who, String space, String text) {
    Answer said =
        who.post("/api/spaces/" + space + "/messages", "{\"text\":\"%s\"}".formatted(text));
    assertThat(said.status()).as("%s", said).isEqualTo(201);
    return said;
  }

  @Override
  public void close() throws IOException {
    ana.close();
    bo.close();
    ada.close();
    daemon.close();
    place.close();
  }
}
