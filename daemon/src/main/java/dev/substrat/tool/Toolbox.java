package dev.substrat.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.event.EventLog;
import dev.substrat.fault.Fault;
import dev.substrat.json.Json;
import dev.substrat.json.Schema;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.telemetry.Telemetry;
import dev.substrat.transcript.Transcript;
import io.opentelemetry.api.trace.SpanKind;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// The one way every tool call takes: limit, find, validate, record, run, record.
///
/// A tool that fails gives an answer the agent can work with; it never ends the turn. Each call has
/// one row for the call and one for the return, written by [CallRecord] and nowhere else.
public final class Toolbox {
  private final Kits kits;
  private final Stage stage;
  private final Parts parts;
  private final CallRecord calls;
  private final Recorder recorder;
  private final Afterwards afterwards;
  private final UnderWay underWay = new UnderWay();

  /// With nothing but toolsets, and nobody who looks on.
  public Toolbox(List<Toolset> toolsets, Parts parts) {
    this(toolsets, List.of(), Stage.DARK, parts);
  }

  public Toolbox(List<Toolset> toolsets, List<ToolSource> sources, Stage stage, Parts parts) {
    this.kits = new Kits(toolsets, sources);
    this.stage = stage;
    this.parts = parts;
    this.calls = new CallRecord(parts.transcript(), parts.events());
    this.recorder = new Recorder(parts.database(), calls, parts.news());
    this.afterwards = new Afterwards(parts.database(), calls);
  }

  /// What the pipeline works with.
  public record Parts(
      Database database,
      EventLog events,
      Transcript transcript,
      CallLimits limits,
      InboxNews.Source news,
      Telemetry telemetry,
      InstantSource clock) {}

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
  }

  /// What an agent has, in an order that never changes. The list is the same object until it does.
  public List<Tool> of(Agent agent) {
    return kits.of(agent).tools();
  }

  /// The same for whoever is told what there is: if nobody knows yet what some server offers, it
  /// comes a little later and has that, too.
  public List<Tool> listed(Agent agent) {
    return kits.settled(agent).tools();
  }

  /// See [Kits#inputs].
  public SortedMap<String, Schema> inputs(AgentConfig config) {
    return kits.inputs(config);
  }

  /// The names of all tools that are built in, whoever has them.
  public Set<String> builtIn() {
    return kits.builtIn();
  }

  /// A call that the agent's mind is writing; if it is one to be seen, it is.
  public Stage.Draft draft(Caller caller, String callId, String name) {
    Tool tool = kits.of(caller.agent()).byName().get(name);
    return tool != null && tool.isShown() ? stage.draft(caller, callId, tool) : Stage.Draft.UNSEEN;
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
    CallRecord.Made made = new CallRecord.Made(call, name, arguments);
    Kit kit = kits.of(call.caller().agent());
    boolean isKnown = kit.byName().containsKey(name) || kits.contains(name);
    var refused = parts.limits().refuse(call.caller(), name, isKnown);
    if (refused.isPresent()) {
      return refuse(made, refused.get());
    }
    Tool tool;
    try {
      kit = isKnown ? kit : settled(made);
      tool = kit.require(name, () -> kits.missing(call.caller().agent(), name));
      made = made.with(tool.repair(arguments));
      tool.input().require(made.arguments());
    } catch (RuntimeException e) {
      return recorder.record(made, Attempt.refusal(made, e));
    }
    boolean onlyLooks = tool.effect().isReadOnly() && !tool.isShown() && !tool.isOneTransaction();
    return onlyLooks ? look(tool, made) : change(tool, made);
  }

  /// See [ToolSource#withheld].
  public Optional<ToolSource.Withheld> withheld(Agent agent, String name) {
    return kits.withheld(agent, name);
  }

  /// It may have taken a while, in which a turn is lost or an agent ends.
  private Kit settled(CallRecord.Made made) {
    Kit kit = kits.settled(made.call().caller().agent());
    return recorder.fenced(made, _ -> kit);
  }

  private Answer change(Tool tool, CallRecord.Made made) {
    try (var stay = underWay.begin(made.call(), tool)) {
      if (!stay.isAlone()) {
        return recorder.record(made, UnderWay.refusal(made.call().caller(), tool));
      }
      return tool.isOneTransaction() ? inOne(tool, made) : inTwo(tool, made);
    }
  }

  /// If the daemon dies while a tool only looks, nothing was done that should be on record.
  private Answer look(Tool tool, CallRecord.Made made) {
    if (!tool.isOpenWorld()) {
      return recordLook(made, Attempt.reply(tool, made));
    }
    var look =
        LongLook.begin(() ->
            recorder.fenced(
                made,
                tx -> {
                  calls.called(tx, made);
                  return made;
                }));
    ToolReply reply;
    boolean isOnRecord;
    try {
      reply = Attempt.reply(tool, made);
    } finally {
      isOnRecord = look.end();
    }
    return isOnRecord
        ? end(tool, made, Stage.Scene.UNSEEN, reply, RowAhead.there())
        : recordLook(made, reply);
  }

  private Answer recordLook(CallRecord.Made made, ToolReply reply) {
    return afterwards.record(
        made, () -> recorder.withNews(made, reply), () -> recorder.record(made, reply));
  }

  private Answer inOne(Tool tool, CallRecord.Made made) {
    try {
      return recorder.fenced(
          made,
          tx -> {
            Optional<ToolReply> earlier = Repeats.find(tx, made.call(), tool);
            if (earlier.isPresent()) {
              return recorder.record(tx, made, earlier.get());
            }
            Stage.Scene scene = scene(tx, tool, made);
            ToolReply reply = scene.told(tx.including(() -> Attempt.orRefuse(tool, made)));
            close(tx, tool, made, scene, reply);
            return recorder.record(tx, made, reply);
          });
    } catch (Attempt.Refused refused) {
      return recorder.record(made, ToolReply.Failed.because(refused.fault()));
    } catch (StaleTurn e) {
      throw e;
    } catch (RuntimeException e) {
      // The database is away, or a bug: only that can be put on record.
      if (e instanceof Fault fault && fault.code().kind() != ErrorCode.Kind.BUG) {
        throw fault;
      }
      return recorder.record(made, Attempt.broke(made, e));
    }
  }

  /// Whatever happens to the daemon in between, there is a record that it was tried; or it is on
  /// its way to the disk, if nobody will ever try it again.
  private Answer inTwo(Tool tool, CallRecord.Made made) {
    boolean comesOnce = made.call().idempotencyKey() == null;
    if (!tool.isOpenWorld() || tool.isShown() || !comesOnce) {
      return begunFirst(tool, made);
    }
    return afterwards.begin(
        made,
        row -> {
          ToolReply reply = Attempt.reply(tool, made);
          row.over();
          return end(tool, made, Stage.Scene.UNSEEN, reply, row);
        },
        () -> begunFirst(tool, made));
  }

  private Answer begunFirst(Tool tool, CallRecord.Made made) {
    Begun begun = recorder.fenced(made, tx -> begin(tx, tool, made));
    if (begun.answer() != null) {
      return begun.answer();
    }
    ToolReply reply = begun.scene().told(Attempt.reply(tool, made.heardBy(begun.scene())));
    return end(tool, made, begun.scene(), reply, RowAhead.there());
  }

  private Answer end(
      Tool tool, CallRecord.Made made, Stage.Scene scene, ToolReply reply, RowAhead row) {
    // What is remembered costs the one writer nothing.
    var early = parts.database().hasOneWriter() ? recorder.withNews(made, reply) : null;
    try {
      return recorder.fenced(
          made,
          tx -> {
            Answer answer = early == null ? recorder.withNews(tx, made, reply) : early;
            close(tx, tool, made, scene, reply);
            calls.returned(tx, made, answer, row);
            return answer;
          });
    } catch (Fault fault) {
      throw Attempt.unkept(tool, reply, fault);
    }
  }

  /// A call on record: it is shown, or its answer is known.
  private record Begun(Stage.Scene scene, @Nullable Answer answer) {}

  private Begun begin(Tx tx, Tool tool, CallRecord.Made made) {
    Optional<ToolReply> earlier = Repeats.find(tx, made.call(), tool);
    if (earlier.isPresent()) {
      return new Begun(Stage.Scene.UNSEEN, recorder.record(tx, made, earlier.get()));
    }
    calls.called(tx, made);
    return new Begun(scene(tx, tool, made), null);
  }

  private void close(Tx tx, Tool tool, CallRecord.Made made, Stage.Scene scene, ToolReply reply) {
    scene.close(tx, reply);
    Repeats.keep(tx, made.call(), tool, parts.clock().instant(), reply);
  }

  private Stage.Scene scene(Tx tx, Tool tool, CallRecord.Made made) {
    return tool.isShown()
        ? stage.open(tx, made.call(), tool, made.arguments())
        : Stage.Scene.UNSEEN;
  }

  /// A refusal depends on the clock, so a turn's record needs it; a turn makes only so many calls.
  /// What a mind elsewhere tries is not recorded: a limit that costs a commit for each refusal
  /// would protect nobody.
  private Answer refuse(CallRecord.Made made, ToolReply reply) {
    var answer = new Answer(reply, InboxNews.NONE);
    return made.call().caller().isExternal() ? answer : recorder.known(made, answer, false);
  }

  /// Gives an answer that is known from another run's record: it is written down, and nothing is
  /// done.
  public Answer replay(Call call, String name, ObjectNode arguments, Answer known) {
    return recorder.known(new CallRecord.Made(call, name, arguments), known, true);
  }
}
