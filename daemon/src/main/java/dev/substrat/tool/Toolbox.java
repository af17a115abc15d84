package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.event.EventLog;
import dev.substrat.event.NewEvent;
import dev.substrat.fault.Fault;
import dev.substrat.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.telemetry.Telemetry;
import io.opentelemetry.api.trace.SpanKind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The one way every tool call takes: find, validate, run, report.
///
/// A tool that fails gives an answer the agent can work with; it never ends the turn.
public final class Toolbox {
  private static final Log LOG = Log.of(Toolbox.class);

  private final Map<String, Tool> tools;
  private final Database database;
  private final EventLog events;
  private final Telemetry telemetry;

  public Toolbox(List<Tool> tools, Database database, EventLog events, Telemetry telemetry) {
    this.tools = tools.stream().collect(Collectors.toMap(Tool::name, tool -> tool));
    this.database = database;
    this.events = events;
    this.telemetry = telemetry;
  }

  public ToolReply call(Caller caller, String name, ObjectNode arguments) {
    ToolReply reply =
        telemetry.inSpan(
            "tool " + name,
            SpanKind.INTERNAL,
            Map.of("substrat.agent", caller.agent().handle(), "substrat.tool", name),
            () -> run(caller, name, arguments));
    report(caller, name, arguments, reply);
    return reply;
  }

  private ToolReply run(Caller caller, String name, ObjectNode arguments) {
    try {
      Tool tool = require(name);
      tool.input().require(arguments);
      return tool.call(caller, arguments);
    } catch (Fault fault) {
      return ToolReply.Failed.because(fault);
    } catch (StaleTurn e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("a tool broke", e, "tool", name, "agent", caller.agent().handle());
      return new ToolReply.Failed(
          ErrorCode.INTERNAL, "the tool broke", "go on without it, or try later");
    }
  }

  private Tool require(String name) {
    Tool tool = tools.get(name);
    if (tool == null) {
      throw new Fault(
          ErrorCode.UNKNOWN_TOOL,
          "there is no tool " + name,
          "your tools: " + String.join(", ", new TreeMap<>(tools).keySet()));
    }
    return tool;
  }

  private void report(Caller caller, String name, ObjectNode arguments, ToolReply reply) {
    var event =
        NewEvent.of("tool_called")
            .about(caller.agent().id().value())
            .during(caller.run().value())
            .with("agent", caller.agent().handle())
            .with("tool", name)
            .with("arguments", arguments)
            .with("ok", reply instanceof ToolReply.Done)
            .with("error", reply instanceof ToolReply.Failed failed ? failed.message() : null);
    database.transact(tx -> {
      events.append(tx, event);
      return true;
    });
  }
}
