package dev.substrat.server.console.agents;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.console.ConsoleSection;
import dev.substrat.console.agents.TextDiff;
import dev.substrat.console.agents.VersionsPage;
import dev.substrat.console.agents.VersionsPage.VersionSummary;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Handle;
import dev.substrat.server.api.agents.AgentPreparation;
import dev.substrat.server.console.DisplayNames;
import dev.substrat.server.console.FlashMessage;
import dev.substrat.server.console.PageFrames;
import dev.substrat.server.console.PageReply;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentDeclaration;
import dev.substrat.team.AgentVersions;
import dev.substrat.team.AgentVersions.AgentVersion;
import dev.substrat.team.Agents;
import dev.substrat.turn.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Pages of agent versions: list, diff, restore.
public final class VersionPages {
  private static final int SHOWN = 100;

  private final Engine engine;
  private final Database database;
  private final PageFrames frames;
  private final AgentPreparation preparation;

  public VersionPages(Engine engine, PageFrames frames) {
    this.engine = engine;
    this.database = engine.dependencies().database();
    this.frames = frames;
    this.preparation = new AgentPreparation(engine);
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
            "/agents/{handle}/versions", Scope.AGENTS_WRITE, "Versions of an agent.", this::list),
        HttpRoute.write(
            "/agents/{handle}/versions",
            Scope.AGENTS_WRITE,
            "Restores a version of an agent.",
            null,
            this::restore));
  }

  private HttpReply list(HttpExchange exchange) {
    Agent agent = engine.agents().require(exchange.name("handle"));
    var frame = frames.around(exchange, ConsoleSection.AGENTS, "Versions of " + agent.name());
    List<AgentVersion> all = database.read(tx -> AgentVersions.list(tx, agent.id(), SHOWN + 1));
    long wanted = exchange.number("version", all.isEmpty() ? 0 : all.getFirst().number());
    int at =
        IntStream.range(0, all.size())
            .filter(i -> all.get(i).number() == wanted)
            .findFirst()
            .orElse(0);
    List<AgentConfig> comparable = comparable(agent, all);
    List<VersionSummary> lines =
        database.read(tx -> {
          var faces = new DisplayNames(tx, exchange.caller());
          return IntStream.range(0, Math.min(SHOWN, all.size()))
              .mapToObj(i ->
                  new VersionSummary(
                      all.get(i).number(),
                      all.get(i).at(),
                      faces.of(all.get(i).author()).handle(),
                      changed(all, comparable, i)))
              .toList();
        });
    return PageReply.ok(
        new VersionsPage(
            frame,
            frames.now(),
            agent.name(),
            "/agents/" + agent.handle(),
            lines,
            all.isEmpty() ? 0 : all.get(at).number(),
            all.isEmpty()
                ? List.of()
                : TextDiff.between(text(before(comparable, at)), text(comparable.get(at)))));
  }

  /// Configurations for the diff: always with a handle, which a first version often lacks, and
  /// without the parent, which never changes.
  private static List<AgentConfig> comparable(Agent agent, List<AgentVersion> newestFirst) {
    var comparable = new ArrayList<AgentConfig>();
    String handle = agent.handle();
    for (AgentVersion version : newestFirst) {
      var tree = (ObjectNode) Json.tree(version.config());
      handle = tree.path("handle").asText(implied(version.config().name(), handle));
      tree.put("handle", handle).remove("parent");
      comparable.add(Json.as(tree, AgentConfig.class));
    }
    return comparable;
  }

  /// Handle derived from the name; `next` if that is the derived handle with a number.
  private static String implied(String name, String next) {
    String suggested = Handle.of(name);
    return next.matches(Pattern.quote(suggested) + "(-[0-9]+)?") ? next : suggested;
  }

  private static @Nullable AgentConfig before(List<AgentConfig> newestFirst, int at) {
    return at + 1 < newestFirst.size() ? newestFirst.get(at + 1) : null;
  }

  private static String changed(List<AgentVersion> all, List<AgentConfig> comparable, int at) {
    @Nullable AgentConfig before = before(comparable, at);
    if (before == null) {
      return "created";
    }
    String keys = String.join(", ", AgentDeclaration.difference(before, comparable.get(at)));
    return IntStream.range(at + 2, comparable.size())
        .filter(i -> comparable.get(i).equals(comparable.get(at)))
        .mapToObj(i -> "restored version %d: %s".formatted(all.get(i).number(), keys))
        .findFirst()
        .orElse(keys);
  }

  private static String text(@Nullable AgentConfig config) {
    return config == null ? "" : Yaml.text(Json.tree(config));
  }

  private HttpReply restore(HttpExchange exchange) {
    long number = number(exchange.form().text("version"));
    Agent agent = engine.agents().require(exchange.name("handle"));
    AgentConfig wanted = database.read(tx -> AgentVersions.require(tx, agent, number)).config();
    AgentConfig config = preparation.of(wanted);
    Agents.AgentUpdateResult revision =
        database.transact(tx -> engine.agents().update(tx, agent.id().value(), config));
    // The restored version may have another handle.
    return PageReply.goTo("/agents/" + revision.agent().handle(), FlashMessage.RESTORED);
  }

  private static long number(String text) {
    if (!text.matches("[0-9]{1,9}")) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "\"" + text + "\" is not a version number", "choose a version from the list");
    }
    return Long.parseLong(text);
  }
}
