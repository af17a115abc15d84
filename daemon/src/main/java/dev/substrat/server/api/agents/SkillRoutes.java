package dev.substrat.server.api.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.catalog.zoo.AgentZoo;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentDeclaration;
import dev.substrat.team.Agents;
import dev.substrat.team.Skill;
import dev.substrat.team.SkillCategory;
import java.util.List;

/// HTTP routes of an agent's skills and skill categories, and of its compiled prompt.
public final class SkillRoutes {
  private final Database database;
  private final Agents agents;
  private final AgentZoo zoo;

  public SkillRoutes(Database database, Agents agents, AgentZoo zoo) {
    this.database = database;
    this.agents = agents;
    this.zoo = zoo;
  }

  /// All skills of an agent, in the order of the prompt.
  public record SkillList(List<Skill> skills) {}

  /// All skill categories of an agent.
  public record SkillCategories(List<SkillCategory> categories) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
            "/api/agents/{id}/prompt",
            Scope.AGENTS_READ,
            "Return an agent's prompt and skills as one text, like agent_zoo_inject.",
            exchange -> HttpReply.ok(zoo.compiled(agents.require(exchange.name("id"))))),
        HttpRoute.read(
            "/api/agents/{id}/skills",
            Scope.AGENTS_READ,
            "List the skills of an agent.",
            exchange -> HttpReply.ok(new SkillList(config(exchange).skillsOrNone()))),
        HttpRoute.replace(
            "/api/agents/{id}/skills",
            Scope.AGENTS_WRITE,
            "Replace all skills of an agent.",
            SkillList.class,
            exchange -> change(exchange, "skills", exchange.body(SkillList.class))),
        HttpRoute.read(
            "/api/agents/{id}/categories",
            Scope.AGENTS_READ,
            "List the skill categories of an agent.",
            exchange -> HttpReply.ok(new SkillCategories(config(exchange).categoriesOrNone()))),
        HttpRoute.replace(
            "/api/agents/{id}/categories",
            Scope.AGENTS_WRITE,
            "Replace the skill categories of an agent.",
            SkillCategories.class,
            exchange -> change(exchange, "categories", exchange.body(SkillCategories.class))));
  }

  private AgentConfig config(HttpExchange exchange) {
    return agents.require(exchange.name("id")).config();
  }

  /// Reads and writes in one transaction, so no concurrent change is lost.
  private HttpReply change(HttpExchange exchange, String key, Record wanted) {
    JsonNode value = Json.tree(wanted).path(key);
    database.transact(tx -> {
      var agent = Agents.holdAlive(tx, exchange.name("id"));
      var tree = (ObjectNode) Json.tree(AgentDeclaration.of(tx, agent));
      tree.set(key, value);
      return agents.update(tx, agent.id().value(), Json.as(tree, AgentConfig.class));
    });
    return HttpReply.ok(wanted);
  }
}
