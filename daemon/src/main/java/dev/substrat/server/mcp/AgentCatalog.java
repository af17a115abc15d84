package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.ClientChannel;
import dev.substrat.mcp.spi.McpCatalog;
import dev.substrat.mcp.spi.McpOutcome;
import dev.substrat.mcp.spi.McpTask;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.mcp.spi.ToolDefinitionList;
import dev.substrat.mcp.wire.HeaderArguments;
import dev.substrat.platform.json.Json;
import dev.substrat.team.Agent;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.ToolResult;
import java.util.List;
import java.util.Optional;

/// MCP catalog of an agent: tools, prompts and resources.
record AgentCatalog(
    McpCallers.ToolActor actor,
    ToolDescriptors cards,
    AgentResources descriptors,
    AgentPrompts scripts,
    PendingTasks tasks)
    implements McpCatalog {

  @Override
  public ToolDefinitionList tools() {
    return cards.of(actor.listTools());
  }

  @Override
  public HeaderArguments mirrored(String tool) {
    return cards.mirrored(actor.tools(), tool);
  }

  @Override
  public McpOutcome call(String tool, ObjectNode arguments, ClientChannel contact) {
    try {
      ToolPipeline.ResultWithUnread answer = actor.call(tool, arguments, contact);
      return answer.reply() instanceof ToolResult.Pending pending
          ? new McpOutcome.TaskStarted(tasks.task(pending.call()), result(answer))
          : new McpOutcome.CompleteResult(result(answer));
    } catch (StaleTurn e) {
      throw ProtocolError.notNow("this turn has ended, or its agent was terminated");
    }
  }

  /// The first block and the structured content are the tool's object; notes of Substrat are in
  /// further blocks.
  private static ObjectNode result(ToolPipeline.ResultWithUnread answer) {
    ObjectNode result = result(answer.reply().json(), answer.beside());
    return result.put("isError", answer.reply() instanceof ToolResult.Failed);
  }

  static ObjectNode result(ObjectNode json, ObjectNode beside) {
    ObjectNode result = result(json);
    if (!beside.isEmpty()) {
      result
          .withArrayProperty("content")
          .addObject()
          .put("type", "text")
          .put("text", Json.text(beside));
      result.set("_meta", beside);
    }
    return result;
  }

  /// Errors have the same form everywhere, by which clients recognise them.
  static ObjectNode result(ObjectNode json) {
    var result = Json.object();
    String text = Json.text(json);
    result.putArray("content").addObject().put("type", "text").put("text", text);
    result.set("structuredContent", json);
    return result.put("isError", ToolResult.recorded(json, null) instanceof ToolResult.Failed);
  }

  @Override
  public List<ObjectNode> prompts() {
    return AgentPrompts.list();
  }

  @Override
  public McpOutcome prompt(String name, ObjectNode arguments, ClientChannel contact) {
    return new McpOutcome.CompleteResult(scripts.get(agent(), name, arguments));
  }

  @Override
  public List<ObjectNode> resources() {
    return AgentResources.resources();
  }

  @Override
  public List<ObjectNode> templates() {
    return AgentResources.templates();
  }

  @Override
  public McpOutcome read(String uri, ClientChannel contact) {
    return new McpOutcome.CompleteResult(
        descriptors
            .read(agent(), uri)
            .orElseThrow(() -> ProtocolError.noResource(uri, contact.client())));
  }

  /// All completable arguments are names of reachable agents.
  @Override
  public List<String> complete(ObjectNode what, ObjectNode argument, ObjectNode others) {
    boolean isName =
        AgentResources.MEMBER.equals(what.path("uri").asText())
            || AgentPrompts.isRecipient(what.path("name").asText(), argument.path("name").asText());
    return isName ? descriptors.names(agent(), argument.path("value").asText()) : List.of();
  }

  @Override
  public Optional<McpTask> task(String id) {
    return tasks.find(agent().id().value(), id);
  }

  @Override
  public Optional<McpTask> fetchTask(String id) {
    return tasks.fetch(agent().id().value(), actor.run(), id);
  }

  @Override
  public boolean answerTask(String id, ObjectNode answers) {
    return tasks.answer(agent().id().value(), id, answers);
  }

  @Override
  public boolean cancelTask(String id) {
    return tasks.cancel(agent().id().value(), actor.run(), id);
  }

  private Agent agent() {
    return actor.agent();
  }
}
