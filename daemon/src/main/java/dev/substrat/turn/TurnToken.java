package dev.substrat.turn;

import dev.substrat.access.credential.Credentials;
import dev.substrat.access.credential.Token;
import dev.substrat.platform.identity.Principal;
import dev.substrat.store.Database;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.TurnFence;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// The token of one turn, created on first use. Safe for many threads.
final class TurnToken {
  private final Database database;
  private final InstantSource clock;
  private final ToolCaller caller;
  private @Nullable Token token;

  TurnToken(Database database, InstantSource clock, ToolCaller caller) {
    this.database = database;
    this.clock = clock;
    this.caller = caller;
  }

  synchronized Token issue() {
    Token known = token;
    if (known == null) {
      token =
          known =
              database.<Token>transact(tx -> {
                TurnFence.require(tx, caller);
                var self = new Principal.OfTurn(caller.agent().id(), caller.run());
                return Credentials.mintFor(tx, self, clock.instant());
              });
    }
    return known;
  }
}
