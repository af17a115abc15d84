package dev.substrat.turn.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Role;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Dialect;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The verbs of runs refuse a principal whose role does not include them, whatever door it came
/// through.
final class RunAccessTest {
  private static final Principal OPERATOR = new Principal.PersonPrincipal("oleg", Role.OPERATOR);
  private static final Principal VIEWER = new Principal.PersonPrincipal("vera", Role.VIEWER);

  private final RecordedTeam team = new RecordedTeam(Dialect.SQLITE);
  private final Run run;

  RunAccessTest() {
    team.agent("{name: mira, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");
    this.run = team.runOf("mira", "go");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private Map<String, ThrowingCallable> reads(Principal who) {
    var runs = team.engine.runs();
    var reads = new LinkedHashMap<String, ThrowingCallable>();
    reads.put("require", () -> runs.require(who, run.id()));
    reads.put("before", () -> runs.before(who, null, "", 9));
    reads.put("about", () -> runs.about(who, "subject", null, "", 9));
    reads.put("usage", () -> runs.usage(who, "subject", null));
    return reads;
  }

  private Map<String, ThrowingCallable> changes(Principal who) {
    var changes = new LinkedHashMap<String, ThrowingCallable>();
    changes.put("cancel", () -> team.engine.cancellation().cancel(who, run));
    changes.put(
        "replay", () -> team.replays.replay(who, run.id(), new ProviderOverride(null, null)));
    changes.put(
        "fork",
        () ->
            team.engine.forks().fork(who, run.id(), new RunForks.ForkRequest(1, null, null, null)));
    return changes;
  }

  @Test
  void an_operator_reads_and_changes_runs() {
    assertThat(outcomes(reads(OPERATOR))).containsOnly("ok");
    assertThat(outcomes(changes(OPERATOR))).containsExactly("CONFLICT", "ok", "ok");
  }

  @Test
  void a_viewer_reads_runs_and_changes_none() {
    assertThat(outcomes(reads(VIEWER))).containsOnly("ok");
    assertThat(outcomes(changes(VIEWER))).containsOnly("FORBIDDEN");
  }

  @Test
  void members_agents_and_zoo_clients_see_no_runs() {
    for (Principal who :
        List.of(
            new Principal.PersonPrincipal("mona", Role.MEMBER),
            new Principal.AgentPrincipal(new AgentId(run.agentId())),
            new Principal.ZooPrincipal())) {
      assertThat(outcomes(reads(who))).containsOnly("FORBIDDEN");
      assertThat(outcomes(changes(who))).containsOnly("FORBIDDEN");
    }
  }

  private static List<String> outcomes(Map<String, ThrowingCallable> verbs) {
    return verbs.values().stream().map(RunAccessTest::outcome).toList();
  }

  private static String outcome(ThrowingCallable verb) {
    try {
      verb.call();
      return "ok";
    } catch (Fault fault) {
      return fault.code().name();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
