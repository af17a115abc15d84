package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.UnclaimedEvents;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// MCP resources of an agent. Reading them consumes nothing.
record AgentResources(Database database, InstantSource clock) {

  static final String INBOX = "substrat://inbox";
  static final String TEAM = "substrat://team";
  static final String MEMBER = "substrat://team/{name}";

  private static final int SHOWN = 50;

  static List<ObjectNode> resources() {
    return List.of(
        card(
            INBOX,
            "inbox",
            "Your unread messages, without marking them as read; use check_inbox to "
                + "read them."),
        card(TEAM, "team", "Your configuration, and the agents you can write to."));
  }

  static List<ObjectNode> templates() {
    var member = Json.object().put("uriTemplate", MEMBER).put("name", "team member");
    return List.of(
        member
            .put("description", "An agent that you can write to.")
            .put("mimeType", "application/json"));
  }

  private static ObjectNode card(String uri, String name, String description) {
    return Json.object()
        .put("uri", uri)
        .put("name", name)
        .put("description", description)
        .put("mimeType", "application/json");
  }

  Optional<ObjectNode> read(Agent agent, String uri) {
    Optional<ObjectNode> found =
        switch (uri) {
          case INBOX -> Optional.of(inbox(agent));
          case TEAM -> Optional.of(team(agent));
          default -> member(agent, uri);
        };
    return found.map(json -> contents(uri, json));
  }

  private static ObjectNode contents(String uri, ObjectNode json) {
    var result = Json.object();
    result
        .putArray("contents")
        .addObject()
        .put("uri", uri)
        .put("mimeType", "application/json")
        .put("text", Json.text(json));
    return result;
  }

  private ObjectNode inbox(Agent agent) {
    var now = clock.instant();
    long count = database.read(tx -> UnclaimedEvents.count(tx, agent.id(), now));
    List<InboxEvent> unread =
        database.read(tx -> UnclaimedEvents.list(tx, agent.id(), now, _ -> true));
    var json = Json.object().put("unread", count);
    ArrayNode messages = json.putArray("messages");
    for (InboxEvent event : unread.subList(0, Math.min(SHOWN, unread.size()))) {
      messages
          .addObject()
          .put("kind", event.kind().toString())
          .put("from", event.payload().path("from").asText())
          .put("text", event.payload().path("text").asText());
    }
    return json;
  }

  private ObjectNode team(Agent agent) {
    var json = Json.object();
    json.set("you", card(agent, agent).put("id", agent.id().value()));
    ArrayNode near = json.putArray("near");
    near(agent).forEach(other -> near.add(card(agent, other)));
    return json;
  }

  private Optional<ObjectNode> member(Agent agent, String uri) {
    return uri.startsWith(TEAM + "/")
        ? decoded(uri.substring(TEAM.length() + 1)).flatMap(name -> near(agent, name))
        : Optional.empty();
  }

  /// A plus sign stays one in a path; an invalid escape matches no agent.
  private static Optional<String> decoded(String name) {
    try {
      return Optional.of(URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private Optional<ObjectNode> near(Agent agent, String name) {
    return near(agent).stream()
        .filter(other -> other.name().equalsIgnoreCase(name) || other.handle().equals(name))
        .findFirst()
        .map(other -> card(agent, other));
  }

  /// Names of reachable agents that start with `beginning`.
  List<String> names(Agent agent, String beginning) {
    String wanted = beginning.toLowerCase(Locale.ROOT);
    return near(agent).stream()
        .map(Agent::name)
        .filter(name -> name.toLowerCase(Locale.ROOT).startsWith(wanted))
        .distinct()
        .sorted()
        .toList();
  }

  private List<Agent> near(Agent agent) {
    return database.read(tx -> AgentTree.reachable(tx, agent));
  }

  private static ObjectNode card(Agent agent, Agent other) {
    var json = Json.object().put("name", other.name()).put("handle", other.handle());
    json.put("role", other.role());
    if (!other.id().equals(agent.id())) {
      json.put("relation", relation(agent, other));
    }
    return json;
  }

  private static String relation(Agent agent, Agent other) {
    if (other.id().equals(agent.parent())) {
      return "parent";
    }
    return agent.id().equals(other.parent()) ? "child" : "sibling";
  }
}
