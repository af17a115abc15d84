package dev.substrat.access.person;

import dev.substrat.access.credential.Credentials;
import dev.substrat.access.credential.Token;
import dev.substrat.access.credential.TokenLimits;
import dev.substrat.platform.identity.AccessTarget;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Delegation;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Role;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Handle;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// People come and go.
///
/// A name belongs to one person for good: nobody else is given it, and who is removed can be let in
/// again as who they were.
public final class People {
  private static final int LONGEST_DISPLAY_NAME = 80;
  private static final CallerPermissions OPERATOR = new CallerPermissions(new Principal.Operator());

  private final Database database;
  private final EventLog events;
  private final Credentials credentials;
  private final InstantSource clock;

  public People(Database database, EventLog events, Credentials credentials, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.credentials = credentials;
    this.clock = clock;
  }

  /// Lets a member in, anew or again, for the operator.
  public Person create(String name, @Nullable String displayName) {
    return create(OPERATOR, new Wanted(name, displayName, null));
  }

  /// A person to let in. Without a role a new person is a member, and one who was here before has
  /// the role from then.
  public record Wanted(String name, @Nullable String displayName, @Nullable Role role) {}

  /// Lets a person in. Nobody gives a role that includes more than `by` may do.
  public Person create(CallerPermissions by, Wanted wanted) {
    return database.transact(tx -> create(tx, by, wanted));
  }

  /// Refuses what `create` would refuse, and changes nothing.
  public void rehearse(CallerPermissions by, Wanted wanted) {
    database.dryRun(tx -> create(tx, by, wanted));
  }

  private Person create(Tx tx, CallerPermissions by, Wanted wanted) {
    requireName(wanted.name());
    requireDisplayName(wanted.displayName());
    LookAlikeNames.requireDistinctPerson(tx, wanted.name(), wanted.displayName());
    if (hold(tx, wanted.name())) {
      throw new Fault(
          ErrorCode.NAME_TAKEN,
          "there is already a person " + wanted.name(),
          "a token for them: POST /api/tokens, ./substrat token create --person " + wanted.name());
    }
    return admit(tx, by, wanted);
  }

  /// Changes how a person is shown, where null shows their name, and the role, where null keeps it.
  /// Neither the role before nor the one after may include more than `by` may do.
  public Person update(CallerPermissions by, Wanted wanted) {
    String name = wanted.name();
    @Nullable Role role = wanted.role();
    requireDisplayName(wanted.displayName());
    return database.transact(tx -> {
      if (!hold(tx, name)) {
        throw notFound(name);
      }
      Person before = find(tx, name).orElseThrow();
      if (role != null) {
        Delegation.requireRole(by, role);
      }
      Delegation.requireRole(by, before.role());
      if (!Objects.equals(before.displayName(), wanted.displayName())) {
        LookAlikeNames.requireDistinctPerson(tx, name, wanted.displayName());
        tx.update("update person set display_name = ? where name = ?", wanted.displayName(), name);
        events.append(
            tx,
            NewEvent.of("person_renamed")
                .with("person", name)
                .with("displayName", wanted.displayName()));
      }
      if (role != null && role != before.role()) {
        tx.update("update person set role = ? where name = ?", role.word(), name);
        events.append(
            tx,
            NewEvent.of("person_role_changed")
                .with("person", name)
                .with("role", role.word())
                .with("before", before.role().word()));
      }
      return find(tx, name).orElseThrow();
    });
  }

  /// A token for somebody, and whether they had to be let in for it.
  public record Invitation(Person person, Token token, boolean isNew) {}

  /// Mints a token for a person that allows no more than `by` may do. A person who is not there yet
  /// is let in, if `by` may create people.
  public Invitation invite(CallerPermissions by, String name, String label, TokenLimits limits) {
    requireName(name);
    return database.transact(tx -> {
      boolean isNew = !hold(tx, name);
      if (isNew) {
        by.require(Scope.PEOPLE_WRITE, () -> AccessTarget.NONE);
        LookAlikeNames.requireDistinctPerson(tx, name, null);
      }
      Person person =
          isNew ? admit(tx, by, new Wanted(name, null, null)) : find(tx, name).orElseThrow();
      Delegation.requireToken(by, person.principal(), limits.grants());
      return new Invitation(person, credentials.mint(tx, person.principal(), label, limits), isNew);
    });
  }

  /// Whether they are here, and then nobody can remove them before this transaction is over.
  private static boolean hold(Tx tx, String name) {
    return tx.update("update person set name = name where name = ? and removed_at is null", name)
        == 1;
  }

  private Person admit(Tx tx, CallerPermissions by, Wanted wanted) {
    String name = wanted.name();
    @Nullable Role role = wanted.role();
    boolean wasHere =
        tx.update(
                """
                update person
                set removed_at = null, display_name = coalesce(?, display_name),
                  role = coalesce(?, role)
                where name = ?
                """,
                wanted.displayName(),
                role == null ? null : role.word(),
                name)
            == 1;
    if (!wasHere) {
      requireNobodyCalled(tx, name);
      tx.update(
          "insert into person (name, display_name, role, created_at) values (?, ?, ?, ?)",
          name,
          wanted.displayName(),
          (role == null ? Role.MEMBER : role).word(),
          clock.instant());
    }
    Person person = find(tx, name).orElseThrow();
    Delegation.requireRole(by, person.role());
    events.append(
        tx,
        NewEvent.of("person_created")
            .with("person", name)
            .with("displayName", wanted.displayName())
            .with("role", person.role().word()));
    return person;
  }

  private static void requireNobodyCalled(Tx tx, String name) {
    if (!Handles.claim(tx, name)) {
      throw new Fault(
          ErrorCode.NAME_TAKEN,
          "an agent has or had the handle " + name,
          "choose another name, for instance " + Handles.nextFree(tx, name));
    }
  }

  /// Revokes their tokens. What they wrote stays, and so does their name. Their role must not
  /// include more than `by` may do.
  public void remove(CallerPermissions by, String name) {
    database.transact(tx -> {
      Delegation.requireRole(by, find(tx, name).orElseThrow(() -> notFound(name)).role());
      int removed =
          tx.update(
              "update person set removed_at = ? where name = ? and removed_at is null",
              clock.instant(),
              name);
      if (removed == 0) {
        throw notFound(name);
      }
      Credentials.revokeAll(tx, new Principal.Person(name), clock.instant());
      events.append(tx, NewEvent.of("person_removed").with("person", name));
      return true;
    });
  }

  /// Those who are here, by name, from the one after `after` on.
  public List<Person> list(String after, int limit) {
    return database.read(tx ->
        tx.list(
            Person.SELECT + "where name > ? and removed_at is null order by name limit ?",
            Person::of,
            after,
            limit));
  }

  /// Who a person acts as, with the role they have now.
  public Optional<Principal.Person> findPrincipal(String name) {
    return database.read(tx -> find(tx, name)).map(Person::principal);
  }

  /// Names of agents and people that look like each other.
  public List<List<LookAlikeNames.Identity>> lookAlikes() {
    return database.read(LookAlikeNames::all);
  }

  /// The names of all who are here.
  public static List<String> names(Tx tx) {
    return tx.list(
        "select name from person where removed_at is null order by name", row -> row.text("name"));
  }

  /// Who is here under that name. Whether anybody but the operator is known here.
  public static boolean exist(Tx tx) {
    return tx.find("select 1 from person where removed_at is null limit 1", _ -> true).isPresent();
  }

  public static Optional<Person> find(Tx tx, String name) {
    return tx.find(Person.SELECT + "where name = ? and removed_at is null", Person::of, name);
  }

  /// How a person stands in the database, if `word` names one; any other word as it is.
  public static String key(Tx tx, String word) {
    return find(tx, word).map(person -> person.principal().key()).orElse(word);
  }

  /// The same, also for a person who was removed.
  public static String keyEver(Tx tx, String word) {
    return tx.find(Person.SELECT + "where name = ?", Person::of, word)
        .map(person -> person.principal().key())
        .orElse(word);
  }

  /// Whether a person is or was called so, however it is spelt: then no agent may be.
  public static boolean isCalled(Tx tx, String name) {
    return tx.find(
            "select 1 from person where name = ?", _ -> true, name.strip().toLowerCase(Locale.ROOT))
        .isPresent();
  }

  private static void requireName(String name) {
    if (!Handle.isValid(name) || ReservedNames.contain(name)) {
      throw new Fault(
          ErrorCode.INVALID_CONFIG,
          "\"" + name + "\" is not a valid name for a person",
          "use lower-case letters, digits and single dashes, at most %d; and no word that means the"
                  .formatted(Handle.LONGEST)
              + " operator or the daemon");
    }
  }

  private static void requireDisplayName(@Nullable String name) {
    if (name != null
        && (name.isBlank()
            || name.length() > LONGEST_DISPLAY_NAME
            || name.codePoints().anyMatch(People::breaksLine))) {
      throw new Fault(
          ErrorCode.INVALID_CONFIG,
          "/displayName must have 1 to " + LONGEST_DISPLAY_NAME + " characters on one line",
          "leave it out to show the name");
    }
  }

  private static boolean breaksLine(int c) {
    return Character.isISOControl(c) || c == 0x2028 || c == 0x2029;
  }

  private static Fault notFound(String name) {
    return new Fault(
        ErrorCode.NOT_FOUND,
        "there is no person " + name,
        "list those there are (GET /api/people)");
  }
}
