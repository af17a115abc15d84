package dev.substrat.server.console.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.catalog.template.AgentTemplate;
import dev.substrat.catalog.template.AgentTemplates;
import dev.substrat.console.agents.BuilderOptions.NamedOption;
import dev.substrat.http.server.FormData;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.platform.json.Yaml;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentDeclaration;
import dev.substrat.turn.engine.Engine;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// Sources of a new agent: templates, clones and imports.
final class TemplateChoices {
  private static final JsonSchema CONFIG = JsonSchema.ofRecord(AgentConfig.class);

  private final Engine engine;
  private final AgentTemplates templates;

  TemplateChoices(Engine engine) {
    this.engine = engine;
    this.templates =
        new AgentTemplates(
            engine.dependencies().database(), engine.events(), engine.dependencies().clock());
  }

  /// Templates by id, with display names.
  List<NamedOption> templates() {
    return templates.list().stream().map(one -> new NamedOption(one.id(), one.name())).toList();
  }

  /// Source requested by the URL, or empty.
  ObjectNode wanted(HttpExchange exchange) {
    Optional<String> template = exchange.query("template");
    if (template.isPresent()) {
      return nameless(template(template.get()).config());
    }
    return exchange.query("like").map(this::like).orElseGet(Json::object);
  }

  private AgentTemplate template(String id) {
    return templates.list().stream()
        .filter(one -> one.id().equals(id))
        .findFirst()
        .orElseThrow(() ->
            ErrorCode.NOT_FOUND.fault(
                "template \"" + id + "\" not found", "choose a template from the list"));
  }

  private ObjectNode like(String handle) {
    var agent = engine.agents().require(handle);
    return nameless((ObjectNode) Json.tree(engine.read(tx -> AgentDeclaration.of(tx, agent))));
  }

  /// Adds the id if two templates have the same name.
  private static ObjectNode nameless(ObjectNode config) {
    ObjectNode own = config.deepCopy();
    own.remove("handle");
    return own.put("name", "");
  }

  /// Parses an exported agent (YAML or JSON) or a `SKILL.md`.
  static ObjectNode pasted(String text) {
    Optional<ObjectNode> skill = SkillMarkdownParser.agent(text);
    if (skill.isPresent()) {
      return skill.get();
    }
    if (!(Json.own(Json.text(Yaml.parse(text))) instanceof ObjectNode written)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "this is not an agent configuration",
          "paste the output of Export or ./substrat agent export, or a SKILL.md");
    }
    ObjectNode config = written.path("config") instanceof ObjectNode inner ? inner : written;
    if (!config.has("name")) {
      config.put("name", "");
    }
    CONFIG.require(config);
    return config;
  }

  /// Keys without a form field, which the form keeps in a hidden field.
  static ObjectNode carried(FormData form) {
    String text = form.text("rest");
    if (text.isEmpty()) {
      return Json.object();
    }
    return Json.parse(text.getBytes(StandardCharsets.UTF_8)) instanceof ObjectNode rest
        ? rest
        : Json.object();
  }

  /// Parser for a `SKILL.md` file: YAML front matter and a text.
  private static final class SkillMarkdownParser {
    private static final String DASHES = "---";

    /// Keys of agent configurations, which may also be pasted.
    private static final List<String> AGENTS = List.of("systemPrompt", "provider", "skills");

    private SkillMarkdownParser() {}

    /// Configuration with this skill; empty if the text is not a `SKILL.md`.
    static Optional<ObjectNode> agent(String text) {
      List<String> lines = text.strip().lines().toList();
      int end = lines.subList(Math.min(1, lines.size()), lines.size()).indexOf(DASHES) + 1;
      if (end == 0 || !lines.getFirst().stripTrailing().equals(DASHES)) {
        return Optional.empty();
      }
      String body = String.join("\n", lines.subList(end + 1, lines.size())).strip();
      // An empty first line replaces the dashes, so that line numbers in errors are correct.
      JsonNode head = Yaml.parse("\n" + String.join("\n", lines.subList(1, end)) + "\n");
      return body.isEmpty() || !head.hasNonNull("name") || AGENTS.stream().anyMatch(head::has)
          ? Optional.empty()
          : Optional.of(agent(head, body));
    }

    private static ObjectNode agent(JsonNode head, String body) {
      // `./substrat agent export` adds these, because the format has no keys for them.
      JsonNode ours = head.path("metadata");
      String about = head.path("description").asText("").strip();
      ObjectNode agent = Json.object().put("name", "");
      ObjectNode skill =
          agent
              .putArray("skills")
              .addObject()
              .put("name", ours.path("substrat-name").asText(head.path("name").asText()))
              .put("description", about.isEmpty() ? body : about + "\n\n" + body);
      if (ours.hasNonNull("substrat-category")) {
        skill.put("category", ours.path("substrat-category").asText());
      }
      return agent;
    }
  }
}
