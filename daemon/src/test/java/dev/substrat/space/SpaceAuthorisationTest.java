package dev.substrat.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Role;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.space.Space.WakePolicy;
import dev.substrat.store.Dialect;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The verbs of spaces refuse a principal that may not use them, whatever door it came through.
final class SpaceAuthorisationTest {
  private static final Principal OPERATOR = new Principal.PersonPrincipal("oleg", Role.OPERATOR);
  private static final Principal MEMBER = new Principal.PersonPrincipal("mona", Role.MEMBER);
  private static final Principal VIEWER = new Principal.PersonPrincipal("vera", Role.VIEWER);
  private static final Principal OUTSIDER = new Principal.PersonPrincipal("otis", Role.MEMBER);
  private static final Principal ZOO = new Principal.ZooPrincipal();

  private final SpaceTeam team = new SpaceTeam(Dialect.SQLITE);
  private final Spaces spaces = team.spaces;
  private final Map<String, MessageId> messages = new LinkedHashMap<>();

  @BeforeEach
  void fill() {
    team.external("ada");
    team.external("ben");
    team.openSpace("plaza");
    team.room("cabin", WakePolicy.NONE);
    for (String space : List.of("plaza", "cabin")) {
      List.of(MEMBER.key(), VIEWER.key(), "ben").forEach(one -> spaces.add(OPERATOR, space, one));
      messages.put(space, team.say(space, "all aboard").id());
    }
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private Map<String, ThrowingCallable> reads(Principal who, String space) {
    var history = spaces.history();
    var range = new SpaceHistory.HistoryRange(10, null, null);
    MessageId message = Objects.requireNonNull(messages.get(space));
    var reads = new LinkedHashMap<String, ThrowingCallable>();
    reads.put("require", () -> spaces.require(who, space));
    reads.put("members", () -> spaces.members(who, space));
    reads.put("standing", () -> spaces.heldState(who, space));
    reads.put("typing", () -> spaces.typing(who, space));
    reads.put("read", () -> history.read(who, space, range));
    reads.put("inBrief", () -> history.readAbridged(who, space, range));
    reads.put("replies", () -> history.replies(who, message, 0, 10));
    reads.put("lastReplies", () -> history.lastReplies(who, message, null, 10));
    reads.put("message", () -> spaces.messages().require(who, message));
    return reads;
  }

  private Map<String, ThrowingCallable> changes(Principal who, String space) {
    var topic = SpaceChange.ofTopic("tides of " + who.key());
    var post = new SpaceMessages.PostRequest(space, "ahoy");
    MessageId message = Objects.requireNonNull(messages.get(space));
    var changes = new LinkedHashMap<String, ThrowingCallable>();
    changes.put("add", () -> spaces.add(who, space, "ada"));
    changes.put("change", () -> spaces.change(who, space, topic));
    changes.put("rehearse", () -> spaces.validate(who, space, topic));
    changes.put("release", () -> spaces.release(who, space));
    changes.put("remove", () -> spaces.remove(who, space, "ben"));
    changes.put("react", () -> spaces.messages().react(who, message, "👍"));
    changes.put("unreact", () -> spaces.messages().unreact(who, message, "👍"));
    changes.put("post", () -> spaces.messages().post(who, post, null));
    return changes;
  }

  @Test
  void an_operator_may_do_everything_everywhere() {
    for (String space : List.of("plaza", "cabin")) {
      assertThat(outcomes(reads(OPERATOR, space))).containsOnly("ok");
      assertThat(outcomes(changes(OPERATOR, space))).containsOnly("ok");
    }
  }

  @Test
  void a_member_may_do_everything_in_its_spaces_but_remove_others() {
    for (String space : List.of("plaza", "cabin")) {
      assertThat(outcomes(reads(MEMBER, space))).containsOnly("ok");
      assertThat(outcomes(changes(MEMBER, space)))
          .containsExactly("ok", "ok", "ok", "ok", "FORBIDDEN", "ok", "ok", "ok");
      refused(ErrorCode.FORBIDDEN, () -> spaces.change(MEMBER, space, waking(WakePolicy.MENTION)));
    }
  }

  private static SpaceChange waking(WakePolicy policy) {
    return new SpaceChange(null, null, policy, null);
  }

  @Test
  void a_viewer_reads_its_spaces_and_changes_nothing() {
    for (String space : List.of("plaza", "cabin")) {
      assertThat(outcomes(reads(VIEWER, space))).containsOnly("ok");
      assertThat(outcomes(changes(VIEWER, space))).containsOnly("FORBIDDEN");
      refused(ErrorCode.FORBIDDEN, () -> spaces.add(VIEWER, space, VIEWER.key()));
      refused(ErrorCode.FORBIDDEN, () -> spaces.remove(VIEWER, space, VIEWER.key()));
      spaces.history().markRead(VIEWER, space, 1);
    }
  }

  @Test
  void a_private_space_of_others_does_not_exist() {
    assertThat(outcomes(reads(OUTSIDER, "cabin")))
        .containsOnly("SPACE_NOT_FOUND", "MESSAGE_NOT_FOUND");
    assertThat(outcomes(changes(OUTSIDER, "cabin")))
        .containsOnly("SPACE_NOT_FOUND", "MESSAGE_NOT_FOUND");
    refused(ErrorCode.SPACE_NOT_FOUND, () -> spaces.add(OUTSIDER, "cabin", OUTSIDER.key()));
    refused(ErrorCode.SPACE_NOT_FOUND, () -> spaces.history().markRead(OUTSIDER, "cabin", 1));
    assertThat(spaces.list(OUTSIDER)).extracting(Space::id).containsExactly("plaza");
  }

  @Test
  void a_public_space_can_be_read_and_joined_and_is_changed_by_its_members() {
    assertThat(outcomes(reads(OUTSIDER, "plaza"))).containsOnly("ok");
    String not = "NOT_A_MEMBER";
    assertThat(outcomes(changes(OUTSIDER, "plaza")))
        .containsExactly(not, not, not, not, "FORBIDDEN", "ok", "ok", "ok");
    spaces.remove(OUTSIDER, "plaza", OUTSIDER.key());
    refused(ErrorCode.NOT_A_MEMBER, () -> spaces.history().markRead(OUTSIDER, "plaza", 1));
    spaces.add(OUTSIDER, "plaza", OUTSIDER.key());
    assertThat(outcomes(changes(OUTSIDER, "plaza"))).startsWith("ok", "ok", "ok", "ok");
  }

  @Test
  void a_zoo_client_sees_no_space() {
    assertThat(outcomes(reads(ZOO, "plaza"))).containsOnly("FORBIDDEN");
    assertThat(outcomes(changes(ZOO, "plaza"))).containsOnly("FORBIDDEN");
    refused(ErrorCode.FORBIDDEN, () -> spaces.list(ZOO));
  }

  @Test
  void only_operators_create_spaces() {
    var wish = Spaces.SpaceDefinition.of("quay", Space.SpaceKind.PUBLIC, List.of());
    for (Principal who : List.of(MEMBER, VIEWER, ZOO, agent("ada"))) {
      refused(ErrorCode.FORBIDDEN, () -> spaces.create(who, wish));
      refused(ErrorCode.FORBIDDEN, () -> spaces.validate(who, wish));
    }
    assertThat(spaces.create(OPERATOR, wish).id()).isEqualTo("quay");
  }

  @Test
  void an_agent_changes_its_spaces_only() {
    assertThat(outcomes(changes(agent("ada"), "cabin")))
        .containsOnly("SPACE_NOT_FOUND", "MESSAGE_NOT_FOUND");
    assertThat(outcomes(changes(agent("ben"), "cabin")))
        .containsExactly("ok", "ok", "ok", "ok", "FORBIDDEN", "ok", "ok", "ok");
  }

  private Principal agent(String name) {
    return new Principal.AgentPrincipal(team.engine.agents().require(name).id());
  }

  private static List<String> outcomes(Map<String, ThrowingCallable> verbs) {
    return verbs.values().stream().map(SpaceAuthorisationTest::outcome).toList();
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

  private static void refused(ErrorCode code, ThrowingCallable verb) {
    assertThatThrownBy(verb)
        .isInstanceOfSatisfying(Fault.class, fault -> assertThat(fault.code()).isEqualTo(code));
  }
}
