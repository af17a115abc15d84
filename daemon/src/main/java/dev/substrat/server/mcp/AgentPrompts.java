package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.prompt.PromptBuilder;
import dev.substrat.team.Agent;
import java.util.List;

/// MCP prompts of an agent, which a person chooses in the client.
record AgentPrompts(PromptBuilder prompts) {
  private static final String BE = "be_this_agent";
  private static final String MAIL = "read_mail";
  private static final String ASK = "ask_teammate";
  private static final String RECIPIENT = "recipient";

  static List<ObjectNode> list() {
    var ask = card(ASK, "Ask a teammate a question and continue when the reply arrives.");
    var arguments = ask.putArray("arguments");
    argument(arguments.addObject(), RECIPIENT, "Name of the teammate.");
    argument(arguments.addObject(), "question", "Text of the question.");
    return List.of(
        ask,
        card(BE, "Act as this agent: its role, its instructions and its team."),
        card(MAIL, "Read your messages and process them."));
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
              "Call check_inbox and process every message: do what is asked if it fits your"
                  + " instructions, and answer the sender with send_message. If the inbox is empty,"
                  + " say so.";
          case ASK ->
              ("Ask %s with send_message: %s\nThe reply arrives in your inbox; do not "
                      + "wait for it.")
                  .formatted(need(arguments, RECIPIENT), need(arguments, "question"));
          default -> throw ProtocolError.badParams("unknown prompt " + name);
        };
    var result = Json.object();
    var message = result.putArray("messages").addObject().put("role", "user");
    message.putObject("content").put("type", "text").put("text", text);
    return result;
  }

  private static String need(ObjectNode arguments, String key) {
    if (!arguments.path(key).isTextual()) {
      throw ProtocolError.badParams("/params/arguments/" + key + " must be a string");
    }
    return arguments.path(key).textValue();
  }
}
