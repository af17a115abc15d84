package dev.substrat.desk;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.engine.Engine;
import dev.substrat.gateway.Answers;
import dev.substrat.id.Principal;
import dev.substrat.id.RunId;
import dev.substrat.mcp.Contact;
import dev.substrat.mcp.Host;
import dev.substrat.mcp.Listing;
import dev.substrat.mcp.Offer;
import dev.substrat.mcp.Outcome;
import dev.substrat.mcp.Refusal;
import dev.substrat.mcp.Watch;
import dev.substrat.pending.PendingCall;
import dev.substrat.prompt.WorkingRules;
import dev.substrat.store.Tx;
import dev.substrat.zoo.Zoo;
import dev.substrat.zoo.ZooTool;
import dev.substrat.zoo.ZooTools;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Shows everybody to their desk, by the credential they came with and by nothing they say.
public final class Desks implements Host, AutoCloseable {
  private final Callers callers;
  private final ToolCards cards = new ToolCards();
  private final Shelf shelf;
  private final Scripts scripts;
  private final PendingTasks tasks;
  private final ChangeFeed changes;
  private final Zoo zoo;
  private final ZooShelf zooShelf;
  private final List<ZooTool> zooTools;

  public Desks(Engine engine) {
    this.callers = new Callers(engine);
    this.shelf = new Shelf(engine.ground().database(), engine.ground().clock());
    this.scripts = new Scripts(engine.prompts());
    this.tasks =
        new PendingTasks(
            engine.ground().database(),
            engine.pendingCalls(),
            AgentDesk::result,
            new TaskEnds(engine.gateway().answers()));
    this.changes = new ChangeFeed(engine.ground().database(), engine.events());
    this.zoo = new Zoo(engine.ground().database());
    this.zooShelf = new ZooShelf(zoo);
    this.zooTools = ZooTools.of(zoo, engine.memory().brain());
  }

  @Override
  public Offer offer(Principal principal, @Nullable String idempotencyKey) {
    return switch (principal) {
      case Principal.Operator _, Principal.Person _ -> new Nothing();
      case Principal.OfAgent one -> desk(callers.external(one, idempotencyKey));
      case Principal.OfTurn turn -> desk(callers.inTurn(turn));
      case Principal.Zoo visitor ->
          new ZooDesk(zooTools, cards, zooShelf, DefaultAgent.of(visitor, zoo));
    };
  }

  private Offer desk(Callers.Actor actor) {
    return new AgentDesk(actor, cards, shelf, scripts, tasks);
  }

  @Override
  public Watch watch(Principal principal) {
    return changes.watch(principal.key());
  }

  @Override
  public String instructions(Principal principal) {
    return principal instanceof Principal.Zoo visitor
        ? ZooDesk.instructions(DefaultAgent.of(visitor, zoo))
        : WorkingRules.forMindsElsewhere();
  }

  @Override
  public void close() {
    changes.close();
  }

  /// People do everything elsewhere.
  private static final class Nothing implements Offer {
    @Override
    public Listing tools() {
      return Listing.EMPTY;
    }

    @Override
    public Outcome call(String tool, ObjectNode arguments, Contact contact) {
      throw Refusal.badParams("people have no tools; use an agent's token");
    }
  }

  /// What clients of agents do to calls that are answered later.
  private record TaskEnds(Answers answers) implements PendingTasks.Ends {
    @Override
    public void require(PendingCall call, ObjectNode answers) {
      Answers.requireFrom(call, answers);
    }

    @Override
    public void answered(Tx tx, PendingCall call) {
      answers.answeredThere(tx, call);
    }

    @Override
    public void cancelled(Tx tx, PendingCall call, @Nullable RunId run) {
      answers.cancelledThere(tx, call, run);
    }

    @Override
    public void fetched(Tx tx, PendingCall call, @Nullable RunId run) {
      Answers.fetched(tx, call, run);
    }
  }
}
