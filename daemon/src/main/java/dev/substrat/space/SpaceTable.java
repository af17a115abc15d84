package dev.substrat.space;

import dev.substrat.space.Spaces.SpaceWithMemberCount;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The table of spaces; see [Spaces].
public final class SpaceTable {
  private static final String COLUMNS =
      """
      select space.id, space.name, space.kind, space.topic, space.wake_policy,
        space.max_chain_depth, space.last_seq, space.breaker_open, space.held_reason,
        space.created_by, space.created_at
      """;

  private static final String SELECT = COLUMNS + " from space ";

  private static final String SELECT_COUNTED =
      COLUMNS
          + ", (select count(*) from member where space_id = space.id) as member_count from space ";

  private static final String INSERT =
      """
      insert into space
        (id, name, kind, topic, wake_policy, max_chain_depth, dm_pair, created_by, created_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict do nothing
      """;

  private static final String OWN =
      "exists (select 1 from member where space_id = space.id and member = ?)";

  /// Condition for the spaces visible to a member whose id is greater than the cursor.
  private static final String SEEN =
      " where (? = 1 or space.kind = 'public' or " + OWN + ") and space.id PLAINLY > ?";

  private static final String BY_ID = " order by space.id PLAINLY ";

  private SpaceTable() {}

  /// False if the id, or the pair of a DM, exists.
  static boolean insert(Tx tx, Space space, @Nullable String pair) {
    return tx.update(
            INSERT,
            space.id(),
            space.name(),
            space.kind(),
            space.topic(),
            space.wakePolicy(),
            space.maxChainDepth(),
            pair,
            space.createdBy().key(),
            space.createdAt())
        == 1;
  }

  static Optional<Space> find(Tx tx, String id) {
    return tx.find(SELECT + " where id = ?", SpaceTable::space, id);
  }

  public static Space require(Tx tx, String id) {
    return find(tx, id).orElseThrow();
  }

  static Optional<Space> findDm(Tx tx, DmId name) {
    return tx.find(SELECT + " where dm_pair = ?", SpaceTable::space, name.pair());
  }

  public static List<Space> of(Tx tx, SpaceMember member) {
    return tx.list(plainly(tx, SELECT + " where " + OWN + BY_ID), SpaceTable::space, member.key());
  }

  static List<Space> seenBy(Tx tx, SpaceMember member) {
    return tx.list(
        plainly(tx, SELECT + SEEN + BY_ID),
        SpaceTable::space,
        member.administers(),
        member.key(),
        "");
  }

  /// Up to `limit` spaces after space `after`.
  public static List<SpaceWithMemberCount> seenBy(
      Tx tx, SpaceMember member, String after, int limit) {
    return tx.list(
        plainly(tx, SELECT_COUNTED + SEEN + BY_ID + " limit ?"),
        row -> new SpaceWithMemberCount(space(row), row.integer("member_count")),
        member.administers(),
        member.key(),
        after,
        limit);
  }

  /// The same collation in every query, or pages would overlap.
  private static String plainly(Tx tx, String sql) {
    return sql.replace("PLAINLY", tx.dialect().plainOrder());
  }

  /// The next number of a space. Other writers wait until this transaction ends, so there are no
  /// gaps.
  public static long nextSeq(Tx tx, String space) {
    return tx.find(
            "update space set last_seq = last_seq + 1 where id = ? returning last_seq",
            row -> row.number("last_seq"),
            space)
        .orElseThrow();
  }

  /// Locks the space for writers until this transaction ends.
  static void lock(Tx tx, String space) {
    tx.update("update space set last_seq = last_seq where id = ?", space);
  }

  /// Locks several spaces. All transactions lock them in the same order, so they cannot deadlock.
  public static void lock(Tx tx, Stream<String> spaces) {
    spaces.distinct().sorted().forEach(space -> lock(tx, space));
  }

  static void change(Tx tx, Space space) {
    tx.update(
        """
        update space set name = ?, topic = ?, wake_policy = ?, max_chain_depth = ? where id = ?
        """,
        space.name(),
        space.topic(),
        space.wakePolicy(),
        space.maxChainDepth(),
        space.id());
  }

  /// Number of held events and rounds of this space.
  static long held(Tx tx, String space) {
    return tx.number(
        """
        select (select count(*) from inbox_event where space_id = ? and held = 1)
          + (select count(*) from space_round where space_id = ? and state = 'held') as n
        """,
        space,
        space);
  }

  /// Spaces with held messages, by id.
  static List<Spaces.BlockedSpace> stopped(Tx tx) {
    return tx.list(
        """
        select space.id, space.name, space.held_reason, held.n
        from (
          select space_id, cast(sum(n) as bigint) as n from (
            select space_id, count(*) as n from inbox_event
            where held = 1 and space_id is not null group by space_id
            union all
            select space_id, count(*) as n from space_round where state = 'held' group by space_id
          ) parts group by space_id
        ) held
        join space on space.id = held.space_id order by space.id
        """,
        row -> {
          String reason = row.textOrNull("held_reason");
          return new Spaces.BlockedSpace(
              row.text("id"), row.text("name"), row.number("n"), reason == null ? "" : reason);
        });
  }

  public static void heldBecause(Tx tx, String space, String reason) {
    tx.update("update space set held_reason = ? where id = ?", reason, space);
  }

  /// A person has posted: earlier messages of agents no longer count. Returns whether the breaker
  /// was open.
  public static boolean resetGuards(Tx tx, Space space) {
    tx.update(
        """
        update space set calm_seq = last_seq, breaker_open = 0, held_reason = null where id = ?
        """,
        space.id());
    return space.isBreakerOpen();
  }

  public static void openBreaker(Tx tx, String space) {
    tx.update("update space set breaker_open = 1 where id = ?", space);
  }

  /// Number of agents' messages after `since`, up to `most`; only those after the last message of a
  /// person count.
  public static long countAgentMessages(Tx tx, String space, Instant since, int most) {
    return tx.number(
        """
        select count(*) as n from (
          select created_at from space_message
          where space_id = ? and kind = 'message'
            and author <> 'operator' and author not like 'person/%'
            and seq > (select calm_seq from space where id = ?)
          order by seq desc
          limit ?
        ) newest
        where created_at > ?
        """,
        space, space, most, since);
  }

  private static Space space(ResultRow row) {
    @Nullable String depth = row.textOrNull("max_chain_depth");
    return new Space(
        row.text("id"),
        row.text("name"),
        Space.SpaceKind.parse(row.text("kind")),
        row.text("topic"),
        Space.WakePolicy.parse(row.text("wake_policy")),
        depth == null ? null : Integer.valueOf(depth),
        row.number("last_seq"),
        row.flag("breaker_open"),
        row.textOrNull("held_reason"),
        new SpaceMember(row.text("created_by")),
        row.instant("created_at"));
  }
}
