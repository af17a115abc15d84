package dev.substrat.access.person;

import dev.substrat.access.credential.Credentials;
import dev.substrat.access.credential.Token;
import dev.substrat.access.credential.TokenLimits;
import dev.substrat.platform.identity.AccessTarget;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.DelegationCheck;
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

/// Service for people: create, change, remove, and issue tokens for them.
///
/// A name belongs to one person permanently: it is not given to another person, and a removed
/// person can be added again with the same identity.
public final class People {
  private static final int MAX_DISPLAY_NAME_LENGTH = 80;
  private static final CallerPermissions OPERATOR =
      new CallerPermissions(new Principal.OperatorPrincipal());

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

  /// Adds a member on behalf of the operator; a removed person is added again.
  public Person create(String name, @Nullable String displayName) {
    return create(OPERATOR, new PersonRequest(name, displayName, null));
  }

  /// A person to add. Without a role, a new person is a member, and a removed person gets the
  /// earlier role.
  public record PersonRequest(String name, @Nullable String displayName, @Nullable Role role) {}

  /// Adds a person. The role must not include more than `by` may do.
  public Person create(CallerPermissions by, PersonRequest wanted) {
    return database.transact(tx -> create(tx, by, wanted));
  }

  /// Validates `create` without changing anything.
  public void rehearse(CallerPermissions by, PersonRequest wanted) {
    database.dryRun(tx -> create(tx, by, wanted));
  }

  private Person create(Tx tx, CallerPermissions by, PersonRequest wanted) {
    requireName(wanted.name());
    requireDisplayName(wanted.displayName());
    LookAlikeNameCheck.requireDistinctPerson(tx, wanted.name(), wanted.displayName());
    if (hold(tx, wanted.name())) {
      throw ErrorCode.NAME_TAKEN.fault(
          "person " + wanted.name() + " already exists",
          "create a token for them (POST /api/tokens, ./substrat token create --person "
              + wanted.name()
              + ")");
    }
    return admit(tx, by, wanted);
  }

  /// Changes the display name (null: the name) and the role (null: unchanged) of a person. Neither
  /// the old nor the new role may include more than `by` may do.
  public Person update(CallerPermissions by, PersonRequest wanted) {
    String name = wanted.name();
    @Nullable Role role = wanted.role();
    requireDisplayName(wanted.displayName());
    return database.transact(tx -> {
      if (!hold(tx, name)) {
        throw notFound(name);
      }
      Person before = find(tx, name).orElseThrow();
      if (role != null) {
        DelegationCheck.requireRole(by, role);
      }
      DelegationCheck.requireRole(by, before.role());
      if (!Objects.equals(before.displayName(), wanted.displayName())) {
        LookAlikeNameCheck.requireDistinctPerson(tx, name, wanted.displayName());
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

  /// A person's token, and whether the person was added for it.
  public record Invitation(Person person, Token token, boolean isNew) {}

  /// Creates a token for a person that allows no more than `by` may do. A missing person is added,
  /// if `by` may create people.
  public Invitation invite(CallerPermissions by, String name, String label, TokenLimits limits) {
    requireName(name);
    return database.transact(tx -> {
      boolean isNew = !hold(tx, name);
      if (isNew) {
        by.require(Scope.PEOPLE_WRITE, () -> AccessTarget.NONE);
        LookAlikeNameCheck.requireDistinctPerson(tx, name, null);
      }
      Person person =
          isNew ? admit(tx, by, new PersonRequest(name, null, null)) : find(tx, name).orElseThrow();
      DelegationCheck.requireToken(by, person.principal(), limits.grants());
      return new Invitation(person, credentials.mint(tx, person.principal(), label, limits), isNew);
    });
  }

  /// Whether the person exists; then it is locked until this transaction ends.
  private static boolean hold(Tx tx, String name) {
    return tx.update("update person set name = name where name = ? and removed_at is null", name)
        == 1;
  }

  private Person admit(Tx tx, CallerPermissions by, PersonRequest wanted) {
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
    DelegationCheck.requireRole(by, person.role());
    events.append(
        tx,
        NewEvent.of("person_created")
            .with("person", name)
            .with("displayName", wanted.displayName())
            .with("role", person.role().word()));
    return person;
  }

  private static void requireNobodyCalled(Tx tx, String name) {
    if (!HandleRegistry.claim(tx, name)) {
      throw ErrorCode.NAME_TAKEN.fault(
          "the handle " + name + " belongs or belonged to an agent",
          "choose another name, for example " + HandleRegistry.nextFree(tx, name));
    }
  }

  /// Removes a person and revokes their tokens. Their messages and their name stay. Their role must
  /// not include more than `by` may do.
  public void remove(CallerPermissions by, String name) {
    database.transact(tx -> {
      DelegationCheck.requireRole(by, find(tx, name).orElseThrow(() -> notFound(name)).role());
      int removed =
          tx.update(
              "update person set removed_at = ? where name = ? and removed_at is null",
              clock.instant(),
              name);
      if (removed == 0) {
        throw notFound(name);
      }
      Credentials.revokeAll(tx, new Principal.PersonPrincipal(name), clock.instant());
      events.append(tx, NewEvent.of("person_removed").with("person", name));
      return true;
    });
  }

  /// People by name, after `after`.
  public List<Person> list(String after, int limit) {
    return database.read(tx ->
        tx.list(
            Person.SELECT + "where name > ? and removed_at is null order by name limit ?",
            Person::of,
            after,
            limit));
  }

  /// The principal of a person, with the current role.
  public Optional<Principal.PersonPrincipal> findPrincipal(String name) {
    return database.read(tx -> find(tx, name)).map(Person::principal);
  }

  /// Names of agents and people that look like each other.
  public List<List<LookAlikeNameCheck.NameInUse>> lookAlikes() {
    return database.read(LookAlikeNameCheck::all);
  }

  /// Names of all people.
  public static List<String> names(Tx tx) {
    return tx.list(
        "select name from person where removed_at is null order by name", row -> row.text("name"));
  }

  /// Whether there are people beside the operator.
  public static boolean exist(Tx tx) {
    return tx.find("select 1 from person where removed_at is null limit 1", _ -> true).isPresent();
  }

  public static Optional<Person> find(Tx tx, String name) {
    return tx.find(Person.SELECT + "where name = ? and removed_at is null", Person::of, name);
  }

  /// Key of a person in the database, if `word` names one; otherwise `word`.
  public static String key(Tx tx, String word) {
    return find(tx, word).map(person -> person.principal().key()).orElse(word);
  }

  /// The same, including removed people.
  public static String keyEver(Tx tx, String word) {
    return tx.find(Person.SELECT + "where name = ?", Person::of, word)
        .map(person -> person.principal().key())
        .orElse(word);
  }

  /// Whether the name belongs or belonged to a person, in any spelling: then no agent may have it.
  public static boolean isCalled(Tx tx, String name) {
    return tx.find(
            "select 1 from person where name = ?", _ -> true, name.strip().toLowerCase(Locale.ROOT))
        .isPresent();
  }

  private static void requireName(String name) {
    if (!Handle.isValid(name) || ReservedNames.contain(name)) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "\"" + name + "\" is not a valid name for a person",
          "use lower-case letters, digits and single dashes, at most %d; names of the"
                  .formatted(Handle.MAX_LENGTH)
              + " operator and the daemon are reserved");
    }
  }

  private static void requireDisplayName(@Nullable String name) {
    if (name != null
        && (name.isBlank()
            || name.length() > MAX_DISPLAY_NAME_LENGTH
            || name.codePoints().anyMatch(People::breaksLine))) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "/displayName must have 1 to " + MAX_DISPLAY_NAME_LENGTH + " characters on one line",
          "omit the key to show the name");
    }
  }

  private static boolean breaksLine(int c) {
    return Character.isISOControl(c) || c == 0x2028 || c == 0x2029;
  }

  private static Fault notFound(String name) {
    return ErrorCode.NOT_FOUND.fault(
        "person " + name + " not found", "list people (GET /api/people, ./substrat person list)");
  }
}
