package dev.substrat.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.event.EventLog;
import dev.substrat.event.NewEvent;
import dev.substrat.fault.Fault;
import dev.substrat.json.Json;
import dev.substrat.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.telemetry.Telemetry;
import dev.substrat.transcript.Transcript;
import io.opentelemetry.api.trace.SpanKind;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The one way every tool call takes: limit, find, validate, record, run, record.
///
/// A tool that fails gives an answer the agent can work with; it never ends the turn. Each call has
/// one row for the call and one for the return, written here and nowhere else.
public final class Toolbox {
  private static final Log LOG = Log.of(Toolbox.class);

  private final Kits kits;
  private final Parts parts;

  public Toolbox(List<Toolset> toolsets, Parts parts) {
    this.kits = new Kits(toolsets);
    this.parts = parts;
  }

  /// What the pipeline works with.
  public record Parts(
      Database database,
      EventLog events,
      Transcript transcript,
      CallLimits limits,
      InboxNews.Source news,
      Telemetry telemetry) {}

  /// A reply, and what has arrived meanwhile.
  public record Answer(ToolReply reply, InboxNews news) {

    /// An answer that was given before, exactly as it was.
    public static Answer recorded(ObjectNode result, JsonNode beside) {
      String hint = beside.path("hint").isTextual() ? beside.path("hint").asText() : null;
      return new Answer(ToolReply.recorded(result, hint), InboxNews.recorded(beside.path("inbox")));
    }

    /// What the agent gets besides the tool's own object; empty if there is nothing to say.
    public ObjectNode beside() {
      var beside = Json.object();
      if (!(reply instanceof ToolReply.Failed) && reply.hint() != null) {
        beside.put("hint", reply.hint());
      }
      if (!news.isEmpty()) {
        beside.set("inbox", news.json());
      }
      return beside;
    }

    private Transcript.Result forTheRecord() {
      return new Transcript.Result(reply.json(), beside().isEmpty() ? null : beside());
    }
  }

  /// What an agent has, in an order that never changes.
  public List<Tool> of(Agent agent) {
    return List.copyOf(kits.of(agent).values());
  }

  /// The names of all there is for an agent configured like this, wherever its mind is.
  public List<String> names(AgentConfig config) {
    return List.copyOf(kits.of(Set.copyOf(config.toolsetsOrDefault())).keySet());
  }

  public Answer call(Call call, String name, ObjectNode arguments) {
    Caller caller = call.caller();
    return parts
        .telemetry()
        .inSpan(
            "tool " + name,
            SpanKind.INTERNAL,
            Map.of("substrat.agent", caller.agent().handle(), "substrat.tool", name),
            () -> answer(call, name, arguments));
  }

  private Answer answer(Call call, String name, ObjectNode arguments) {
    Caller caller = call.caller();
    var refused = parts.limits().refuse(caller, name, kits.contains(name));
    if (refused.isPresent()) {
      return refuse(call, name, arguments, refused.get());
    }
    var place = new Transcript.Place(caller.run(), call.step());
    record(caller, tx -> parts.transcript().called(tx, place, made(call, name, arguments)));
    ToolReply reply = run(call, name, arguments);
    // Asked for first, so that the record has what the agent gets.
    var answer = new Answer(reply, parts.news().of(caller));
    record(
        caller,
        tx -> {
          parts.transcript().returned(tx, place, call.id(), name, answer.forTheRecord());
          parts.events().append(tx, event(caller, name, arguments, reply));
        });
    return answer;
  }

  /// A refusal depends on the clock, so a turn's record needs it; a turn makes only so many calls.
  /// What a mind elsewhere tries is not recorded: a limit that costs a commit for each refusal
  /// would protect nobody.
  private Answer refuse(Call call, String name, ObjectNode arguments, ToolReply reply) {
    var answer = new Answer(reply, InboxNews.NONE);
    if (!call.caller().isExternal()) {
      var place = new Transcript.Place(call.caller().run(), call.step());
      record(call.caller(), tx -> write(tx, place, new Exchange(call, name, arguments, answer)));
    }
    return answer;
  }

  /// Gives an answer that is known from another run's record: it is written down, and nothing is
  /// done.
  public Answer replay(Call call, String name, ObjectNode arguments, Answer known) {
    var place = new Transcript.Place(call.caller().run(), call.step(), true);
    record(call.caller(), tx -> write(tx, place, new Exchange(call, name, arguments, known)));
    return known;
  }

  /// A call together with its answer.
  private record Exchange(Call call, String name, ObjectNode arguments, Answer answer) {}

  private void write(Tx tx, Transcript.Place place, Exchange one) {
    String id = one.call().id();
    parts.transcript().called(tx, place, made(one.call(), one.name(), one.arguments()));
    parts.transcript().returned(tx, place, id, one.name(), one.answer().forTheRecord());
  }

  private static Transcript.Made made(Call call, String name, ObjectNode arguments) {
    return new Transcript.Made(call.id(), name, arguments, call.clientMeta());
  }

  private ToolReply run(Call call, String name, ObjectNode arguments) {
    try {
      Tool tool = require(call.caller(), name);
      tool.input().require(arguments);
      return tool.call(call, arguments);
    } catch (Fault fault) {
      return ToolReply.Failed.because(fault);
    } catch (StaleTurn e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("a tool broke", e, "tool", name, "agent", call.caller().agent().handle());
      return ToolReply.Failed.because(
          new Fault(ErrorCode.INTERNAL, "the tool broke", "go on without it, or try later"));
    }
  }

  private Tool require(Caller caller, String name) {
    Map<String, Tool> own = kits.of(caller.agent());
    Tool tool = own.get(name);
    if (tool == null) {
      throw new Fault(
          ErrorCode.UNKNOWN_TOOL,
          "you have no tool " + name,
          own.isEmpty() ? "you have no tools" : "your tools: " + String.join(", ", own.keySet()));
    }
    return tool;
  }

  private static NewEvent event(Caller caller, String name, ObjectNode arguments, ToolReply reply) {
    return NewEvent.of("tool_called")
        .about(caller.agent().id().value())
        .during(caller.run().value())
        .with("agent", caller.agent().handle())
        .with("tool", name)
        .with("arguments", arguments)
        .with("ok", !(reply instanceof ToolReply.Failed))
        .with("code", reply instanceof ToolReply.Failed failed ? failed.code() : null)
        .with("error", reply instanceof ToolReply.Failed failed ? failed.message() : null);
  }

  /// A turn that has lost its lease leaves no trace.
  private void record(Caller caller, Recording recording) {
    parts
        .database()
        .transact(tx -> {
          Fence.require(tx, caller);
          recording.in(tx);
          return true;
        });
  }

  private interface Recording {
    void in(Tx tx);
  }
}
