package dev.substrat.api;

import dev.substrat.fault.Fault;
import dev.substrat.http.Exchange;
import dev.substrat.id.Principal;
import dev.substrat.person.People;
import dev.substrat.person.Person;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.space.Member;
import dev.substrat.space.Membership;
import dev.substrat.space.Space;
import dev.substrat.space.Spaces;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.Tree;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Whom a request means by a word: people go by their names here, as agents do by their handles.
final class SpaceGuests {
  private static final String DM = "dm-";

  private final Database database;
  private final Spaces spaces;

  SpaceGuests(Database database, Spaces spaces) {
    this.database = database;
    this.spaces = spaces;
  }

  /// Who asks, by their credential.
  static Member asking(Exchange exchange) {
    return Member.of(exchange.caller());
  }

  /// The word by which a space knows somebody: a person's key, anybody else as they were named.
  String known(String typed) {
    if (typed.startsWith(Member.PERSON)) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "people are called by their names, not \"" + typed + "\"",
          "leave out " + Member.PERSON);
    }
    return database.read(tx -> People.key(tx, typed));
  }

  /// What a member is called.
  String name(Membership membership) {
    return database.read(tx -> name(tx, membership));
  }

  private static String name(Tx tx, Membership membership) {
    Member member = membership.member();
    String called = SpaceView.called(membership.handle());
    Optional<String> name =
        member.isAgent()
            ? Tree.find(tx, member.key()).map(Agent::name)
            : People.find(tx, called).map(Person::displayName);
    return name.orElse(called);
  }

  /// The id of a DM with a person in it, which comes to be if it is the first time that this person
  /// writes to the other one; any other id as it is.
  String opened(Member who, String id) {
    if (who.isOperator() || !id.startsWith(DM)) {
      return id;
    }
    String self = who.key().substring(Member.PERSON.length());
    String words = id.substring(DM.length());
    return Stream.of(
            words.startsWith(self + "-") ? words.substring(self.length() + 1) : "",
            words.endsWith("-" + self)
                ? words.substring(0, words.length() - self.length() - 1)
                : "")
        .filter(other -> !other.isEmpty() && isSomebody(other))
        .findFirst()
        .map(other -> open(who, self, other))
        .orElse(id);
  }

  private boolean isSomebody(String handle) {
    return handle.equals(Principal.OPERATOR_NAME)
        || database.read(tx ->
            People.find(tx, handle).isPresent()
                || Tree.find(tx, handle)
                    .filter(agent -> agent.isAlive() && agent.handle().equals(handle))
                    .isPresent());
  }

  private String open(Member who, String self, String other) {
    String id = DM + String.join("-", Stream.of(self, other).sorted().toList());
    if (spaces.list(who).stream().anyMatch(space -> space.id().equals(id))) {
      return id;
    }
    var members = List.of(who.key(), known(other));
    var wish = new Spaces.Wish(null, id, Space.Kind.DM, null, null, null, members);
    try {
      return spaces.create(who, wish).id();
    } catch (Fault fault) {
      // The other one was faster.
      if (fault.code() == ErrorCode.CONFLICT) {
        return id;
      }
      throw fault;
    }
  }
}
