package dev.substrat.server.console.agents;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.server.api.agents.AgentPreparation;
import dev.substrat.server.console.FlashMessage;
import dev.substrat.server.console.PageReply;
import dev.substrat.store.Tx;
import dev.substrat.team.AgentConfig;
import dev.substrat.turn.engine.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Creates the example team: scripted, so it needs no API key and no model.
public final class FirstTeam {
  private final Engine engine;
  private final AgentPreparation preparation;

  public FirstTeam(Engine engine) {
    this.engine = engine;
    this.preparation = new AgentPreparation(engine);
  }

  public HttpRoute route() {
    return HttpRoute.write(
        "/agents/first-team", Scope.AGENTS_WRITE, "Creates the example team.", null, this::create);
  }

  /// One transaction. A second request finds agents and creates nothing.
  private HttpReply create(HttpExchange exchange) {
    exchange.form();
    List<AgentConfig> team = team();
    engine
        .dependencies()
        .database()
        .transact(tx -> {
          if (AgentList.count(tx) == 0) {
            create(tx, team);
          }
          return true;
        });
    return PageReply.goTo("/agents/" + team.getFirst().handle(), FlashMessage.STARTED);
  }

  private void create(Tx tx, List<AgentConfig> team) {
    team.forEach(config -> engine.agents().create(tx, config));
  }

  private List<AgentConfig> team() {
    var team = new ArrayList<AgentConfig>();
    for (var one : Yaml.own(file()).path("agents")) {
      team.add(preparation.of(Json.as((ObjectNode) one, AgentConfig.class)));
    }
    return team;
  }

  private static String file() {
    try (var stream = FirstTeam.class.getResourceAsStream("/first-team.yaml")) {
      if (stream == null) {
        throw new IllegalStateException("first-team.yaml is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
