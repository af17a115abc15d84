package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.access.credential.Token;
import dev.substrat.http.server.TokenAuthenticator;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.testkit.Requirement;
import dev.substrat.turn.scheduling.RunningTurns;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Keys of programs that continue after a turn.
final class ProgramTokensTest {
  private final RunningTurns running = new RunningTurns(InstantSource.system());
  private final ProgramTokens keys = running.standingKeys();
  private final TokenAuthenticator gate = keys.withFallback(_ -> Optional.empty(), running);
  private final AgentId ada = AgentId.random();
  private final RunId run = RunId.random();

  /// The bearer is authenticated as an ended turn and can do nothing.
  @Test
  @Requirement("N7")
  void between_turns_the_key_belongs_to_the_ended_turn() {
    Token key = keys.issue(ada, run);

    assertThat(gate.authenticate(key.text()).map(CallerPermissions::principal))
        .contains(new Principal.TurnPrincipal(ada, run));
    assertThat(running.find(run)).as("a turn it could act in").isEmpty();
  }

  @Test
  void a_new_key_ends_the_previous_one() {
    Token before = keys.issue(ada, run);
    Token now = keys.issue(ada, run);

    assertThat(gate.authenticate(before.text())).isEmpty();
    assertThat(gate.authenticate(now.text())).isPresent();
  }

  @Test
  void a_key_with_another_secret_is_rejected() {
    Token key = keys.issue(ada, run);
    var forged = new Token(key.id(), Token.unissued().secret());

    assertThat(gate.authenticate(forged.text())).isEmpty();
    assertThat(gate.authenticate("nonsense")).isEmpty();
  }
}
