package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.prompt.PromptBuilder;
import dev.substrat.team.Agent;
import java.util.List;

/// Things a person says to the mind of an agent again and again, ready to be chosen in its client.
final class AgentPrompts {
  private static final String BE = "be_this_agent";
  private static final String MAIL = "read_mail";
  private static final String ASK = "ask_teammate";
  private static final String RECIPIENT = "recipient";

  private final PromptBuilder prompts;

  AgentPrompts(PromptBuilder prompts) {
    this.prompts = prompts;
  }

  static List<ObjectNode> list() {
    var ask = card(ASK, "Ask a teammate something and go on when the answer comes.");
    var arguments = ask.putArray("arguments");
    argument(arguments.addObject(), RECIPIENT, "Who is asked.");
    argument(arguments.addObject(), "question", "What they are asked.");
    return List.of(
        ask,
        card(BE, "Work as this agent: who it is, how it works, and who its team is."),
        card(MAIL, "Read the mail and deal with what is there."));
  }

  private static ObjectNode card(String name, String description) {
    return Json.object().put("name", name).put("description", description);
  }

  private static void argument(ObjectNode into, String name, String description) {
    into.put("name", name).put("description", description).put("required", true);
  }

  static boolean isRecipient(String prompt, String argument) {
    return prompt.equals(ASK) && argument.equals(RECIPIENT);
  }

  ObjectNode get(Agent agent, String name, ObjectNode arguments) {
    String text =
        switch (name) {
          case BE -> prompts.next(agent.handle()).system();
          case MAIL ->
              "Call check_inbox and deal with every message there: do what is asked if it fits your"
                  + " instructions, and answer those who asked with send_message. If there is"
                  + " nothing, say so.";
          case ASK ->
              "Ask %s with send_message: %s\nThe answer arrives in your inbox; do not wait for it."
                  .formatted(need(arguments, RECIPIENT), need(arguments, "question"));
          default -> throw ProtocolError.badParams("there is no prompt " + name);
        };
    var result = Json.object();
    var message = result.putArray("messages").addObject().put("role", "user");
    message.putObject("content").put("type", "text").put("text", text);
    return result;
  }

  private static String need(ObjectNode arguments, String key) {
    if (!arguments.path(key).isTextual()) {
      throw ProtocolError.badParams("/params/arguments/" + key + " must be a text");
    }
    return arguments.path(key).textValue();
  }
}
