package dev.substrat.simulation;

import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceMessages;
import dev.substrat.space.Spaces;
import dev.substrat.team.Agent;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.ToolCall;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.run.Run;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Requests of people and external agents to a simulated team. Each request runs on one of the
/// daemons; if that daemon dies before the response, it is repeated on another one with the same
/// key.
final class ExternalRequests {
  private static final String ROOM = "room";

  private final Simulation world;
  private final Map<SimulatedThread, ExternalAction> requests = new HashMap<>();

  ExternalRequests(Simulation world) {
    this.world = world;
  }

  void perform(ExternalAction act) {
    switch (act) {
      case ExternalAction.Crash crash -> world.crash(index(crash.node()), crash.forGood());
      case ExternalAction.Stop stop -> world.stop(index(stop.node()));
      case ExternalAction.Jump jump -> world.jump(jump.time().toMillis(), jump.gently());
      case ExternalAction.Skew skew -> world.setClock(index(skew.node()), skew.to().toMillis());
      case ExternalAction.Write _,
          ExternalAction.Answer _,
          ExternalAction.Cancel _,
          ExternalAction.Terminate _,
          ExternalAction.Release _,
          ExternalAction.Found _,
          ExternalAction.Say _,
          ExternalAction.Move _,
          ExternalAction.CallTool _ ->
          request(act);
    }
  }

  /// A smaller plan may have fewer daemons.
  private int index(int node) {
    return node % world.plan().daemons();
  }

  private void request(ExternalAction act) {
    List<SimulatedDaemon> living = world.living();
    SimulatedDaemon node = living.get(world.random().nextInt(living.size()));
    requests.put(node.request(act.toString(), () -> carryOut(node.engine(), act)), act);
  }

  /// Its daemon died; the client does not know how far the request came.
  void askAgain(SimulatedThread actor) {
    ExternalAction act = requests.get(actor);
    if (act != null && actor.wasKilled()) {
      request(act);
    }
  }

  private static void carryOut(Engine engine, ExternalAction act) {
    try {
      switch (act) {
        case ExternalAction.Write write -> write(engine, write);
        case ExternalAction.Answer _ -> answer(engine);
        case ExternalAction.Cancel cancel -> cancel(engine, cancel.agent());
        case ExternalAction.Terminate end -> engine.agents().terminate(end.agent());
        case ExternalAction.Release _ -> release(engine);
        case ExternalAction.Found room -> found(engine, room);
        case ExternalAction.Say say ->
            engine
                .spaces()
                .messages()
                .post(
                    new Principal.OperatorPrincipal(),
                    new SpaceMessages.PostRequest(ROOM, say.text()),
                    say.key());
        case ExternalAction.Move move -> move(engine, move);
        case ExternalAction.CallTool call -> call(engine, call);
        case ExternalAction.Crash _,
            ExternalAction.Stop _,
            ExternalAction.Jump _,
            ExternalAction.Skew _ ->
            throw new IllegalStateException();
      }
    } catch (Fault refused) {
      // A request of a person may be too late; any other failure is a bug.
      if (refused.code().kind() != ErrorCode.ErrorKind.CALLER) {
        throw refused;
      }
    } catch (StaleTurn ended) {
      // The agent was terminated meanwhile.
    }
  }

  private static void write(Engine engine, ExternalAction.Write write) {
    var note = new Messages.PersonMessage(write.text(), write.sync(), null);
    Message sent = engine.messages().fromOperator(write.agent(), note, write.key());
    requireKept(engine, sent.id());
  }

  private static void release(Engine engine) {
    engine.messages().held(1).forEach(message -> engine.messages().release(message.id()));
    for (Space space : engine.spaces().list(new Principal.OperatorPrincipal())) {
      engine.spaces().release(new Principal.OperatorPrincipal(), space.id());
    }
  }

  private static void found(Engine engine, ExternalAction.Found room) {
    engine
        .spaces()
        .create(
            new Principal.OperatorPrincipal(),
            new Spaces.SpaceDefinition(
                ROOM, ROOM, Space.SpaceKind.PUBLIC, null, room.policy(), null, room.members()));
  }

  private static void move(Engine engine, ExternalAction.Move move) {
    if (move.isOut()) {
      engine.spaces().remove(new Principal.OperatorPrincipal(), ROOM, move.agent());
    } else {
      engine.spaces().add(new Principal.OperatorPrincipal(), ROOM, move.agent());
    }
  }

  private static void answer(Engine engine) {
    for (Message message : engine.messages().newestToOperator(1)) {
      var note = new Messages.PersonMessage("because", false, message.id());
      engine.messages().fromOperator(message.sender(), note, "answer " + message.id());
    }
  }

  private static void cancel(Engine engine, String handle) {
    Agent agent = engine.agents().require(handle);
    for (Run run : engine.runs().newest(agent.id(), 1)) {
      engine.cancellation().cancel(new Principal.OperatorPrincipal(), run);
    }
  }

  private static void call(Engine engine, ExternalAction.CallTool call) {
    for (int i = 0; i < (call.again() ? 2 : 1); i++) {
      var caller = engine.externalRuns().caller(engine.agents().require(call.agent()));
      var request = new ToolCall(caller, 0, MessageId.random().value(), call.key());
      engine.pipeline().call(request, call.tool(), call.arguments().deepCopy());
    }
  }

  /// A message that was acknowledged as sent exists.
  private static void requireKept(Engine engine, MessageId message) {
    try {
      engine.messages().require(message);
    } catch (Fault missing) {
      throw new InvariantViolation(
          "what is acknowledged is kept",
          Principal.OPERATOR_NAME + " was told of " + message + ", which is not there");
    }
  }
}
