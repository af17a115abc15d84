package dev.substrat.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.credential.Credentials;
import dev.substrat.credential.Token;
import dev.substrat.fault.Fault;
import dev.substrat.id.MessageId;
import dev.substrat.id.Principal;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.provider.TurnView;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.tool.Call;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Fence;
import dev.substrat.tool.InboxNews;
import dev.substrat.tool.ToolReply;
import dev.substrat.tool.Toolbox;
import dev.substrat.transcript.Steps;
import dev.substrat.transcript.Transcript;
import dev.substrat.transcript.Usage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A turn under way, as its provider may use it.
///
/// Its calls are numbered from the event on that was shown last: the same call at the same place
/// has the same idempotency key, so that a retried turn does not send the same message twice.
public final class LiveTurn implements TurnView {
  private final Database database;
  private final TurnParts parts;
  private final Caller caller;
  private final List<InboxEvent> events;
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger sinceShown = new AtomicInteger();
  private final AtomicInteger step = new AtomicInteger();
  private volatile String shown;
  private @Nullable Token token;

  LiveTurn(Database database, TurnParts parts, Caller caller, List<InboxEvent> events) {
    this.database = database;
    this.parts = parts;
    this.caller = caller;
    this.events = List.copyOf(events);
    this.shown = events.getFirst().id();
  }

  @Override
  public Agent agent() {
    return caller.agent();
  }

  @Override
  public List<InboxEvent> events() {
    return events;
  }

  @Override
  public void show(InboxEvent event) {
    shown = event.id();
    sinceShown.set(0);
    database.transact(tx -> {
      Fence.require(tx, caller);
      parts.delivery().shown(tx, event);
      Runs.shown(tx, caller, events.indexOf(event), parts.clock().instant());
      return true;
    });
  }

  @Override
  public void beginStep() {
    step.incrementAndGet();
  }

  @Override
  public void endStep(@Nullable String model, Usage usage) {
    Instant now = parts.clock().instant();
    database.transact(tx -> {
      Fence.require(tx, caller);
      Steps.used(tx, caller.run(), step.get(), model, usage, now);
      return true;
    });
  }

  @Override
  public void pause(Duration time) throws InterruptedException {
    parts.pace().pause(time);
  }

  @Override
  public synchronized Token credential() {
    if (token == null) {
      token =
          database.transact(tx -> {
            Fence.require(tx, caller);
            var self = new Principal.OfTurn(caller.agent().id(), caller.run());
            return Credentials.mintFor(tx, self, parts.clock().instant());
          });
    }
    return token;
  }

  public Caller caller() {
    return caller;
  }

  Transcript.Place place() {
    return new Transcript.Place(caller.run(), step.get());
  }

  @Override
  public Toolbox.Answer call(String tool, ObjectNode arguments) {
    return call(tool, arguments, key(tool, arguments));
  }

  /// A call that comes over MCP, as a step of its own. A client that names its call gets the same
  /// answer when it repeats it in this turn.
  public Toolbox.Answer callOverMcp(String tool, ObjectNode arguments, @Nullable String key) {
    beginStep();
    return call(
        tool, arguments, key == null ? key(tool, arguments) : caller.run().value() + "/" + key);
  }

  private Toolbox.Answer call(String tool, ObjectNode arguments, String key) {
    int most = caller.agent().config().limitsOrDefault().callsPerTurn();
    if (calls.incrementAndGet() > most) {
      return new Toolbox.Answer(
          ToolReply.Failed.because(
              new Fault(
                  ErrorCode.LIMIT_REACHED,
                  "you have made " + most + " tool calls in this turn",
                  "end your turn; the next message starts a new one")),
          InboxNews.NONE);
    }
    return parts.toolbox().call(new Call(caller, step.get(), callId(), key), tool, arguments);
  }

  private static String callId() {
    return MessageId.random().value();
  }

  private String key(String tool, ObjectNode arguments) {
    byte[] what = (tool + Json.text(arguments)).getBytes(StandardCharsets.UTF_8);
    return shown + "/" + sinceShown.incrementAndGet() + "/" + UUID.nameUUIDFromBytes(what);
  }
}
