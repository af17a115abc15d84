package dev.substrat.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.ClientChannel;
import dev.substrat.mcp.spi.McpOutcome;
import dev.substrat.platform.json.Json;
import org.jspecify.annotations.Nullable;

/// Tools that ask their client a question before they answer.
final class ElicitationTools {
  private static final String PREFIX = "test_input_required_result_";

  private ElicitationTools() {}

  static void register(Fixtures fixtures) {
    fixtures.tool(PREFIX + "elicitation", (_, contact) -> greet(contact));
    fixtures.tool("test_streaming_elicitation", (_, contact) -> greet(contact));
    fixtures.tool(PREFIX + "sampling", (_, contact) -> capital(contact));
    fixtures.tool("test_missing_capability", (_, contact) -> capital(contact));
    fixtures.tool(PREFIX + "list_roots", (_, contact) -> roots(contact));
    fixtures.tool(PREFIX + "request_state", (_, contact) -> remembering(contact));
    fixtures.tool(PREFIX + "tampered_state", (_, contact) -> remembering(contact));
    fixtures.tool(PREFIX + "multiple_inputs", (_, contact) -> three(contact));
    fixtures.tool(PREFIX + "multi_round", (_, contact) -> rounds(contact));
    fixtures.tool(PREFIX + "capabilities", (_, contact) -> whatItCan(contact));
    fixtures.tool(
        "test_sampling",
        (arguments, contact) ->
            contact.answers().has("it")
                ? Content.said("LLM response: " + contact.answers().at("/it/content/text").asText())
                : ask("it", sampling(arguments.path("prompt").asText())));
    fixtures.tool(
        "test_elicitation",
        (arguments, contact) ->
            answered(contact, elicitation(arguments.path("message").asText(), "response")));
    fixtures.tool(
        "test_elicitation_sep1034_defaults",
        (_, contact) -> answered(contact, Fixtures.form("elicitation-defaults.json")));
    fixtures.tool(
        "test_elicitation_sep1330_enums",
        (_, contact) -> answered(contact, Fixtures.form("elicitation-enums.json")));
  }

  private static McpOutcome answered(ClientChannel contact, ObjectNode question) {
    JsonNode answer = contact.answers().path("it");
    return answer.isMissingNode()
        ? ask("it", question)
        : Content.said(
            "User response: action=%s, content=%s"
                .formatted(answer.path("action").asText(), answer.path("content")));
  }

  private static McpOutcome greet(ClientChannel contact) {
    JsonNode name = contact.answers().at("/user_name/content/name");
    return name.isTextual()
        ? Content.said("Hello, " + name.asText() + "!")
        : ask("user_name", elicitation("What is your name?", "name"));
  }

  private static McpOutcome capital(ClientChannel contact) {
    JsonNode answer = contact.answers().path("capital_question");
    return answer.isMissingNode()
        ? ask("capital_question", sampling("What is the capital of France?"))
        : Content.said(answer.at("/content/text").asText());
  }

  private static McpOutcome roots(ClientChannel contact) {
    JsonNode answer = contact.answers().path("client_roots");
    return answer.isMissingNode()
        ? ask("client_roots", question("roots/list"))
        : Content.said("roots: " + answer.path("roots"));
  }

  private static McpOutcome remembering(ClientChannel contact) {
    if (contact.answers().has("confirm") && contact.state().path("asked").asBoolean()) {
      return Content.said("state-ok");
    }
    return ask("confirm", elicitation("Please confirm", "ok"), Json.object().put("asked", true));
  }

  private static McpOutcome three(ClientChannel contact) {
    ObjectNode answers = contact.answers();
    if (answers.has("user_name") && answers.has("greeting") && answers.has("client_roots")) {
      return Content.said("all three: " + answers);
    }
    var questions = Json.object();
    questions.set("user_name", elicitation("What is your name?", "name"));
    questions.set("greeting", sampling("Generate a greeting"));
    questions.set("client_roots", question("roots/list"));
    return new McpOutcome.InputRequired(questions, Json.object().put("round", 1));
  }

  private static McpOutcome rounds(ClientChannel contact) {
    return switch (contact.state().path("round").asInt()) {
      case 0 -> ask("step1", elicitation("Step 1: What is your name?", "name"), round(1));
      case 1 ->
          ask("step2", elicitation("Step 2: What is your favorite color?", "color"), round(2));
      default -> Content.said("done: " + contact.answers());
    };
  }

  private static McpOutcome whatItCan(ClientChannel contact) {
    if (!contact.answers().isEmpty()) {
      return Content.said("answered: " + contact.answers());
    }
    var questions = Json.object();
    if (contact.client().has("elicitation")) {
      questions.set("user_name", elicitation("What is your name?", "name"));
    }
    if (contact.client().has("sampling")) {
      questions.set("greeting", sampling("Generate a greeting"));
    }
    return questions.isEmpty()
        ? Content.said("nobody can be asked")
        : new McpOutcome.InputRequired(questions, null);
  }

  private static ObjectNode round(int number) {
    return Json.object().put("round", number);
  }

  static McpOutcome ask(String name, ObjectNode question) {
    return ask(name, question, null);
  }

  private static McpOutcome ask(String name, ObjectNode question, @Nullable ObjectNode state) {
    var questions = Json.object();
    questions.set(name, question);
    return new McpOutcome.InputRequired(questions, state);
  }

  static ObjectNode elicitation(String message, String field) {
    ObjectNode question = question("elicitation/create");
    var params = (ObjectNode) question.path("params");
    params.put("message", message);
    var schema = params.putObject("requestedSchema").put("type", "object");
    schema
        .putObject("properties")
        .putObject(field)
        .put("type", field.equals("ok") ? "boolean" : "string");
    schema.putArray("required").add(field);
    return question;
  }

  private static ObjectNode sampling(String text) {
    ObjectNode question = question("sampling/createMessage");
    var params = (ObjectNode) question.path("params");
    var message = params.putArray("messages").addObject().put("role", "user");
    message.set("content", Content.text(text));
    params.put("maxTokens", 100);
    return question;
  }

  private static ObjectNode question(String method) {
    var question = Json.object().put("method", method);
    question.putObject("params");
    return question;
  }
}
