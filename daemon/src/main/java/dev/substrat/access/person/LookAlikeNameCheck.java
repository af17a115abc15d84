package dev.substrat.access.person;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Handle;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Rejects names that look like the name of another agent or person, or like a reserved word.
///
/// People and agents are identified by names, so a name with a Cyrillic letter or an invisible
/// character could impersonate another one, and so could an agent with a person's name. Two ASCII
/// names never count as look-alikes, and agents with different parents may have equal names.
///
/// A check is valid until the end of the transaction: [#lock].
public final class LookAlikeNameCheck {
  /// Prefix of the skeleton of an ASCII name; many agents may share such a name.
  private static final String ASCII = "ascii:";

  private static final String OTHER = "other:";

  private LookAlikeNameCheck() {}

  /// A name in use: `kind` is agent, person or reserved; `handle` is the address.
  public record NameInUse(String kind, String name, String handle) {
    String words() {
      return switch (kind) {
        case "reserved" -> "the reserved word \"%s\"".formatted(name);
        default -> "the %s \"%s\" (%s)".formatted(kind, name, handle);
      };
    }

    private boolean isAgent() {
      return kind.equals("agent");
    }

    /// Whether this is a person's display name.
    private boolean isDisplayName() {
      return kind.equals("person") && !name.equals(handle);
    }
  }

  /// Key that is stored with an agent's name.
  public static String key(String name) {
    return (NameSkeleton.isAscii(name) ? ASCII : OTHER) + NameSkeleton.of(name);
  }

  /// Rejects a name for an agent; `self` is the agent if it exists already. The handle derived from
  /// the name must not be a reserved word or a display name either.
  public static void requireAgentName(Tx tx, String name, @Nullable String self) {
    lock(tx);
    requireUnreserved("/name", name);
    if (People.isCalled(tx, name)) {
      throw taken(
          "/name",
          name,
          new NameInUse("person", NameSkeleton.folded(name), NameSkeleton.folded(name)));
    }
    List<NameInUse> people = people(tx);
    requireDistinct("/name", name, people.stream());
    agent(tx, name, self)
        .ifPresent(other -> {
          throw confusable("/name", name, other);
        });
    String handle = Handle.of(name);
    reserved(handle)
        .or(() -> displayName(people, handle))
        .ifPresent(other -> {
          throw confusable("/name", name, other);
        });
  }

  /// Rejects a chosen handle of an agent. A handle that is a person's name is rejected when it is
  /// claimed.
  public static void requireAgentHandle(Tx tx, String handle, @Nullable String self) {
    lock(tx);
    requireUnreserved("/handle", handle);
    displayName(people(tx), handle)
        .or(() -> agent(tx, handle, self))
        .ifPresent(other -> {
          throw confusable("/handle", handle, other);
        });
  }

  private static Optional<NameInUse> displayName(List<NameInUse> people, String handle) {
    return people.stream()
        .filter(one -> one.isDisplayName() && NameSkeleton.areEqual(handle, one.name()))
        .findFirst();
  }

  /// Rejects a name or display name of a person. People are created rarely, so all agents are
  /// checked.
  static void requireDistinctPerson(Tx tx, String person, @Nullable String displayName) {
    lock(tx);
    List<NameInUse> agents = agents(tx).toList();
    requireDistinct("/name", person, agents.stream());
    if (displayName == null) {
      return;
    }
    requireUnreserved("/displayName", displayName);
    requireDistinct("/displayName", displayName, agents.stream());
    List<NameInUse> others =
        people(tx).stream().filter(one -> !one.handle().equals(person)).toList();
    requireDistinct(
        "/displayName", displayName, others.stream().filter(one -> !one.isDisplayName()));
    // Two people may have equal display names, but not different ones that look the same.
    others.stream()
        .filter(one -> NameSkeleton.areAlike(displayName, one.name()))
        .findFirst()
        .ifPresent(other -> {
          throw confusable("/displayName", displayName, other);
        });
  }

  /// Locks the creation of names until this transaction ends: otherwise two look-alikes that are
  /// created concurrently would not see each other.
  private static void lock(Tx tx) {
    tx.find(tx.dialect().nameLock(), _ -> true);
  }

  private static void requireUnreserved(String pointer, String name) {
    if (ReservedNames.contain(name)) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "%s \"%s\" is a reserved word".formatted(pointer, name),
          "choose another name; reserved: " + String.join(", ", ReservedNames.ALL));
    }
    reserved(name)
        .ifPresent(word -> {
          throw confusable(pointer, name, word);
        });
  }

  private static Optional<NameInUse> reserved(String name) {
    return ReservedNames.find(name).map(word -> new NameInUse("reserved", word, word));
  }

  private static void requireDistinct(String pointer, String name, Stream<NameInUse> others) {
    others.forEach(other -> {
      if (NameSkeleton.areEqual(name, other.name())) {
        throw taken(pointer, name, other);
      }
      if (NameSkeleton.areAlike(name, other.name())) {
        throw confusable(pointer, name, other);
      }
    });
  }

  private static List<NameInUse> people(Tx tx) {
    var people = new ArrayList<NameInUse>();
    tx.list(
            "select name, display_name from person where removed_at is null order by name",
            row -> {
              String name = row.text("name");
              String shown = row.textOrNull("display_name");
              return Stream.of(name, shown == null ? name : shown)
                  .distinct()
                  .map(one -> new NameInUse("person", one, name))
                  .toList();
            })
        .forEach(people::addAll);
    return people;
  }

  /// An agent, not terminated, whose name or handle looks like this name.
  private static Optional<NameInUse> agent(Tx tx, String name, @Nullable String self) {
    String skeleton = NameSkeleton.of(name);
    Optional<NameInUse> found = agent(tx, OTHER + skeleton, name, self);
    if (found.isPresent() || NameSkeleton.isAscii(name)) {
      return found;
    }
    return agent(tx, ASCII + skeleton, name, self).or(() -> handle(tx, skeleton, self));
  }

  private static Optional<NameInUse> agent(Tx tx, String key, String name, @Nullable String self) {
    return tx
        .list(
            """
            select name, min(handle) as handle from agent
            where name_skeleton = ? and terminated_at is null and name <> ? and id <> ?
            group by name order by name limit 100
            """,
            LookAlikeNameCheck::agent,
            key,
            name,
            self == null ? "" : self)
        .stream()
        .filter(one -> NameSkeleton.areAlike(name, one.name()))
        .findFirst();
  }

  private static NameInUse agent(ResultRow row) {
    return new NameInUse("agent", row.text("name"), row.text("handle"));
  }

  private static Optional<NameInUse> handle(Tx tx, String skeleton, @Nullable String self) {
    return tx
        .list(
            """
            select agent.name as name, agent.handle as handle
            from handle join agent on agent.handle = handle.handle
            where handle.skeleton = ? and agent.terminated_at is null and agent.id <> ? limit 1
            """,
            LookAlikeNameCheck::agent,
            skeleton,
            self == null ? "" : self)
        .stream()
        .findFirst();
  }

  private static Fault taken(String pointer, String name, NameInUse other) {
    return ErrorCode.NAME_TAKEN.fault(
        "%s \"%s\" is already the name of %s".formatted(pointer, name, other.words()),
        "choose another name");
  }

  private static Fault confusable(String pointer, String name, NameInUse other) {
    return ErrorCode.NAME_CONFUSABLE.fault(
        "%s \"%s\" looks like %s".formatted(pointer, name, other.words()),
        "choose a name that does not look like another one"
            + (NameSkeleton.isAscii(name) ? "" : "; it contains " + foreign(name)));
  }

  /// The characters that differ, with code points and names.
  private static String foreign(String name) {
    return name.codePoints()
        .filter(c -> c >= 0x80)
        .distinct()
        .limit(3)
        .mapToObj(c -> "U+%04X %s".formatted(c, Character.getName(c)))
        .collect(Collectors.joining(", "));
  }

  /// Existing names that would be rejected now, grouped with the names they look like; each list
  /// has at least two.
  public static List<List<NameInUse>> all(Tx tx) {
    var groups = new ArrayList<List<NameInUse>>();
    var bySkeleton = new LinkedHashMap<String, List<NameInUse>>();
    Stream.concat(people(tx).stream(), agents(tx))
        .forEach(one -> {
          reserved(one.name()).ifPresent(word -> groups.add(List.of(word, one)));
          bySkeleton
              .computeIfAbsent(
                  NameSkeleton.words(NameSkeleton.of(one.name())), _ -> new ArrayList<>())
              .add(one);
        });
    bySkeleton.values().stream()
        .map(group ->
            group.stream().filter(one -> group.stream().anyMatch(it -> clash(one, it))).toList())
        .filter(group -> !group.isEmpty())
        .forEach(groups::add);
    return List.copyOf(groups);
  }

  private static boolean clash(NameInUse one, NameInUse other) {
    return NameSkeleton.areAlike(one.name(), other.name())
        || (one.isAgent() != other.isAgent() && NameSkeleton.areEqual(one.name(), other.name()));
  }

  /// Each agent by its name and, if it differs, by its handle.
  private static Stream<NameInUse> agents(Tx tx) {
    return tx
        .list(
            "select name, handle from agent where terminated_at is null order by handle",
            LookAlikeNameCheck::agent)
        .stream()
        .flatMap(one ->
            NameSkeleton.folded(one.name()).equals(one.handle())
                ? Stream.of(one)
                : Stream.of(one, new NameInUse("agent", one.handle(), one.handle())));
  }
}
