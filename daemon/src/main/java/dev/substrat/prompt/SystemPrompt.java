package dev.substrat.prompt;

import dev.substrat.team.Agent;
import dev.substrat.team.Skill;
import dev.substrat.tool.Tool;
import java.util.ArrayList;
import java.util.List;

/// Who an agent is, how it works, what it has and whom it knows. Nothing about a turn: while none
/// of that changes, neither does the text, and a model that keeps what it has read need not read it
/// again. What changes most stands last.
final class SystemPrompt {
  private SystemPrompt() {}

  static String of(Agent agent, List<Tool> tools, Team team, List<String> surroundings) {
    var parts = new ArrayList<String>();
    parts.add(
        "You are %s, an agent of a team that Substrat runs. Your role: %s. Your id: %s."
            .formatted(Name.shown(agent.name()), agent.role(), agent.id()));
    String own = agent.config().systemPrompt();
    if (own != null && !own.isBlank()) {
      parts.add(Visible.text(own).strip());
    }
    List<Skill> skills = agent.config().activeSkills();
    if (!skills.isEmpty()) {
      parts.add("## Your skills");
      skills.forEach(skill -> parts.add(Visible.text(skill.section())));
    }
    parts.add(
        (agent.isExternal() ? WorkingRules.forMindsElsewhere() : WorkingRules.forTurns()).strip());
    parts.add("## Your tools\n\n" + tools(tools));
    parts.add("## Your team\n\n" + team(agent, team));
    parts.addAll(surroundings);
    return String.join("\n\n", parts) + "\n";
  }

  private static String tools(List<Tool> tools) {
    if (tools.isEmpty()) {
      return "Substrat gives you none; your final text is what others get from you.";
    }
    var lines = new ArrayList<String>();
    lines.add("Substrat gives you these; your client may show them under longer names.");
    tools.forEach(tool -> lines.add("- " + tool.name() + ": " + firstSentence(tool.description())));
    return String.join("\n", lines);
  }

  /// The tool's own description has the rest.
  private static String firstSentence(String description) {
    String line = Visible.text(description).strip().replaceAll("\\s+", " ");
    int end = line.indexOf(". ");
    return end < 0 ? line : line.substring(0, end + 1);
  }

  private static String team(Agent agent, Team team) {
    var lines = new ArrayList<String>();
    lines.add(
        agent.parent() == null
            ? "- USER: the operator, the person you work for"
            : "- operator: the person who runs the team; you cannot write to them first, but when they"
                + " ask you something "
                + (agent.isExternal()
                    ? "you can answer with `send_message`"
                    : "your final text answers them"));
    if (team.parent() != null) {
      lines.add(member(team.parent(), "your parent"));
    }
    team.siblings().forEach(one -> lines.add(member(one, "your sibling")));
    team.children().forEach(one -> lines.add(member(one, "your child")));
    return String.join("\n", lines);
  }

  /// Two can have the same name, as parent and child; handles tell them apart.
  private static String member(Agent one, String relation) {
    String handle = one.handle().equalsIgnoreCase(one.name()) ? "" : " (" + one.handle() + ")";
    return "- %s%s: %s, %s".formatted(Name.shown(one.name()), handle, relation, one.role());
  }
}
