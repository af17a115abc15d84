package dev.substrat.gateway;

import dev.substrat.json.Json;
import dev.substrat.space.ActiveSpace;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Fence;
import dev.substrat.tool.Stage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A call of a visible tool while it is being written, shown in the space its agent is in.
///
/// Each piece that is told is a commit, so pieces that follow each other quickly are told together.
/// Belongs to its turn's thread.
final class SpaceDraft implements Stage.Draft {
  private static final Duration BETWEEN = Duration.ofMillis(250);

  /// As much as an event may hold.
  private static final int LONGEST = 4_000;

  private final Database database;
  private final InstantSource clock;
  private final Function<String, SpaceVoice> voices;
  private final StringBuilder untold = new StringBuilder();
  private @Nullable SpaceVoice voice;
  private @Nullable Instant told;
  private boolean isOver;

  /// `voices` speaks in a space about this call.
  SpaceDraft(Database database, InstantSource clock, Function<String, SpaceVoice> voices) {
    this.database = database;
    this.clock = clock;
    this.voices = voices;
  }

  @Override
  public void write(String delta) {
    untold.append(delta);
    Instant now = clock.instant();
    if (isOver || (told != null && Duration.between(told, now).compareTo(BETWEEN) < 0)) {
      return;
    }
    told = now;
    Optional<SpaceVoice> speaking = Optional.ofNullable(voice);
    voice =
        database
            .transact(tx -> {
              Optional<SpaceVoice> here = speaking.or(() -> start(tx));
              here.ifPresent(one -> tellRest(tx, one));
              return here;
            })
            .orElse(null);
    isOver = voice == null;
    untold.setLength(0);
  }

  /// Nowhere, if the agent is in no space.
  private Optional<SpaceVoice> start(Tx tx) {
    Caller caller = voices.apply("").caller();
    Fence.require(tx, caller);
    Optional<SpaceVoice> here = ActiveSpace.find(tx, caller).map(voices);
    here.ifPresent(one -> one.tell(tx, "tool-call.start", Json.object()));
    return here;
  }

  private void tellRest(Tx tx, SpaceVoice here) {
    for (int at = 0; at < untold.length(); at += LONGEST) {
      String piece = untold.substring(at, Math.min(untold.length(), at + LONGEST));
      here.tell(tx, "tool-input-delta", Json.object().put("delta", piece));
    }
  }

  /// The call is made, in `space`: what is not told yet is. Returns whether it was begun there.
  boolean becomesCall(Tx tx, String space) {
    SpaceVoice here = voice;
    boolean isHere = here != null && here.space().equals(space);
    if (here != null && isHere) {
      tellRest(tx, here);
    } else if (here != null) {
      drop(tx, here, "the agent went to another space");
    }
    isOver = true;
    return isHere;
  }

  @Override
  public void drop(String why) {
    SpaceVoice here = voice;
    if (here != null && !isOver) {
      database.transact(tx -> {
        Fence.require(tx, here.caller());
        drop(tx, here, why);
        return true;
      });
    }
    isOver = true;
  }

  private static void drop(Tx tx, SpaceVoice here, String why) {
    var payload = Json.object();
    payload.set("output", Json.object().put("error", true).put("message", why));
    here.tell(tx, "tool-call.error", payload);
  }
}
