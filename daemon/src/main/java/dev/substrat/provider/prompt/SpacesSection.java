package dev.substrat.provider.prompt;

import dev.substrat.space.AgentSpaces;
import dev.substrat.space.AgentSpaces.SpaceSummary;
import dev.substrat.space.Space;
import dev.substrat.space.TurnSpace;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Section of the system prompt about spaces: the active space, memberships, and that an answer is
/// optional.
final class SpacesSection {
  /// More spaces are only counted.
  private static final int MAX_COUNT = 30;

  private SpacesSection() {}

  /// Agents without a tool for spaces get no section.
  static Optional<String> section(Tx tx, Agent agent, @Nullable TurnSpace turn) {
    List<String> toolsets = agent.config().toolsetsOrDefault();
    return toolsets.contains("spaces") || toolsets.contains("channels")
        ? Optional.of(text(toolsets, AgentSpaces.of(tx, agent.id(), turn)))
        : Optional.empty();
  }

  static String text(List<String> toolsets, AgentSpaces where) {
    var lines = new ArrayList<String>();
    lines.add("## Your spaces\n");
    if (toolsets.contains("spaces")) {
      lines.add(
          where.active() == null
              ? "You have no active space. To choose a space, call `enter_space`."
              : "Your active space is `%s`: `send_message` without an address posts there."
                  .formatted(where.active()));
    }
    lines.add(
        "You need not answer messages in a space."
            + (toolsets.contains("channels") ? " Call `do_nothing` to stay silent." : ""));
    lines.add(
        where.memberships().isEmpty()
            ? "You are not a member of any space."
            : "You are a member of:");
    where.memberships().stream()
        .limit(MAX_COUNT)
        .forEach(membership -> lines.add(line(membership)));
    int more = where.memberships().size() - MAX_COUNT;
    if (more > 0) {
      lines.add("- and " + more + " more");
    }
    return String.join("\n", lines);
  }

  private static String line(SpaceSummary membership) {
    Space space = membership.space();
    String unread = membership.unread() == 0 ? "" : ", %d unread".formatted(membership.unread());
    // Members can change the topic, so it is quoted.
    String topic = space.topic().isEmpty() ? "" : ", topic " + AgentNameText.quoted(space.topic());
    return "- %s: %s%s%s".formatted(space.id(), space.kind(), unread, topic);
  }
}
