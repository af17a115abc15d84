package dev.substrat.turn;

import dev.substrat.access.credential.Credentials;
import dev.substrat.access.credential.Token;
import dev.substrat.platform.identity.Principal;
import dev.substrat.store.Database;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Fence;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// The token of one turn, made when somebody first asks for it. Safe for many threads.
final class TurnToken {
  private final Database database;
  private final InstantSource clock;
  private final Caller caller;
  private @Nullable Token token;

  TurnToken(Database database, InstantSource clock, Caller caller) {
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
                Fence.require(tx, caller);
                var self = new Principal.OfTurn(caller.agent().id(), caller.run());
                return Credentials.mintFor(tx, self, clock.instant());
              });
    }
    return known;
  }
}
