package dev.substrat.cli.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Spinner;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.protocol.Fault;
import java.util.HashSet;
import java.util.Set;

/// Notices for `send --wait` that the agent waits for a person. Each question is printed once.
final class QuestionNotices {
  private static final int LONGEST = 200;

  private final RootCommand shell;
  private final String agent;
  private final Set<String> printed = new HashSet<>();

  QuestionNotices(RootCommand shell, String agent) {
    this.shell = shell;
    this.agent = agent;
  }

  void print(Spinner spinner) {
    if (shell.wantsJson()) {
      return;
    }
    for (JsonNode call : open()) {
      // Calls for a service are answered by a program, not by the user.
      if (!call.path("forService").asBoolean() && printed.add(call.path("callId").asText())) {
        spinner.note(sentence(call));
      }
    }
  }

  /// Empty on failure: notices are optional, waiting goes on.
  private JsonNode open() {
    try {
      return shell
          .daemon()
          .read(DaemonClient.query("/api/pending", "agent", agent))
          .path("pending");
    } catch (Fault _) {
      return JsonTree.object();
    }
  }

  private String sentence(JsonNode call) {
    String text = call.at("/form/text").asText();
    String what = call.at("/form/title").asText() + (text.isEmpty() ? "" : ": " + text);
    return "%s waits for a person: %s. Answer it: %s"
        .formatted(
            agent,
            TerminalText.cut(what, LONGEST),
            shell.command("pending answer " + call.path("callId").asText()));
  }
}
