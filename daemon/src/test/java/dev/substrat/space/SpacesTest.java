package dev.substrat.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.access.person.People;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.space.Space.SpaceKind;
import dev.substrat.space.Space.WakePolicy;
import dev.substrat.space.SpaceChange.ChainDepthChange;
import dev.substrat.space.SpaceMessages.PostRequest;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Spaces, their members and their visibility.
@OnEveryDatabase
final class SpacesTest {
  private static final CallerPermissions OPERATOR =
      new CallerPermissions(new Principal.OperatorPrincipal());

  private final SpaceTeam team;
  private final Agent ada;
  private final Agent ben;
  private final Agent noor;

  SpacesTest(TestDatabase kind) {
    this.team = new SpaceTeam(kind.dialect());
    this.ada = team.external("ada");
    this.ben = team.external("ben");
    this.noor = team.external("noor");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement("C8")
  void a_space_gets_its_id_from_its_name_and_its_policy_from_its_kind() {
    Space harbor = create(null, "The Harbor!", SpaceKind.PUBLIC);

    assertThat(harbor.id()).isEqualTo("the-harbor");
    assertThat(harbor.wakePolicy()).isEqualTo(WakePolicy.ALL);
    assertThat(create(null, "quay", SpaceKind.PRIVATE).wakePolicy()).isEqualTo(WakePolicy.ALL);
    assertThat(create(null, "x", SpaceKind.DM, "ada", "ben").wakePolicy())
        .isEqualTo(WakePolicy.DM_CHAIN);
    refused(ErrorCode.CONFLICT, () -> create("the-harbor", "another", SpaceKind.PUBLIC));
    refused(ErrorCode.INVALID_ARGUMENTS, () -> create("dm-x-y", "a trap", SpaceKind.PUBLIC));
    refused(ErrorCode.INVALID_ARGUMENTS, () -> create(null, "港", SpaceKind.PUBLIC));
    refused(ErrorCode.AGENT_NOT_FOUND, () -> create(null, "y", SpaceKind.PUBLIC, "nobody"));
    assertThat(team.told("space_created")).hasSize(3);
  }

  @Test
  @Requirement({"C13", "A20"})
  void a_dm_has_two_members_and_is_found_by_their_handles_in_any_order() {
    Space dm = create(null, "x", SpaceKind.DM, "ben", "ada");

    assertThat(dm.id()).isEqualTo("dm-ada-ben");
    assertThat(team.spaces.require(new Principal.AgentPrincipal(ada.id()), "dm-ben-ada"))
        .isEqualTo(dm);
    refused(ErrorCode.CONFLICT, () -> create(null, "x", SpaceKind.DM, "ada", "ben"));
    refused(
        ErrorCode.INVALID_ARGUMENTS, () -> create(null, "x", SpaceKind.DM, "ada", "ben", "noor"));
    refused(
        ErrorCode.CONFLICT,
        () -> team.spaces.add(new Principal.OperatorPrincipal(), dm.id(), "noor"));
    refused(
        ErrorCode.SPACE_NOT_FOUND,
        () -> team.spaces.require(new Principal.AgentPrincipal(noor.id()), dm.id()));
    refused(ErrorCode.NOT_A_MEMBER, () -> team.say(dm.id(), "may I?"));
  }

  @Test
  @Requirement("A20")
  void posting_to_a_dm_creates_it_if_both_members_exist() {
    assertThat(team.refusal(noor, "send_message", "{'channelId':'dm-ada-ben','text':'hi'}"))
        .isEqualTo("SPACE_NOT_FOUND");
    assertThat(team.refusal(ada, "send_message", "{'channelId':'dm-ada-nobody','text':'hi'}"))
        .isEqualTo("SPACE_NOT_FOUND");
    assertThat(
            team.refusal(ada, "enter_space", "{'spaceId':'dm-%s'}".formatted("a-".repeat(50_000))))
        .as("not searched at every dash")
        .isEqualTo("SPACE_NOT_FOUND");
    team.engine.agents().terminate("noor");
    assertThat(team.refusal(ada, "send_message", "{'channelId':'dm-ada-noor','text':'hi'}"))
        .isEqualTo("SPACE_NOT_FOUND");

    team.call(ada, "send_message", "{'channelId':'dm-ben-ada','text':'hi'}");
    team.call(ben, "send_message", "{'channelId':'dm-ada-ben','text':'hello'}");

    assertThat(team.said("dm-ada-ben")).containsExactly("ada: hi", "ben: hello");
    assertThat(team.spaces.list(new Principal.OperatorPrincipal())).hasSize(1);
  }

  @Test
  @Requirement({"A20", "S4-3"})
  void an_agent_and_a_person_have_their_own_dm() {
    var people = new People(team.database, team.events, team.engine.credentials(), team.clock);
    people.create("ana", null);
    var ana = Principal.parse("person/ana");

    team.call(ada, "send_message", "{'channelId':'dm-ana-ada','text':'good morning'}");
    team.spaces
        .messages()
        .post(ana, new SpaceMessages.PostRequest("dm-ada-ana", "to you, too"), null);

    assertThat(team.said("dm-ada-ana")).containsExactly("ada: good morning", "ana: to you, too");
    assertThat(team.spaces.require(ana, "dm-ana-ada").id()).isEqualTo("dm-ada-ana");
    people.remove(OPERATOR, "ana");
    assertThat(team.refusal(ben, "send_message", "{'channelId':'dm-ana-ben','text':'hi'}"))
        .isEqualTo("SPACE_NOT_FOUND");
  }

  @Test
  @Requirement("C13")
  void pairs_with_ambiguous_handles_have_separate_dms() {
    Agent first = team.external("a");
    team.external("b-c");
    team.external("a-b");
    Agent last = team.external("c");

    team.call(first, "send_message", "{'channelId':'dm-a-b-c','text':'to b-c'}");
    team.call(last, "send_message", "{'channelId':'dm-a-b-c','text':'to a-b'}");

    assertThat(team.said("dm-a-b-c")).containsExactly("a: to b-c");
    assertThat(team.said("dm-a-b-c-2")).containsExactly("c: to a-b");
    team.call(last, "send_message", "{'channelId':'dm-c-a-b','text':'again'}");
    assertThat(team.said("dm-a-b-c-2")).hasSize(2);
  }

  @Test
  @Requirement({"A19", "N7"})
  void a_private_space_is_not_found_by_agents_outside_of_it() {
    team.room("cabin", WakePolicy.ALL, ada, ben);
    SpaceMessage secret = team.say("cabin", "the treasure");
    List<List<String>> tries =
        List.of(
            List.of("enter_space", "{'spaceId':'ROOM'}"),
            List.of("read_messages", "{'spaceId':'ROOM'}"),
            List.of("send_message", "{'channelId':'ROOM','text':'hi'}"));
    for (List<String> one : tries) {
      var hidden = team.call(noor, one.getFirst(), one.getLast().replace("ROOM", "cabin"));
      var missing = team.call(noor, one.getFirst(), one.getLast().replace("ROOM", "cabxx"));

      assertThat(hidden.path("code").asText()).isEqualTo("SPACE_NOT_FOUND");
      assertThat(hidden.toString()).isEqualTo(missing.toString().replace("cabxx", "cabin"));
    }
    assertThat(
            team.refusal(
                noor, "react_to_message", "{'messageId':'%s','emoji':'x'}".formatted(secret.id())))
        .isEqualTo("MESSAGE_NOT_FOUND");
    assertThat(team.spaces.list(new Principal.AgentPrincipal(noor.id()))).isEmpty();
    refused(
        ErrorCode.SPACE_NOT_FOUND,
        () -> team.spaces.members(new Principal.AgentPrincipal(noor.id()), "cabin"));
    refused(
        ErrorCode.SPACE_NOT_FOUND,
        () -> team.spaces.add(new Principal.AgentPrincipal(noor.id()), "cabin", "noor"));
    assertThat(team.spaces.list(new Principal.AgentPrincipal(ada.id()))).hasSize(1);
  }

  @Test
  @Requirement("S4-22")
  void pages_do_not_depend_on_the_collation_of_the_database() {
    if (team.database.dialect() == Dialect.POSTGRES) {
      // In Danish, aa sorts after z.
      team.database.transact(
          tx -> tx.update("alter table space alter column id type text collate \"da-x-icu\""));
    }
    List.of("zoo", "aa-rhus", "b", "aa", "a-b").forEach(id -> team.openSpace(id, ada));
    team.room("bb", WakePolicy.ALL, ada, ben);
    team.spaces.add(new Principal.OperatorPrincipal(), "b", "ben");

    assertThat(pages(new Principal.OperatorPrincipal()))
        .containsExactly("a-b 1", "aa 1", "aa-rhus 1", "b 2", "bb 2", "zoo 1");
    assertThat(pages(new Principal.AgentPrincipal(noor.id())))
        .containsExactly("a-b 1", "aa 1", "aa-rhus 1", "b 2", "zoo 1");
    assertThat(team.spaces.list(new Principal.AgentPrincipal(ada.id())).getFirst().id())
        .isEqualTo("a-b");
  }

  private List<String> pages(Principal who) {
    var all = new ArrayList<Spaces.SpaceWithMemberCount>();
    for (var page = team.spaces.list(who, "", 2);
        !page.isEmpty();
        page = team.spaces.list(who, all.getLast().space().id(), 2)) {
      all.addAll(page);
    }
    return all.stream().map(one -> one.space().id() + " " + one.memberCount()).toList();
  }

  @Test
  @Requirement("A19")
  void a_removed_member_loses_access_and_a_second_removal_is_rejected() {
    team.openSpace("general", ada, ben);
    team.call(ada, "enter_space", "{'spaceId':'general'}");

    team.spaces.remove(new Principal.OperatorPrincipal(), "general", "ada");

    assertThat(team.refusal(ada, "send_message", "{'text':'still here?'}"))
        .isEqualTo("NO_ACTIVE_SPACE");
    refused(
        ErrorCode.NOT_A_MEMBER,
        () -> team.spaces.remove(new Principal.OperatorPrincipal(), "general", "ada"));
    refused(
        ErrorCode.NOT_A_MEMBER,
        () -> team.spaces.history().markRead(new Principal.AgentPrincipal(ada.id()), "general", 1));
    assertThat(team.told("member_left")).hasSize(1);
    assertThat(team.spaces.members(new Principal.OperatorPrincipal(), "general"))
        .extracting(Membership::handle)
        .containsExactly("ben");
  }

  @Test
  void a_terminated_agent_leaves_its_spaces_and_stays_the_author_of_its_messages() {
    team.openSpace("general", ada, ben);
    team.call(ada, "send_message", "{'channelId':'general','text':'bye'}");

    team.engine.agents().terminate("ada");

    assertThat(team.spaces.members(new Principal.OperatorPrincipal(), "general"))
        .extracting(Membership::handle)
        .containsExactly("ben");
    assertThat(team.said("general")).containsExactly("ada: bye");
  }

  @Test
  void a_change_of_a_space_is_one_event() {
    team.openSpace("general", ada);
    var all = new SpaceChange("The Quay", "tides", WakePolicy.MENTION, new ChainDepthChange(5));

    refused(
        ErrorCode.FORBIDDEN,
        () -> team.spaces.change(new Principal.AgentPrincipal(ada.id()), "general", all));
    team.spaces.change(new Principal.OperatorPrincipal(), "general", all);
    Space space = team.spaces.change(new Principal.AgentPrincipal(ada.id()), "general", all);
    team.spaces.change(new Principal.OperatorPrincipal(), "general", SpaceChange.ofTopic(""));

    assertThat(space).isEqualTo(all.of(space));
    assertThat(team.spaces.require(new Principal.OperatorPrincipal(), "general").wakePolicy())
        .isEqualTo(WakePolicy.MENTION);
    assertThat(team.told("space_changed"))
        .extracting(event -> event.path("changed").toString())
        .containsExactlyInAnyOrder(
            "[\"name\",\"topic\",\"wakePolicy\",\"maxChainDepth\"]", "[\"topic\"]");
    refused(
        ErrorCode.NOT_A_MEMBER,
        () -> team.spaces.change(new Principal.AgentPrincipal(ben.id()), "general", all));
  }

  @Test
  void invalid_changes_of_a_space_are_rejected() {
    team.openSpace("general", ada);

    for (var wrong :
        List.of(
            new SpaceChange(" ", "x", null, null),
            new SpaceChange("x", "two\nlines", null, null),
            new SpaceChange("x", "x", null, new ChainDepthChange(0)))) {
      refused(
          ErrorCode.INVALID_ARGUMENTS,
          () -> team.spaces.change(new Principal.OperatorPrincipal(), "general", wrong));
    }

    assertThat(team.spaces.require(new Principal.OperatorPrincipal(), "general").name())
        .isEqualTo("general");
    assertThat(team.told("space_changed")).isEmpty();
  }

  @Test
  void unread_messages_are_those_of_others_since_joining_or_reading() {
    team.openSpace("general", ada);
    team.say("general", "one");
    team.spaces.add(new Principal.OperatorPrincipal(), "general", "ben");
    SpaceMessage two = team.say("general", "two");
    team.spaces
        .messages()
        .post(new Principal.AgentPrincipal(ada.id()), new PostRequest("general", "mine"), null);

    assertThat(team.spaces.history().unread(new Principal.AgentPrincipal(ada.id())))
        .isEqualTo(Map.of("general", 2L));
    assertThat(team.spaces.history().unread(new Principal.AgentPrincipal(ben.id())))
        .isEqualTo(Map.of("general", 2L));
    team.spaces.history().markRead(new Principal.AgentPrincipal(ada.id()), "general", two.seq());
    team.spaces.history().markRead(new Principal.AgentPrincipal(ada.id()), "general", 1);
    assertThat(team.spaces.history().unread(new Principal.AgentPrincipal(ada.id()))).isEmpty();
    assertThat(team.told("space_read")).hasSize(1);
  }

  private Space create(@Nullable String id, String name, SpaceKind kind, String... members) {
    var request =
        id == null
            ? Spaces.SpaceDefinition.of(name, kind, List.of(members))
            : new Spaces.SpaceDefinition(
                id, name, kind, null, WakePolicy.ALL, null, List.of(members));
    return team.spaces.create(new Principal.OperatorPrincipal(), request);
  }

  private static void refused(ErrorCode code, ThrowingCallable attempt) {
    assertThatThrownBy(attempt)
        .isInstanceOfSatisfying(Fault.class, fault -> assertThat(fault.code()).isEqualTo(code));
  }
}
