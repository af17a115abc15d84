package dev.substrat.provider.prompt;

import dev.substrat.space.TurnSpace;
import dev.substrat.team.Agent;
import java.util.ArrayList;
import java.util.List;

/// Prompt section of a turn in a space: which space it is, how to post there, and where the final
/// text goes.
///
/// It is part of the turn prompt because it differs from turn to turn: a CLI that keeps running
/// between turns reads the system prompt only once.
final class SpaceTurnSection {
  private SpaceTurnSection() {}

  static String of(Agent agent, TurnSpace turn) {
    List<String> toolsets = agent.config().toolsetsOrDefault();
    String id = VisibleText.line(turn.space().id());
    return "This turn is in space `%s`%s. ".formatted(id, dm(turn))
        + (turn.takesFinalTextOf(agent) ? posted(toolsets) : kept(toolsets, id));
  }

  private static String dm(TurnSpace turn) {
    return turn.person() == null
        ? ""
        : ", your direct messages with " + VisibleText.line(turn.person());
  }

  private static String posted(List<String> toolsets) {
    var instead = new ArrayList<String>();
    if (toolsets.contains("spaces") || toolsets.contains("channels")) {
      instead.add("post there with `send_message`");
    }
    if (toolsets.contains("channels")) {
      instead.add("react there");
      instead.add("call `do_nothing`");
    }
    return "Your final text is posted there"
        + (instead.isEmpty() ? "" : ", unless you " + String.join(" or ", instead))
        + ". An empty final text posts nothing.";
  }

  private static String kept(List<String> toolsets, String id) {
    String silence =
        toolsets.contains("channels")
            ? " You need not answer; call `do_nothing` to stay silent."
            : " You need not answer.";
    if (toolsets.contains("spaces")) {
      return "To answer there, call `send_message` without an address: your final text is not"
          + " posted."
          + silence;
    }
    if (toolsets.contains("channels")) {
      return "To answer there, call `send_message` with the channelId %s: your final text is not posted."
              .formatted(id)
          + silence;
    }
    return "Your final text is not posted there.";
  }
}
