package dev.substrat.access.person;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.access.credential.Credentials;
import dev.substrat.access.credential.TokenLimits;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Role;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Agents;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@OnEveryDatabase
@Requirement({"N7", "S4-22"})
final class PeopleTest {
  private static final CallerPermissions OPERATOR =
      new CallerPermissions(new Principal.OperatorPrincipal());

  private final TestDatabase place;
  private final EventLog events;
  private final Agents agents;
  private final Credentials credentials;
  private final People people;

  PeopleTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    Database database = place.open();
    InstantSource clock = InstantSource.system();
    this.events = new EventLog(database, clock);
    this.agents = new Agents(database, events, clock, (_, _) -> {});
    this.credentials = new Credentials(database, events, clock);
    this.people = new People(database, events, credentials, clock);
  }

  @AfterEach
  void close() throws IOException {
    events.close();
    place.close();
  }

  @Test
  void a_persons_token_authenticates_that_person() {
    var first = people.invite(OPERATOR, "ana", "laptop", TokenLimits.NONE);
    var second = people.invite(OPERATOR, "ana", "phone", TokenLimits.NONE);

    assertThat(first.isNew()).isTrue();
    assertThat(second.isNew()).isFalse();
    for (var invitation : List.of(first, second)) {
      assertThat(
              credentials.authenticate(invitation.token().text()).map(CallerPermissions::principal))
          .contains(new Principal.PersonPrincipal("ana"));
    }
    assertThat(people.list("", 10)).extracting(Person::name).containsExactly("ana");
  }

  @Test
  void a_persons_token_has_the_role_of_the_person() {
    for (Role role : Role.values()) {
      String name = "a" + role.word();
      people.create(OPERATOR, new People.PersonRequest(name, null, role));
      var invited = people.invite(OPERATOR, name, "", TokenLimits.NONE);

      assertThat(credentials.authenticate(invited.token().text()).map(CallerPermissions::principal))
          .contains(new Principal.PersonPrincipal(name, role));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Ana", "a b", "operator", "user", "substrat", "yourself", "a/b", "-a"})
  void an_invalid_person_name_is_rejected(String name) {
    assertRefused(ErrorCode.INVALID_CONFIG, () -> people.create(name, null));
    assertRefused(
        ErrorCode.INVALID_CONFIG, () -> people.invite(OPERATOR, name, "", TokenLimits.NONE));
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "Ana\nOperator", "\u2028"})
  void a_display_name_is_one_line(String name) {
    assertRefused(ErrorCode.INVALID_CONFIG, () -> people.create("ana", name));
  }

  @Test
  void a_person_cannot_have_the_name_of_an_agent() {
    agent("ben", null);
    agent("Captain Cat", "cat");
    agents.terminate("ben");

    assertRefused(ErrorCode.NAME_TAKEN, () -> people.create("ben", null));
    assertRefused(ErrorCode.NAME_TAKEN, () -> people.create("cat", null));
    assertRefused(ErrorCode.NAME_TAKEN, () -> people.invite(OPERATOR, "cat", "", TokenLimits.NONE));
    agent("Dora", "d-1");
    assertRefused(ErrorCode.NAME_TAKEN, () -> people.create("dora", null));
  }

  @Test
  void an_agent_cannot_have_the_name_of_a_person() {
    people.create("ana", "Ana Lund");
    people.create("eve", null);
    people.remove(OPERATOR, "eve");
    agent("ben", null);

    assertRefused(ErrorCode.NAME_TAKEN, () -> agent("Ana", "x"));
    assertRefused(ErrorCode.NAME_TAKEN, () -> agent("x", "ana"));
    assertRefused(ErrorCode.NAME_TAKEN, () -> agent("x", "eve"));
    assertRefused(ErrorCode.NAME_TAKEN, () -> rename("ben", "ANA", "ben"));
    assertRefused(ErrorCode.NAME_TAKEN, () -> rename("ben", "ben", "ana"));
    // A name that only becomes the same handle gets another one, as among agents.
    assertRefused(ErrorCode.NAME_TAKEN, () -> agent("Ana!", null));
    agent("Aná", null);
    assertThat(agents.require("ana-2").name()).isEqualTo("Aná");
  }

  @Test
  void a_handle_that_an_agent_no_longer_has_is_free() {
    agent("ben", null);
    rename("ben", "bob", "bob");

    people.create("ben", null);
    assertRefused(ErrorCode.NAME_TAKEN, () -> rename("bob", "bob", "ben"));
  }

  @Test
  void a_removed_person_has_no_valid_token_and_can_be_created_again() {
    String token = people.invite(OPERATOR, "ana", "", TokenLimits.NONE).token().text();
    people.remove(OPERATOR, "ana");

    assertThat(credentials.authenticate(token)).isEmpty();
    assertThat(people.list("", 10)).isEmpty();
    assertRefused(ErrorCode.NOT_FOUND, () -> people.remove(OPERATOR, "ana"));

    people.create("ana", "Ana Lund");
    assertRefused(ErrorCode.NAME_TAKEN, () -> people.create("ana", null));
    assertThat(people.list("", 10)).extracting(Person::displayName).containsExactly("Ana Lund");
    assertThat(credentials.authenticate(token)).as("an old token").isEmpty();
  }

  @Test
  void a_person_and_an_agent_created_concurrently_never_share_a_name() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 20; i++) {
        String name = "n" + i;
        List<Future<Object>> both =
            threads.invokeAll(
                List.<Callable<Object>>of(
                    () -> people.create(name, null), () -> agent("agent " + name, name)));

        assertThat(both.stream().filter(PeopleTest::succeeded)).as(name).hasSize(1);
      }
    }
  }

  private static boolean succeeded(Future<Object> one) {
    try {
      one.get();
      return true;
    } catch (ExecutionException e) {
      assertThat(e.getCause())
          .isInstanceOfSatisfying(
              Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.NAME_TAKEN));
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Object agent(String name, @Nullable String handle) {
    return agents.create(config(name, handle));
  }

  private Object rename(String handle, String name, String newHandle) {
    return place.open().transact(tx -> agents.update(tx, handle, config(name, newHandle)));
  }

  private static AgentConfig config(String name, @Nullable String handle) {
    return new AgentConfig(name, handle, null, null, null, null, null, null, null, null);
  }

  private static void assertRefused(ErrorCode code, ThrowingCallable work) {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(work)
        .satisfies(fault -> assertThat(fault.code()).isEqualTo(code));
  }
}
