package dev.substrat.toolset.custom;

import dev.substrat.platform.json.Json;
import dev.substrat.space.ActiveSpace;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.CallDisplay;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.TurnFence;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A call of a visible tool while its arguments are being written, shown in the agent's active
/// space.
///
/// Each published piece is a commit, so pieces in quick succession are combined. Belongs to its
/// turn's thread.
final class SpaceCallDraft implements CallDisplay.Draft {
  private static final Duration BETWEEN = Duration.ofMillis(250);

  /// As much as an event may hold.
  private static final int LONGEST = 4_000;

  private final Database database;
  private final InstantSource clock;
  private final Function<String, CallEvents> eventsIn;
  private final StringBuilder untold = new StringBuilder();
  private @Nullable CallEvents callEvents;
  private @Nullable Instant told;
  private boolean isOver;

  /// `eventsIn` gives the events of this call in a space.
  SpaceCallDraft(Database database, InstantSource clock, Function<String, CallEvents> eventsIn) {
    this.database = database;
    this.clock = clock;
    this.eventsIn = eventsIn;
  }

  @Override
  public void write(String delta) {
    untold.append(delta);
    Instant now = clock.instant();
    if (isOver || (told != null && Duration.between(told, now).compareTo(BETWEEN) < 0)) {
      return;
    }
    told = now;
    Optional<CallEvents> begun = Optional.ofNullable(callEvents);
    callEvents =
        database
            .transact(tx -> {
              Optional<CallEvents> here = begun.or(() -> start(tx));
              here.ifPresent(one -> tellRest(tx, one));
              return here;
            })
            .orElse(null);
    isOver = callEvents == null;
    untold.setLength(0);
  }

  /// Nowhere, if the agent is in no space.
  private Optional<CallEvents> start(Tx tx) {
    ToolCaller caller = eventsIn.apply("").caller();
    TurnFence.require(tx, caller);
    Optional<CallEvents> here = ActiveSpace.find(tx, caller).map(eventsIn);
    here.ifPresent(one -> one.append(tx, "tool-call.start", Json.object()));
    return here;
  }

  private void tellRest(Tx tx, CallEvents here) {
    for (int at = 0; at < untold.length(); at += LONGEST) {
      String piece = untold.substring(at, Math.min(untold.length(), at + LONGEST));
      here.append(tx, "tool-input-delta", Json.object().put("delta", piece));
    }
  }

  /// Called when the call is made in `space`: publishes the rest. Returns whether the draft began
  /// there.
  boolean promote(Tx tx, String space) {
    CallEvents here = callEvents;
    boolean isHere = here != null && space.equals(here.space());
    if (here != null && isHere) {
      tellRest(tx, here);
    } else if (here != null) {
      drop(tx, here, "the agent changed its active space");
    }
    isOver = true;
    return isHere;
  }

  @Override
  public void drop(String why) {
    CallEvents here = callEvents;
    if (here != null && !isOver) {
      database.transact(tx -> {
        TurnFence.require(tx, here.caller());
        drop(tx, here, why);
        return true;
      });
    }
    isOver = true;
  }

  private static void drop(Tx tx, CallEvents here, String why) {
    var payload = Json.object();
    payload.set("output", Json.object().put("error", true).put("message", why));
    here.append(tx, "tool-call.error", payload);
  }
}
