package dev.substrat.catalog.zoo;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.team.Agent;
import dev.substrat.team.Skill;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The prompt that makes a chat of another program act as an agent: system prompt and active
/// skills.
public final class AgentInjection {
  private AgentInjection() {}

  /// Prompt and skills as one text.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record CompiledPrompt(
      String agentId,
      String agentName,
      @JsonPropertyDescription("System prompt to follow from now on.") String prompt,
      @JsonPropertyDescription("EMPTY_PROMPT: the agent has neither a prompt nor active skills.")
          @Nullable String warning) {}

  /// Prompt and skills as separate parts.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record StructuredPrompt(
      String agentId,
      String agentName,
      String systemPrompt,
      List<ActiveSkill> skills,
      @JsonPropertyDescription("Paths and URLs to read, if any.")
          @Nullable List<String> contextRefs) {}

  /// A skill that is switched on.
  record ActiveSkill(String id, String name, String description) {}

  static CompiledPrompt compiled(Agent agent) {
    List<Skill> skills = agent.config().activeSkills();
    List<String> context = agent.config().contextRefsOrNone();
    String own = prompt(agent);
    var parts = new ArrayList<String>();
    parts.add(
        "You are now %s. Use agentId=%s for all agent_zoo tool usage."
            .formatted(agent.name(), agent.handle()));
    if (!own.isEmpty()) {
      parts.add(own);
    }
    // A line separates the rest from the agent's own prompt, if there is one.
    if (!own.isEmpty() && (!skills.isEmpty() || !context.isEmpty())) {
      parts.add("---");
    }
    if (!skills.isEmpty()) {
      parts.add("## Active Skills");
      skills.forEach(skill -> parts.add(skill.section()));
    }
    if (!context.isEmpty()) {
      parts.add("## Context");
      parts.add("- " + String.join("\n- ", context));
    }
    boolean isEmpty = own.isEmpty() && skills.isEmpty();
    return new CompiledPrompt(
        agent.handle(), agent.name(), String.join("\n\n", parts), isEmpty ? "EMPTY_PROMPT" : null);
  }

  static StructuredPrompt structured(Agent agent) {
    List<String> context = agent.config().contextRefsOrNone();
    return new StructuredPrompt(
        agent.handle(),
        agent.name(),
        prompt(agent),
        ZooAgent.skills(agent).stream()
            .filter(ZooAgent.ToolSummary::counts)
            .map(skill -> new ActiveSkill(skill.id(), skill.name(), skill.description()))
            .collect(Collectors.toList()),
        context.isEmpty() ? null : context);
  }

  private static String prompt(Agent agent) {
    String own = agent.config().systemPrompt();
    return own == null ? "" : own.strip();
  }
}
