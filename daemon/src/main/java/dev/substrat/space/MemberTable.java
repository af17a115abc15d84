package dev.substrat.space;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.space.wakeup.WakeupCandidate;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.team.ProviderConfig;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The table of space members, in the order in which they joined.
public final class MemberTable {
  private static final String ADD =
      """
      insert into member (space_id, member, position, joined_at, last_read_seq)
      select ?, ?, coalesce(max(position), 0) + 1, ?, (select last_seq from space where id = ?)
      from member where space_id = ?
      on conflict do nothing
      """;

  /// Counting stops here.
  private static final int MANY = 1_000;

  private static final String UNREAD =
      """
      select member.space_id, (
        select count(*) from (
          select 1 as one from space_message
          where space_message.space_id = member.space_id and seq > member.last_read_seq
            and author <> member.member and kind = 'message'
          limit %d
        ) unread
      ) as n
      from member
      where member.member = ?
      """
          .formatted(MANY);

  private static final String NEWS =
      """
      select count(*) as n from member
      where member.member = ? and exists (
        select 1 from space_message
        where space_message.space_id = member.space_id and seq > member.last_read_seq
          and author <> member.member and kind = 'message'
      )
      """;

  private MemberTable() {}

  /// False if they are there already. What was said before they came is not news to them.
  static boolean add(Tx tx, String space, SpaceMember member, Instant now) {
    return tx.update(ADD, space, member.key(), now, space, space) == 1;
  }

  static boolean remove(Tx tx, String space, SpaceMember member) {
    return tx.update("delete from member where space_id = ? and member = ?", space, member.key())
        == 1;
  }

  public static boolean isMember(Tx tx, String space, SpaceMember member) {
    return tx.number(
            "select count(*) as n from member where space_id = ? and member = ?",
            space,
            member.key())
        > 0;
  }

  public static List<Membership> of(Tx tx, String space) {
    return tx.list(
        """
        select member, handle, joined_at, last_read_seq
        from member left join agent on agent.id = member
        where space_id = ? order by position
        """,
        MemberTable::membership,
        space);
  }

  private static Membership membership(ResultRow row) {
    var member = new SpaceMember(row.text("member"));
    return new Membership(
        member,
        MemberDirectory.handle(member, row.textOrNull("handle")),
        row.instant("joined_at"),
        row.number("last_read_seq"));
  }

  /// The living agents in a space but `author`, in order.
  public static List<WakeupCandidate> listeners(Tx tx, String space, SpaceMember author) {
    return tx.list(
        """
        select agent.id, handle, agent.name, provider
        from member join agent on agent.id = member
        where space_id = ? and member <> ? and terminated_at is null
        order by position
        """,
        row ->
            new WakeupCandidate(
                new AgentId(row.text("id")),
                row.text("handle"),
                row.text("name"),
                row.text("provider").equals(ProviderConfig.EXTERNAL)),
        space,
        author.key());
  }

  /// False if they had read so far already.
  static boolean read(Tx tx, String space, SpaceMember member, long seq) {
    return tx.update(
            """
            update member set last_read_seq = ?
            where space_id = ? and member = ? and last_read_seq < ?
            """,
            seq,
            space,
            member.key(),
            seq)
        == 1;
  }

  /// Whether no unread message of another member lies between the read position and `seq`.
  static boolean isNext(Tx tx, String space, SpaceMember member, long seq) {
    return tx.find(
            """
            select 1 from member join space_message
              on space_message.space_id = member.space_id
            where member.space_id = ? and member = ?
              and seq > last_read_seq and seq < ? and author <> member and kind = 'message'
            limit 1
            """,
            _ -> true,
            space,
            member.key(),
            seq)
        .isEmpty();
  }

  /// How many messages of others they have not read, by space, up to a thousand; spaces without any
  /// are left out.
  public static Map<String, Long> unread(Tx tx, SpaceMember member) {
    var unread = new TreeMap<String, Long>();
    tx.list(UNREAD, row -> Map.entry(row.text("space_id"), row.number("n")), member.key()).stream()
        .filter(entry -> entry.getValue() > 0)
        .forEach(entry -> unread.put(entry.getKey(), entry.getValue()));
    return unread;
  }

  /// The number of spaces with unread messages of other members.
  static long countUnreadSpaces(Tx tx, SpaceMember member) {
    return tx.number(NEWS, member.key());
  }

  /// Handles of those whose turn is about the space, is in it, or was given something of it.
  static List<String> busyHandles(Tx tx, String space) {
    return tx.list(
        """
        select handle from member
        join agent on agent.id = member
        left join run on run.agent_id = agent.id and run.turn_no = agent.turn_no
        where member.space_id = ? and lease_until > NOW and (
          run.space_id = ? or coalesce(run.active_space, agent.active_space) = ? or exists (
            select 1 from inbox_event
            where inbox_event.agent_id = agent.id and inbox_event.turn_no = agent.turn_no
              and inbox_event.space_id = ?
          )
        )
        order by handle
        """
            .replace("NOW", tx.dialect().now()),
        row -> row.text("handle"),
        space,
        space,
        space,
        space);
  }

  /// When an agent was, or will be, woken because of a space; long ago if it never was.
  public static Instant wokenAt(Tx tx, String space, AgentId agent) {
    return tx
        .list(
            """
            select coalesce(woken_at, 0) as woken_at from member
            where space_id = ? and member = ?
            """,
            row -> row.instant("woken_at"),
            space,
            agent.value())
        .stream()
        .findFirst()
        .orElse(Instant.EPOCH);
  }

  public static void wokenAt(Tx tx, String space, AgentId agent, Instant due) {
    tx.update(
        "update member set woken_at = ? where space_id = ? and member = ?",
        due,
        space,
        agent.value());
  }
}
