package dev.substrat.server.console.agents;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.catalog.zoo.Zoo;
import dev.substrat.console.agents.AgentDraft;
import dev.substrat.console.agents.DraftPreview;
import dev.substrat.console.agents.DraftProblems;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Handle;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentTree;
import dev.substrat.turn.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Renders the preview of a draft without storing it.
final class DraftPreviews {
  /// Keys that the preview does not need; they are often incomplete while typing.
  private static final List<String> OPTIONAL =
      List.of("provider", "tools", "mcp", "middleware", "limits");

  private final Engine engine;
  private final Zoo zoo;

  DraftPreviews(Engine engine) {
    this.engine = engine;
    this.zoo = new Zoo(engine.dependencies().database());
  }

  /// `agent` is the edited agent, or null; `base` its configuration.
  DraftPreview of(AgentDraft draft, @Nullable Agent agent, ObjectNode base) {
    if (draft.name().isEmpty() && agent == null) {
      return DraftPreview.NOTHING;
    }
    DraftParser.Outcome reading = DraftParser.of(draft, base);
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
    return "Not in the preview because it is invalid: " + String.join("; ", all);
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
        : engine
            .dependencies()
            .database()
            .read(tx -> AgentTree.findLiving(tx, draft.parent()))
            .map(Agent::id)
            .orElse(null);
  }
}
