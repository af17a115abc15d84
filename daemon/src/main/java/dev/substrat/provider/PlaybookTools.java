package dev.substrat.provider;

import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Spelling;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Mind;
import java.util.List;

/// A playbook calls tools by name. One that does not exist is refused when the agent is made: later
/// it would only be a line in a record that nobody looks at.
public final class PlaybookTools {
  private PlaybookTools() {}

  /// `tools` are all that an agent with this configuration has.
  public static void require(AgentConfig config, List<String> tools) {
    Mind mind = config.provider();
    if (mind == null || mind.playbook() == null) {
      return;
    }
    List<Playbook.Rule> rules = Playbook.parse(mind.playbook()).rules();
    for (int rule = 0; rule < rules.size(); rule++) {
      List<Playbook.Step> steps = rules.get(rule).steps();
      for (int step = 0; step < steps.size(); step++) {
        String tool = steps.get(step).call();
        if (tool != null && !tools.contains(tool)) {
          throw unknown("/provider/playbook/%d/do/%d/call".formatted(rule, step), tool, tools);
        }
      }
    }
  }

  private static Fault unknown(String place, String tool, List<String> tools) {
    List<String> near = Spelling.near(tool, tools);
    String hint =
        tools.isEmpty()
            ? "its toolsets have no tools"
            : near.isEmpty()
                ? "it has: " + String.join(", ", tools)
                : "did you mean " + String.join(" or ", near) + "?";
    return new Fault(
        ErrorCode.INVALID_CONFIG, "%s: it has no tool %s".formatted(place, tool), hint);
  }
}
