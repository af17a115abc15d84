package dev.substrat.space;

import dev.substrat.protocol.Handle;
import dev.substrat.store.Tx;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Id of a DM, `dm-<a>-<b>`: the handles of its two members in alphabetical order. Callers may give
/// the handles in any order.
record DmId(SpaceMember one, SpaceMember other) {
  static final String PREFIX = "dm-";

  /// All pairs that an id can mean. Handles have dashes of their own, so there may be several.
  static List<DmId> read(Tx tx, String id) {
    var pairs = new ArrayList<DmId>();
    // A longer id cannot be valid, and parsing it would take long.
    boolean isShort = id.length() <= PREFIX.length() + 2 * Handle.MAX_LENGTH + 1;
    String words = isShort && id.startsWith(PREFIX) ? id.substring(PREFIX.length()) : "";
    for (int dash = words.indexOf('-'); dash > 0; dash = words.indexOf('-', dash + 1)) {
      var one = MemberDirectory.find(tx, words.substring(0, dash));
      var other = MemberDirectory.find(tx, words.substring(dash + 1));
      if (one.isPresent() && other.isPresent() && !one.equals(other)) {
        pairs.add(new DmId(one.get(), other.get()));
      }
    }
    return pairs;
  }

  boolean isOf(SpaceMember member) {
    return one.equals(member) || other.equals(member);
  }

  /// The same for both orders.
  String pair() {
    return String.join("|", Stream.of(one.key(), other.key()).sorted().toList());
  }

  String id(Tx tx) {
    return PREFIX
        + String.join(
            "-",
            Stream.of(MemberDirectory.dmHandle(tx, one), MemberDirectory.dmHandle(tx, other))
                .sorted()
                .toList());
  }
}
