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

/// What people and minds elsewhere do to a team. Each request runs on one of the daemons; if that
/// one dies before it has answered, the same is asked of another, under the same key.
final class Outside {
  private static final String ROOM = "room";

  private final World world;
  private final Map<Actor, Act> requests = new HashMap<>();

  Outside(World world) {
    this.world = world;
  }

  void perform(Act act) {
    switch (act) {
      case Act.Crash crash -> world.crash(index(crash.node()), crash.forGood());
      case Act.Stop stop -> world.stop(index(stop.node()));
      case Act.Jump jump -> world.jump(jump.time().toMillis(), jump.gently());
      case Act.Skew skew -> world.setClock(index(skew.node()), skew.to().toMillis());
      case Act.Write _,
          Act.Answer _,
          Act.Cancel _,
          Act.Terminate _,
          Act.Release _,
          Act.Found _,
          Act.Say _,
          Act.Move _,
          Act.CallTool _ ->
          request(act);
    }
  }

  /// A smaller plan may have fewer daemons.
  private int index(int node) {
    return node % world.plan().daemons();
  }

  private void request(Act act) {
    List<Node> living = world.living();
    Node node = living.get(world.random().nextInt(living.size()));
    requests.put(node.request(act.toString(), () -> carryOut(node.engine(), act)), act);
  }

  /// Its daemon died; whoever asked does not know how far it came.
  void askAgain(Actor actor) {
    Act act = requests.get(actor);
    if (act != null && actor.wasKilled()) {
      request(act);
    }
  }

  private static void carryOut(Engine engine, Act act) {
    try {
      switch (act) {
        case Act.Write write -> write(engine, write);
        case Act.Answer _ -> answer(engine);
        case Act.Cancel cancel -> cancel(engine, cancel.agent());
        case Act.Terminate end -> engine.agents().terminate(end.agent());
        case Act.Release _ -> release(engine);
        case Act.Found room -> found(engine, room);
        case Act.Say say ->
            engine
                .spaces()
                .messages()
                .post(
                    new Principal.Operator(), new SpaceMessages.Post(ROOM, say.text()), say.key());
        case Act.Move move -> move(engine, move);
        case Act.CallTool call -> call(engine, call);
        case Act.Crash _, Act.Stop _, Act.Jump _, Act.Skew _ -> throw new IllegalStateException();
      }
    } catch (Fault refused) {
      // People may be too late for what they want; anything else is a bug.
      if (refused.code().kind() != ErrorCode.Kind.CALLER) {
        throw refused;
      }
    } catch (StaleTurn ended) {
      // The agent was terminated meanwhile.
    }
  }

  private static void write(Engine engine, Act.Write write) {
    var note = new Messages.Note(write.text(), write.sync(), null);
    Message sent = engine.messages().fromOperator(write.agent(), note, write.key());
    requireKept(engine, sent.id());
  }

  private static void release(Engine engine) {
    engine.messages().held(1).forEach(message -> engine.messages().release(message.id()));
    for (Space space : engine.spaces().list(new Principal.Operator())) {
      engine.spaces().release(new Principal.Operator(), space.id());
    }
  }

  private static void found(Engine engine, Act.Found room) {
    engine
        .spaces()
        .create(
            new Principal.Operator(),
            new Spaces.SpaceDefinition(
                ROOM, ROOM, Space.Kind.PUBLIC, null, room.policy(), null, room.members()));
  }

  private static void move(Engine engine, Act.Move move) {
    if (move.isOut()) {
      engine.spaces().remove(new Principal.Operator(), ROOM, move.agent());
    } else {
      engine.spaces().add(new Principal.Operator(), ROOM, move.agent());
    }
  }

  private static void answer(Engine engine) {
    for (Message message : engine.messages().newestToOperator(1)) {
      var note = new Messages.Note("because", false, message.id());
      engine.messages().fromOperator(message.sender(), note, "answer " + message.id());
    }
  }

  private static void cancel(Engine engine, String handle) {
    Agent agent = engine.agents().require(handle);
    for (Run run : engine.runs().newest(agent.id(), 1)) {
      engine.cancellation().cancel(new Principal.Operator(), run);
    }
  }

  private static void call(Engine engine, Act.CallTool call) {
    for (int i = 0; i < (call.again() ? 2 : 1); i++) {
      var caller = engine.externalRuns().caller(engine.agents().require(call.agent()));
      var request = new ToolCall(caller, 0, MessageId.random().value(), call.key());
      engine.toolbox().call(request, call.tool(), call.arguments().deepCopy());
    }
  }

  /// Who was told that it is sent finds it.
  private static void requireKept(Engine engine, MessageId message) {
    try {
      engine.messages().require(message);
    } catch (Fault missing) {
      throw new Broken(
          "what is acknowledged is kept",
          Principal.OPERATOR_NAME + " was told of " + message + ", which is not there");
    }
  }
}
