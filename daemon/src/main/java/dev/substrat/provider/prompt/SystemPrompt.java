package dev.substrat.provider.prompt;

import dev.substrat.team.Agent;
import dev.substrat.team.Skill;
import java.util.ArrayList;
import java.util.List;

/// The system prompt: the agent's identity, how it works, its team, and sections for its toolsets.
/// It contains nothing about a single turn, so it stays the same for a model with a prompt cache.
/// The parts that change most come last. Tools are not listed: the provider sends them to the
/// model.
final class SystemPrompt {
  private SystemPrompt() {}

  static String of(Agent agent, boolean hasTools, TeamSection team, List<String> surroundings) {
    var parts = new ArrayList<String>();
    parts.add(
        "You are %s, an agent in a team run by Substrat. Your role: %s. Your id: %s."
            .formatted(AgentNameText.shown(agent.name()), agent.role(), agent.id()));
    String own = agent.config().systemPrompt();
    if (own != null && !own.isBlank()) {
      parts.add(VisibleText.text(own).strip());
    }
    List<Skill> skills = agent.config().activeSkills();
    if (!skills.isEmpty()) {
      parts.add("## Your skills");
      skills.forEach(skill -> parts.add(VisibleText.text(skill.section())));
    }
    parts.add(WorkingRules.of(agent).strip());
    if (!hasTools) {
      parts.add("You have no tools of Substrat: others receive only your final text.");
    }
    parts.add("## Your team\n\n" + team(agent, team));
    parts.addAll(surroundings);
    return String.join("\n\n", parts) + "\n";
  }

  private static String team(Agent agent, TeamSection team) {
    var lines = new ArrayList<String>();
    lines.add(
        agent.parent() == null
            ? "- operator: the person you work for"
            : "- operator: the person who runs the team; you can answer this person, but not send"
                + " the first message");
    if (team.parent() != null) {
      lines.add(member(team.parent(), "your parent"));
    }
    team.siblings().forEach(one -> lines.add(member(one, "your sibling")));
    team.children().forEach(one -> lines.add(member(one, "your child")));
    return String.join("\n", lines);
  }

  /// A parent and a child can have the same name, so the handle is added.
  private static String member(Agent one, String relation) {
    String handle = one.handle().equalsIgnoreCase(one.name()) ? "" : " (" + one.handle() + ")";
    return "- %s%s: %s, %s"
        .formatted(AgentNameText.shown(one.name()), handle, relation, one.role());
  }
}
