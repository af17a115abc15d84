package dev.substrat.access.person;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Refuses names that look like the name of another agent or person, or like a reserved word.
///
/// Names are what people and agents go by, so a name with a Cyrillic letter or an invisible
/// character in it could speak for somebody else. Two names of ASCII alone never count as
/// look-alikes, and equal names are no look-alikes: other rules decide where those are allowed.
public final class LookAlikeNames {
  /// In front of the skeleton of a name of ASCII alone; many agents may have such a name in common.
  private static final String ASCII = "ascii:";

  private static final String OTHER = "other:";

  /// How a person is introduced to agents; nobody else may be called so.
  private static final String PERSON = "person ";

  private LookAlikeNames() {}

  /// A name of somebody: `kind` is agent, person or reserved; `handle` is how they are addressed.
  public record Identity(String kind, String name, String handle) {
    String words() {
      return switch (kind) {
        case "reserved" -> "the reserved word \"%s\"".formatted(name);
        default -> "the %s \"%s\" (%s)".formatted(kind, name, handle);
      };
    }
  }

  /// What is kept beside an agent's name.
  public static String key(String name) {
    return (NameSkeleton.isAscii(name) ? ASCII : OTHER) + NameSkeleton.of(name);
  }

  /// Refuses a name for an agent, `self` if it exists already. One that is a person's, however it
  /// is spelt, is taken.
  public static void requireDistinctAgent(Tx tx, String name, @Nullable String self) {
    if (People.isCalled(tx, name)) {
      throw new Fault(
          ErrorCode.NAME_TAKEN, "a person is or was called " + name, "choose another name");
    }
    Optional<Identity> other =
        reserved()
            .filter(one -> areAlike(name, one.name()))
            .findFirst()
            .or(() -> person(tx, name, null))
            .or(() -> agent(tx, name, self));
    if (other.isPresent()) {
      throw confusable("/name", name, other.get());
    }
  }

  /// Refuses a display name for a person, and a person for whom an agent could be taken already.
  static void requireDistinctPerson(Tx tx, String person, @Nullable String displayName) {
    agent(tx, person, null)
        .or(() -> agent(tx, PERSON + person, null))
        .or(() -> named(tx, PERSON + person))
        .ifPresent(other -> {
          throw confusable("/name", person, other);
        });
    if (displayName == null) {
      return;
    }
    reserved()
        .filter(one -> areAlike(displayName, one.name()))
        .findFirst()
        .or(() -> person(tx, displayName, person))
        .or(() -> agent(tx, displayName, null))
        .ifPresent(other -> {
          throw confusable("/displayName", displayName, other);
        });
  }

  private static Stream<Identity> reserved() {
    return Handles.RESERVED.stream().map(word -> new Identity("reserved", word, word));
  }

  /// People are few, and most of their names are ASCII.
  private static Optional<Identity> person(Tx tx, String name, @Nullable String self) {
    return people(tx).stream()
        .filter(one -> !one.handle().equals(self))
        .filter(one -> areAlike(name, one.name()) || introduces(name, one.name()))
        .findFirst();
  }

  /// Whether a name reads as the introduction of this person.
  private static boolean introduces(String name, String person) {
    String introduction = PERSON + person;
    return folded(name).equals(folded(introduction)) || areAlike(name, introduction);
  }

  private static List<Identity> people(Tx tx) {
    var people = new ArrayList<Identity>();
    tx.list(
            "select name, display_name from person where removed_at is null order by name",
            row -> {
              String name = row.text("name");
              String shown = row.textOrNull("display_name");
              return Stream.of(name, shown == null ? name : shown)
                  .distinct()
                  .map(one -> new Identity("person", one, name))
                  .toList();
            })
        .forEach(people::addAll);
    return people;
  }

  /// A living agent whose name or handle looks like this name.
  private static Optional<Identity> agent(Tx tx, String name, @Nullable String self) {
    fillMissing(tx);
    String skeleton = NameSkeleton.of(name);
    Optional<Identity> found = agent(tx, OTHER + skeleton, name, self);
    if (found.isPresent() || NameSkeleton.isAscii(name)) {
      return found;
    }
    return agent(tx, ASCII + skeleton, name, self).or(() -> handle(tx, skeleton, self));
  }

  private static Optional<Identity> agent(Tx tx, String key, String name, @Nullable String self) {
    return tx
        .list(
            """
            select name, min(handle) as handle from agent
            where name_skeleton = ? and terminated_at is null and name <> ? and id <> ?
            group by name order by name limit 100
            """,
            LookAlikeNames::agent,
            key,
            name,
            self == null ? "" : self)
        .stream()
        .filter(one -> areAlike(name, one.name()))
        .findFirst();
  }

  private static Identity agent(ResultRow row) {
    return new Identity("agent", row.text("name"), row.text("handle"));
  }

  private static Optional<Identity> handle(Tx tx, String skeleton, @Nullable String self) {
    return tx
        .list(
            """
            select agent.name as name, agent.handle as handle
            from handle join agent on agent.handle = handle.handle
            where handle.skeleton = ? and agent.terminated_at is null and agent.id <> ? limit 1
            """,
            LookAlikeNames::agent,
            skeleton,
            self == null ? "" : self)
        .stream()
        .findFirst();
  }

  /// A living agent of exactly this name.
  private static Optional<Identity> named(Tx tx, String name) {
    return tx
        .list(
            """
            select name, min(handle) as handle from agent
            where name_skeleton = ? and terminated_at is null
            group by name
            """,
            LookAlikeNames::agent,
            key(name))
        .stream()
        .filter(one -> folded(one.name()).equals(name))
        .findFirst();
  }

  /// Rows of earlier versions, and of daemons of an earlier version on the same database.
  private static void fillMissing(Tx tx) {
    tx.list(
            "select id, name from agent where name_skeleton is null and terminated_at is null",
            row -> Map.entry(row.text("id"), row.text("name")))
        .forEach(one ->
            tx.update(
                "update agent set name_skeleton = ? where id = ?",
                key(one.getValue()),
                one.getKey()));
  }

  private static boolean areAlike(String name, String other) {
    return !folded(name).equals(folded(other))
        && !(NameSkeleton.isAscii(name) && NameSkeleton.isAscii(other))
        && NameSkeleton.of(name).equals(NameSkeleton.of(other));
  }

  private static String folded(String name) {
    return name.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
  }

  private static Fault confusable(String pointer, String name, Identity other) {
    return new Fault(
        ErrorCode.NAME_CONFUSABLE,
        "%s \"%s\" looks like %s".formatted(pointer, name, other.words()),
        "choose a name that cannot be taken for another"
            + (NameSkeleton.isAscii(name) ? "" : "; it contains " + foreign(name)));
  }

  /// The characters that make the difference, by their numbers and names.
  private static String foreign(String name) {
    return name.codePoints()
        .filter(c -> c >= 0x80)
        .distinct()
        .limit(3)
        .mapToObj(c -> "U+%04X %s".formatted(c, Character.getName(c)))
        .collect(Collectors.joining(", "));
  }

  /// Names of those who are here that look like each other; each list has two at least.
  public static List<List<Identity>> all(Tx tx) {
    var bySkeleton = new LinkedHashMap<String, List<Identity>>();
    Stream.of(reserved(), people(tx).stream(), agents(tx))
        .flatMap(all -> all)
        .forEach(one ->
            bySkeleton
                .computeIfAbsent(NameSkeleton.of(one.name()), _ -> new ArrayList<>())
                .add(one));
    return bySkeleton.values().stream()
        .filter(group -> group.size() > 1)
        .map(group ->
            group.stream()
                .filter(one -> group.stream().anyMatch(it -> areAlike(one.name(), it.name())))
                .toList())
        .filter(group -> !group.isEmpty())
        .toList();
  }

  /// Each by its name and, if that is another word, by its handle.
  private static Stream<Identity> agents(Tx tx) {
    return tx
        .list(
            "select name, handle from agent where terminated_at is null order by handle",
            LookAlikeNames::agent)
        .stream()
        .flatMap(one ->
            folded(one.name()).equals(one.handle())
                ? Stream.of(one)
                : Stream.of(one, new Identity("agent", one.handle(), one.handle())));
  }
}
