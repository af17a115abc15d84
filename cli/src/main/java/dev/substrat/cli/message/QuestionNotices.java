package dev.substrat.cli.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.shell.Spinner;
import dev.substrat.cli.shell.TerminalText;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.Fault;
import java.util.HashSet;
import java.util.Set;

/// Tells whoever waits for an agent that the agent itself waits for a person, and for what: it may
/// be them. Each question once.
final class QuestionNotices {
  private static final int LONGEST = 200;

  private final RootCommand shell;
  private final String agent;
  private final Set<String> told = new HashSet<>();

  QuestionNotices(RootCommand shell, String agent) {
    this.shell = shell;
    this.agent = agent;
  }

  void tell(Spinner spinner) {
    if (shell.wantsJson()) {
      return;
    }
    for (JsonNode call : open()) {
      // What a service was asked is not for whoever waits here.
      if (!call.path("forService").asBoolean() && told.add(call.path("callId").asText())) {
        spinner.note(sentence(call));
      }
    }
  }

  /// Only a note: that it cannot be given is no reason to stop waiting.
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
    return "%s waits for a person (%s). To answer: %s"
        .formatted(
            agent,
            TerminalText.cut(what, LONGEST),
            shell.command("pending answer " + call.path("callId").asText()));
  }
}
