package dev.substrat.server.console.agents;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.catalog.zoo.AgentZoo;
import dev.substrat.console.ConsoleSection;
import dev.substrat.console.PageFrame;
import dev.substrat.console.agents.AgentDraft;
import dev.substrat.console.agents.BuilderPage;
import dev.substrat.console.agents.BuilderPage.StartingPoint;
import dev.substrat.console.agents.DraftPreview;
import dev.substrat.console.agents.DraftProblems;
import dev.substrat.http.server.FormData;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.ContentHash;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Handle;
import dev.substrat.server.api.agents.AgentPreparation;
import dev.substrat.server.console.FlashMessage;
import dev.substrat.server.console.PageFrames;
import dev.substrat.server.console.PageReply;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentDeclaration;
import dev.substrat.team.AgentTree;
import dev.substrat.team.Agents;
import dev.substrat.team.ToolsetName;
import dev.substrat.turn.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Agent builder: creates and edits agents.
public final class BuilderPages {
  private final Engine engine;
  private final Database database;
  private final PageFrames frames;
  private final AgentPageReader portrait;
  private final TemplateChoices patterns;
  private final BuilderChoices offer;
  private final DraftPreviews previews;
  private final AgentPreparation preparation;

  public BuilderPages(Engine engine, PageFrames frames, AgentPageReader portrait) {
    this.engine = engine;
    this.database = engine.dependencies().database();
    this.frames = frames;
    this.portrait = portrait;
    this.patterns = new TemplateChoices(engine);
    this.offer = new BuilderChoices(engine, patterns);
    this.previews = new DraftPreviews(engine);
    this.preparation = new AgentPreparation(engine);
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read("/agents/new", Scope.AGENTS_WRITE, "A new agent.", this::fresh)
            .withQuery("template", "Template to start from.")
            .withQuery("like", "Agent to clone.")
            .withQuery("parent", "Parent agent."),
        HttpRoute.write(
            "/agents/new",
            Scope.AGENTS_WRITE,
            "Creates an agent; or shows the builder with an import, without saving.",
            null,
            this::createOrImport),
        HttpRoute.write(
            "/agents/preview",
            Scope.AGENTS_WRITE,
            "Preview of a new agent; stores nothing.",
            null,
            this::previewNew),
        HttpRoute.read(
            "/agents/{handle}/edit", Scope.AGENTS_WRITE, "Builder page of an agent.", this::edit),
        HttpRoute.write(
            "/agents/{handle}/edit", Scope.AGENTS_WRITE, "Changes an agent.", null, this::save),
        HttpRoute.write(
            "/agents/{handle}/preview",
            Scope.AGENTS_WRITE,
            "Preview of a changed agent; stores nothing.",
            null,
            this::preview));
  }

  private HttpReply fresh(HttpExchange exchange) {
    ObjectNode rest = patterns.wanted(exchange);
    exchange.query("parent").ifPresent(parent -> rest.put("parent", parent));
    String like = exchange.query("like").orElse("");
    return PageReply.ok(
        page(exchange, initialDraft(rest), DraftProblems.NOTHING, new DraftSource(rest, like, "")));
  }

  /// Starting point of a new agent.
  private record DraftSource(ObjectNode rest, String like, String pasted) {
    static DraftSource with(FormData form) {
      return new DraftSource(TemplateChoices.carried(form), form.text("like"), "");
    }
  }

  private static AgentDraft initialDraft(ObjectNode rest) {
    return rest.has("name")
        ? DraftFormReader.of(Json.as(rest, AgentConfig.class), "")
        : DraftFormReader.empty(ToolsetName.DEFAULTS, rest.path("parent").asText());
  }

  /// Create and import share a path, so that the resulting page can be reloaded.
  private HttpReply createOrImport(HttpExchange exchange) {
    FormData form = exchange.form();
    return form.has("pasted")
        ? importPasted(exchange, form.text("pasted"))
        : create(exchange, form);
  }

  private HttpReply importPasted(HttpExchange exchange, String pasted) {
    try {
      ObjectNode rest = TemplateChoices.pasted(pasted);
      return PageReply.ok(
          page(exchange, initialDraft(rest), DraftProblems.NOTHING, new DraftSource(rest, "", "")));
    } catch (Fault fault) {
      DraftProblems wrong = FieldProblems.atAll(fault, "pasted");
      var start = new DraftSource(Json.object(), "", pasted);
      return PageReply.wrong(page(exchange, initialDraft(start.rest()), wrong, start));
    }
  }

  private HttpReply previewNew(HttpExchange exchange) {
    FormData form = exchange.form();
    return PageReply.ok(
        previews.of(DraftFormReader.from(form), null, TemplateChoices.carried(form)));
  }

  private HttpReply create(HttpExchange exchange, FormData form) {
    AgentDraft draft = DraftFormReader.from(form);
    DraftSource start = DraftSource.with(form);
    var reading = DraftParser.of(draft, start.rest());
    try {
      if (reading.config().isPresent()) {
        Agent agent = engine.agents().create(preparation.of(reading.config().get()));
        boolean isNamesake =
            draft.handle().isEmpty() && !Handle.of(agent.name()).equals(agent.handle());
        return PageReply.goTo(
            "/agents/" + agent.handle(),
            isNamesake ? FlashMessage.CREATED_BESIDE : FlashMessage.CREATED);
      }
    } catch (Fault fault) {
      DraftProblems wrong = wrong(draft, FieldProblems.of(fault, draft), reading);
      return PageReply.wrong(page(exchange, draft, wrong, start));
    }
    return PageReply.wrong(page(exchange, draft, wrong(draft, reading.wrong(), reading), start));
  }

  private HttpReply edit(HttpExchange exchange) {
    Agent agent = agent(exchange);
    AgentConfig config = declared(agent);
    return PageReply.ok(
        page(exchange, DraftFormReader.of(config, hash(config)), DraftProblems.NOTHING, agent));
  }

  private HttpReply save(HttpExchange exchange) {
    AgentDraft draft = DraftFormReader.from(exchange.form());
    Agent agent = agent(exchange);
    var reading = DraftParser.of(draft, (ObjectNode) Json.tree(declared(agent)));
    try {
      if (reading.config().isPresent()) {
        AgentConfig wanted = preparation.of(reading.config().get());
        Agents.AgentUpdateResult revision =
            database.transact(tx -> {
              AgentConfig now = AgentDeclaration.of(tx, Agents.holdAlive(tx, agent.id().value()));
              requireUnchanged(draft, now);
              return engine.agents().update(tx, agent.id().value(), wanted);
            });
        return PageReply.goTo("/agents/" + revision.agent().handle(), FlashMessage.SAVED);
      }
    } catch (Fault fault) {
      DraftProblems wrong = wrong(draft, FieldProblems.of(fault, draft), reading);
      return PageReply.wrong(page(exchange, draft, wrong, agent));
    }
    return PageReply.wrong(page(exchange, draft, wrong(draft, reading.wrong(), reading), agent));
  }

  /// Reports all errors at once.
  private DraftProblems wrong(
      AgentDraft draft, DraftProblems found, DraftParser.DraftParseResult reading) {
    return reading.rest().map(preparation::validate).orElse(List.of()).stream()
        .map(fault -> FieldProblems.of(fault, draft))
        .reduce(found, DraftProblems::and);
  }

  /// Rejects a save if the configuration changed since the page was opened.
  private static void requireUnchanged(AgentDraft draft, AgentConfig now) {
    if (!draft.base().equals(hash(now))) {
      throw ErrorCode.CONFLICT.fault(
          "this agent was changed while you were editing it",
          "open the agent in another tab, copy your changes, and save there");
    }
  }

  private static String hash(AgentConfig config) {
    return ContentHash.of(Json.text(config));
  }

  private HttpReply preview(HttpExchange exchange) {
    AgentDraft draft = DraftFormReader.from(exchange.form());
    Agent agent = agent(exchange);
    var base = (ObjectNode) Json.tree(declared(agent));
    return PageReply.ok(previews.of(draft, agent, base));
  }

  /// Page of a new agent.
  private BuilderPage page(
      HttpExchange exchange, AgentDraft draft, DraftProblems wrong, DraftSource start) {
    PageFrame frame = frames.around(exchange, ConsoleSection.AGENTS, "New agent");
    String rest = start.rest().isEmpty() ? "" : Json.text(start.rest());
    return new BuilderPage(
        frame,
        draft,
        wrong,
        offer.choices(),
        previews.of(draft, null, start.rest()),
        new StartingPoint(rest, start.like(), start.pasted()),
        null);
  }

  private BuilderPage page(
      HttpExchange exchange, AgentDraft draft, DraftProblems wrong, Agent agent) {
    PageFrame frame = frames.around(exchange, ConsoleSection.AGENTS, "Edit " + agent.name());
    return new BuilderPage(
        frame,
        draft,
        wrong,
        offer.choices(),
        previews.of(draft, agent, (ObjectNode) Json.tree(declared(agent))),
        StartingPoint.NOTHING,
        portrait.of(agent, frame, exchange.admission()));
  }

  private AgentConfig declared(Agent agent) {
    return database.read(tx -> AgentDeclaration.of(tx, agent));
  }

  private Agent agent(HttpExchange exchange) {
    return engine.agents().require(exchange.name("handle"));
  }

  /// Renders the preview of a draft without storing it.
  private static final class DraftPreviews {
    /// Keys that the preview does not need; they are often incomplete while typing.
    private static final List<String> OPTIONAL =
        List.of("provider", "tools", "mcp", "middleware", "limits");

    private final Engine engine;
    private final AgentZoo zoo;

    DraftPreviews(Engine engine) {
      this.engine = engine;
      this.zoo = new AgentZoo(engine.dependencies().database());
    }

    /// `agent` is the edited agent, or null; `base` its configuration.
    DraftPreview of(AgentDraft draft, @Nullable Agent agent, ObjectNode base) {
      if (draft.name().isEmpty() && agent == null) {
        return DraftPreview.NOTHING;
      }
      DraftParser.DraftParseResult reading = DraftParser.of(draft, base);
      Agent shown = shown(draft, agent, reading.config().orElseGet(() -> words(draft)));
      return new DraftPreview(
          zoo.compiled(shown).prompt(),
          engine.prompts().systemPrompt(shown),
          reading.config().isPresent() ? "" : leftOut(draft, reading.wrong()));
    }

    private static String leftOut(AgentDraft draft, DraftProblems wrong) {
      var all = new ArrayList<String>();
      wrong.at().forEach((field, words) -> all.add(label(draft, field) + ": " + words));
      all.addAll(wrong.withoutField());
      return "Not in the preview because invalid: " + String.join("; ", all);
    }

    /// Label of a form field.
    private static String label(AgentDraft draft, String field) {
      if (field.startsWith("limits.")) {
        return BuilderChoices.label(field.substring("limits.".length()));
      }
      for (int i = 0; i < draft.skills().size(); i++) {
        if (field.startsWith("skill." + draft.skills().get(i).key() + ".")) {
          return "Skill " + (i + 1);
        }
      }
      return field.equals("servers")
          ? "Remote MCP servers"
          : field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1);
    }

    /// Configuration of the plain text fields, which are always valid.
    private static AgentConfig words(AgentDraft draft) {
      var named = draft.skills().stream().filter(skill -> !skill.name().isEmpty()).toList();
      ObjectNode tree = Json.object().put("name", draft.name());
      tree.put("systemPrompt", draft.systemPrompt());
      var skills = tree.putArray("skills");
      named.forEach(skill ->
          skills
              .addObject()
              .put("name", skill.name())
              .put("description", skill.text())
              .put("enabled", skill.isOn()));
      OPTIONAL.forEach(tree::remove);
      return Json.as(tree, AgentConfig.class);
    }

    private Agent shown(AgentDraft draft, @Nullable Agent agent, AgentConfig config) {
      String name = draft.name().isEmpty() ? "(no name yet)" : draft.name();
      String handle =
          !draft.handle().isEmpty()
              ? draft.handle()
              : agent == null ? Handle.of(name) : agent.handle();
      return new Agent(
          agent == null ? AgentId.random() : agent.id(),
          handle,
          name,
          draft.role().isEmpty() ? "worker" : draft.role(),
          agent == null ? parent(draft) : agent.parent(),
          config,
          false,
          engine.dependencies().clock().instant(),
          null);
    }

    private @Nullable AgentId parent(AgentDraft draft) {
      return draft.parent().isEmpty()
          ? null
          : engine.read(tx -> AgentTree.findLiving(tx, draft.parent())).map(Agent::id).orElse(null);
    }
  }
}
