package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Grant;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Role;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Dialect;
import dev.substrat.team.Agent;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.tool.pending.PendingCalls.PendingCallFilter;
import java.io.IOException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The code that records answers refuses a principal that may not answer, whatever door it came
/// through.
final class PendingCallAccessTest {
  private static final String TOOLS =
      """
      - { name: confirm, description: Asks., executionType: space, display: { customUI: confirmAction } }
      - { name: batch, description: A long job., executionType: external }
      """;
  private static final JsonNode YES = Json.own("{\"confirmed\":true}");
  private static final Principal OPERATOR = new Principal.PersonPrincipal("oleg", Role.OPERATOR);
  private static final Principal MEMBER = new Principal.PersonPrincipal("mona", Role.MEMBER);
  private static final Principal VIEWER = new Principal.PersonPrincipal("vera", Role.VIEWER);
  private static final Principal OUTSIDER = new Principal.PersonPrincipal("otis", Role.MEMBER);

  private final CustomToolTeam team = new CustomToolTeam(Dialect.SQLITE);
  private final Agent ada = team.external(TOOLS);
  private final PendingCallCompletion answers = team.engine.customTools().answers();
  private final String call;

  PendingCallAccessTest() {
    team.space("lab", ada);
    team.engine.spaces().add(OPERATOR, "lab", MEMBER.key());
    team.engine.spaces().add(OPERATOR, "lab", VIEWER.key());
    // Asked in no space.
    ask("batch");
    team.call(ada, "enter_space", "{'spaceId': 'lab'}");
    this.call = ask("confirm");
  }

  private String ask(String tool) {
    return team.call(ada, tool, "{}").path("pendingToolCallId").asText();
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private List<Principal> whoMayNotAnswer() {
    return List.of(
        OUTSIDER, VIEWER, new Principal.AgentPrincipal(ada.id()), new Principal.ZooPrincipal());
  }

  @Test
  void a_principal_that_may_not_answer_is_refused_and_the_call_stays_open() {
    for (Principal who : whoMayNotAnswer()) {
      forbidden(() -> answers.complete(call, YES, who));
      forbidden(() -> answers.decline(call, "no", who));
      assertThat(mayAnswer(who)).isFalse();
    }
    assertThat(find().status()).isEqualTo(PendingCall.PendingCallStatus.PENDING);
  }

  @Test
  void a_member_of_the_space_answers() {
    assertThat(mayAnswer(MEMBER)).isTrue();
    assertThat(answers.complete(call, YES, MEMBER).sight().answeredBy()).isEqualTo(MEMBER.key());
  }

  @Test
  void an_operator_declines() {
    assertThat(answers.decline(call, "no", OPERATOR).sight().answeredBy())
        .isEqualTo(OPERATOR.key());
  }

  @Test
  void a_member_that_left_the_space_does_not_answer() {
    team.engine.spaces().remove(MEMBER, "lab", MEMBER.key());
    forbidden(() -> answers.complete(call, YES, MEMBER));
  }

  @Test
  void a_call_is_shown_to_operators_and_to_people_in_its_space() {
    for (Principal who : List.of(OPERATOR, MEMBER, VIEWER)) {
      assertThat(
              team.database.<PendingCall>read(
                  tx -> PendingCallAccess.requireVisible(tx, who, call)))
          .isEqualTo(find());
    }
    for (Principal who :
        List.of(OUTSIDER, new Principal.AgentPrincipal(ada.id()), new Principal.ZooPrincipal())) {
      forbidden(() -> team.database.read(tx -> PendingCallAccess.requireVisible(tx, who, call)));
    }
  }

  @Test
  void lists_and_counts_have_what_a_principal_may_see() {
    assertThat(visible(OPERATOR)).isEqualTo(2);
    assertThat(visible(MEMBER)).isEqualTo(1);
    assertThat(visible(VIEWER)).isEqualTo(1);
    assertThat(visible(OUTSIDER)).isZero();
    for (Principal who :
        List.of(new Principal.AgentPrincipal(ada.id()), new Principal.ZooPrincipal())) {
      forbidden(() -> visible(who));
      forbidden(() -> team.database.read(tx -> PendingCalls.countOpen(tx, who)));
      forbidden(() -> team.database.read(tx -> PendingCalls.recentlyResolved(tx, who, 9)));
    }
  }

  private int visible(Principal who) {
    var open = new PendingCallFilter(null, true);
    List<PendingCall> listed = team.database.read(tx -> PendingCalls.list(tx, who, open, "", 9));
    assertThat(team.database.<Long>read(tx -> PendingCalls.countOpen(tx, who)))
        .isEqualTo(listed.size());
    return listed.size();
  }

  @Test
  void the_url_of_a_service_is_for_operators_whose_token_may_answer() {
    var callbacks = team.engine.customTools().callbacks();
    var reading = new CallerPermissions(OPERATOR, List.of(Grant.parse("approvals:read")), "", "");
    assertThat(callbacks.findUrl(new CallerPermissions(OPERATOR), find())).isPresent();
    assertThat(callbacks.findUrl(reading, find())).isEmpty();
    assertThat(callbacks.findUrl(new CallerPermissions(MEMBER), find())).isEmpty();
  }

  private boolean mayAnswer(Principal who) {
    PendingCall asked = find();
    return team.database.read(tx -> PendingCallAccess.mayAnswer(tx, who, asked));
  }

  private PendingCall find() {
    return team.database.<PendingCall>read(tx -> PendingCalls.find(tx, call).orElseThrow());
  }

  private static void forbidden(ThrowingCallable act) {
    assertThatThrownBy(act)
        .isInstanceOfSatisfying(
            Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.FORBIDDEN));
  }
}
