package dev.substrat.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.console.agents.Draft;
import dev.substrat.console.agents.Preview;
import dev.substrat.engine.Engine;
import dev.substrat.id.AgentId;
import dev.substrat.json.Json;
import dev.substrat.protocol.Handle;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Tree;
import dev.substrat.zoo.Zoo;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Shows what a draft would become, without keeping anything of it.
final class Previews {
  /// Without these an agent can still be shown; they are what is most often half-typed.
  private static final List<String> OPTIONAL =
      List.of("provider", "tools", "mcp", "middleware", "limits");

  private static final String INCOMPLETE =
      "Something in the form is not right yet, and is left out here.";

  private final Engine engine;
  private final Zoo zoo;

  Previews(Engine engine) {
    this.engine = engine;
    this.zoo = new Zoo(engine.ground().database());
  }

  /// `agent` is the one that is there already, `base` what it is like.
  Preview of(Draft draft, @Nullable Agent agent, ObjectNode base) {
    Optional<AgentConfig> whole = Reading.of(draft, base).config();
    Agent shown = shown(draft, agent, whole.orElseGet(() -> words(draft)));
    return new Preview(
        zoo.compiled(shown).prompt(),
        engine.prompts().standing(shown),
        whole.isPresent() || draft.name().isEmpty() ? "" : INCOMPLETE);
  }

  /// What a draft says in plain words is never wrong.
  private static AgentConfig words(Draft draft) {
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

  private Agent shown(Draft draft, @Nullable Agent agent, AgentConfig config) {
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
        engine.ground().clock().instant(),
        null);
  }

  private @Nullable AgentId parent(Draft draft) {
    return draft.parent().isEmpty()
        ? null
        : engine
            .ground()
            .database()
            .read(tx -> Tree.findLiving(tx, draft.parent()))
            .map(Agent::id)
            .orElse(null);
  }
}
