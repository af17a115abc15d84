package dev.substrat.testkit.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Default script: calls a tool if the text asks for it, otherwise reports the number of user
/// turns.
///
/// `[tool]` calls the tool whose name ends in `send_message`; `[tool NAME {…}]` another one, or
/// that one with other arguments. A tool's result is answered with `FINAL userTurns=N lastTool=…`,
/// which shows whether a conversation was resumed.
public final class DefaultModelScript implements ModelScript {
  /// The question that a turn repeats: its tool call was made in an earlier turn.
  private static final Pattern SUBJECT =
      Pattern.compile("<turn-(\\w+)>.*?</turn-\\1>", Pattern.DOTALL);

  private static final Pattern WANTED = Pattern.compile("\\[tool(?:\\s+([\\w.-]+)\\s*(\\{.*})?)?");
  private static final String DEFAULT_TOOL = "send_message";

  @Override
  public ScriptedAnswer answer(ModelPrompt asked) {
    List<ModelPrompt.PromptToolResult> results = asked.newResults();
    if (!results.isEmpty()) {
      return last(asked, results.getLast().text());
    }
    Matcher wanted = WANTED.matcher(SUBJECT.matcher(asked.lastUserText()).replaceAll(""));
    if (!wanted.find()) {
      return last(asked, "none");
    }
    String name = wanted.group(1) == null ? DEFAULT_TOOL : wanted.group(1);
    Optional<ModelPrompt.OfferedTool> tool = asked.tool(name);
    if (tool.isEmpty()) {
      return last(asked, "no tool " + name + " among " + names(asked));
    }
    ObjectNode arguments =
        wanted.group(2) == null ? usual(tool.get()) : DialectJson.firstObject(wanted.group(2));
    return ScriptedAnswer.call(name, arguments.toString());
  }

  private static ScriptedAnswer last(ModelPrompt asked, String tool) {
    return ScriptedAnswer.text("FINAL userTurns=" + asked.userTurns() + " lastTool=" + tool);
  }

  private static List<String> names(ModelPrompt asked) {
    return asked.tools().stream().map(ModelPrompt.OfferedTool::fullName).toList();
  }

  /// As the tool's own schema calls them.
  private static ObjectNode usual(ModelPrompt.OfferedTool tool) {
    JsonNode known = tool.schema().path("properties");
    var arguments = DialectJson.object();
    arguments.put(known.has("to") ? "to" : "recipient", "bob");
    arguments.put("text", "hello from a scripted model");
    if (known.has("sync")) {
      arguments.put("sync", false);
    }
    return arguments;
  }
}
