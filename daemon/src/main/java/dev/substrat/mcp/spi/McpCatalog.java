package dev.substrat.mcp.spi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.wire.HeaderArguments;
import java.util.List;
import java.util.Optional;

/// Tools, prompts and resources of one principal. Lists are in a stable order.
public interface McpCatalog {
  ToolDefinitionList tools();

  McpOutcome call(String tool, ObjectNode arguments, ClientChannel contact);

  /// Arguments of a tool that its calls must repeat in headers.
  default HeaderArguments mirrored(String tool) {
    return HeaderArguments.NONE;
  }

  default List<ObjectNode> prompts() {
    return List.of();
  }

  default McpOutcome prompt(String name, ObjectNode arguments, ClientChannel contact) {
    throw ProtocolError.badParams("prompt " + name + " not found");
  }

  default List<ObjectNode> resources() {
    return List.of();
  }

  default List<ObjectNode> templates() {
    return List.of();
  }

  default McpOutcome read(String uri, ClientChannel contact) {
    throw ProtocolError.noResource(uri, contact.client());
  }

  /// Completions of an argument: `what` refers to a prompt or a template, `argument` has its name
  /// and the value so far.
  default List<String> complete(ObjectNode what, ObjectNode argument, ObjectNode others) {
    return List.of();
  }

  default Optional<McpTask> task(String id) {
    return Optional.empty();
  }

  /// The same for a client that fetches it and so has received its result.
  default Optional<McpTask> fetchTask(String id) {
    return task(id);
  }

  /// Submits answers to an open task; false if there is no such task.
  default boolean answerTask(String id, ObjectNode answers) {
    return false;
  }

  /// Cancels a task; false if there is no such task.
  default boolean cancelTask(String id) {
    return false;
  }
}
