package dev.substrat.space;

import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.space.SpaceMessageTable.TextSelection;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the messages of a space for callers with access, and stores their read position.
public final class SpaceHistory {
  /// Longer texts are cut to this in lists.
  public static final int EXCERPT_LENGTH = 4_000;

  /// Maximum size of a page.
  public static final int MAX_COUNT = 200;

  private final Database database;
  private final EventLog events;

  SpaceHistory(Database database, EventLog events) {
    this.database = database;
    this.events = events;
  }

  /// Which part of a history: the newest `limit`, those before a number, or the first ones after a
  /// number.
  public record HistoryRange(int limit, @Nullable Long beforeSeq, @Nullable Long afterSeq) {
    public HistoryRange {
      if (limit < 1 || limit > MAX_COUNT) {
        throw ErrorCode.INVALID_ARGUMENTS.fault(
            "/limit must be 1 to " + MAX_COUNT, "request the rest page by page");
      }
    }
  }

  /// The last message of a person in a space.
  public static Optional<SpaceMessage> newestOfPerson(Tx tx, String space) {
    return SpaceMessageTable.newestOfPerson(tx, space);
  }

  /// Part of a history, oldest first. `hasMore`: there are more messages in the requested
  /// direction.
  public record HistoryPage(Space space, List<SpaceMessage> messages, boolean hasMore) {
    public HistoryPage {
      messages = List.copyOf(messages);
    }
  }

  public HistoryPage read(Principal who, String space, HistoryRange range) {
    return database.read(tx -> page(tx, SpaceAccess.require(tx, space, who), range));
  }

  /// The same with only the beginning of long texts.
  public HistoryPage readAbridged(Principal who, String space, HistoryRange range) {
    return database.read(
        tx -> page(tx, TextSelection.BEGINNINGS, SpaceAccess.require(tx, space, who), range));
  }

  public static HistoryPage page(Tx tx, Space space, HistoryRange range) {
    return page(tx, TextSelection.WHOLE, space, range);
  }

  private static HistoryPage page(Tx tx, TextSelection texts, Space space, HistoryRange range) {
    long before = range.beforeSeq() == null ? Long.MAX_VALUE : range.beforeSeq();
    @Nullable Long after = range.afterSeq();
    List<SpaceMessage> found =
        SpaceMessageTable.between(tx, texts, space.id(), after, before, range.limit() + 1);
    boolean hasMore = found.size() > range.limit();
    int first = hasMore && after == null ? 1 : 0;
    return new HistoryPage(
        space, found.subList(first, Math.min(found.size(), first + range.limit())), hasMore);
  }

  /// Final texts of turns that finished without posting, oldest first, that belong after the
  /// messages of a page.
  public List<UnpostedText> unposted(HistoryPage page, HistoryRange range) {
    List<SpaceMessage> shown = page.messages();
    @Nullable Long after = range.afterSeq();
    long first = shown.isEmpty() ? 0 : shown.getFirst().seq();
    long last = shown.isEmpty() ? 0 : shown.getLast().seq();
    long from = after == null ? first : after;
    boolean isOpen = after == null ? range.beforeSeq() == null : !page.hasMore();
    return database.read(tx ->
        TurnSpaceTable.unposted(
            tx, page.space().id(), from, isOpen ? Long.MAX_VALUE : last + 1, MAX_COUNT));
  }

  /// Replies to a message, the first `limit` after number `after`.
  public HistoryPage replies(Principal who, MessageId parent, long after, int limit) {
    return database.read(tx -> {
      Space space = spaceOf(tx, who, parent);
      List<SpaceMessage> found = SpaceMessageTable.replies(tx, parent, after, limit + 1);
      return new HistoryPage(
          space, found.subList(0, Math.min(found.size(), limit)), found.size() > limit);
    });
  }

  /// Newest replies to a message, or the last `limit` before number `before`, with long texts cut.
  public HistoryPage lastReplies(
      Principal who, MessageId parent, @Nullable Long before, int limit) {
    return database.read(tx -> {
      Space space = spaceOf(tx, who, parent);
      long end = before == null ? Long.MAX_VALUE : before;
      List<SpaceMessage> found = SpaceMessageTable.lastReplies(tx, parent, end, limit + 1);
      boolean hasMore = found.size() > limit;
      return new HistoryPage(space, found.subList(hasMore ? 1 : 0, found.size()), hasMore);
    });
  }

  private static Space spaceOf(Tx tx, Principal who, MessageId message) {
    return SpaceTable.require(
        tx, SpaceMessages.require(tx, SpaceAccess.reader(who), message).space());
  }

  /// A member has read everything up to number `seq`.
  public void markRead(Principal who, String id, long seq) {
    database.transact(tx -> {
      SpaceMember member = SpaceAccess.reader(who);
      Space space = SpaceAccess.require(tx, id, member);
      SpaceAccess.requireMember(tx, space, member);
      markRead(tx, space, member, Math.min(seq, space.lastSeq()));
      return true;
    });
  }

  public void markRead(Tx tx, Space space, SpaceMember who, long seq) {
    if (MemberTable.read(tx, space.id(), who, seq)) {
      events.append(
          tx,
          Spaces.event("space_read", space, who)
              .with("member", MemberDirectory.handle(tx, who))
              .with("upTo", seq));
    }
  }

  /// Number of unread messages of other members, by space; spaces without any are omitted.
  public Map<String, Long> unread(Principal who) {
    return database.read(tx -> MemberTable.unread(tx, SpaceMember.of(who)));
  }

  /// Number of spaces with unread messages.
  public long countUnreadSpaces(Principal who) {
    return database.read(tx -> MemberTable.countUnreadSpaces(tx, SpaceMember.of(who)));
  }
}
