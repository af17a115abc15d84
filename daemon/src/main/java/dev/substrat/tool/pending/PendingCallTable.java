package dev.substrat.tool.pending;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.tool.pending.PendingCall.CallVisibility;
import dev.substrat.tool.pending.PendingCall.PendingCallStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// SQL of [PendingCalls].
final class PendingCallTable {
  static final String COLUMNS =
      """
      select id, owner, run_id, tool, arguments, status, questions, answers, result,
        created_at, updated_at, expires_at, space_id, message_id, display, shown_at, answered_by,
        attempt, repeatable, call_id, idempotency_key
      from pending_call
      """;

  private static final String OPEN = "status in ('pending', 'asking')";

  /// Calls that are not displayed are executed by the daemon itself: see [PendingCall#isAsked].
  private static final String ASKED = "display <> '{}'";

  private static final String IN_SPACES_OF =
      " and space_id in (select space_id from member where member = ?)";

  private PendingCallTable() {}

  static Optional<PendingCall> find(Tx tx, String id) {
    return tx.find(COLUMNS + " where id = ?", PendingCallTable::call, id);
  }

  static List<String> due(Tx tx, Instant now, int limit) {
    return tx.list(
        "select id from pending_call where "
            + OPEN
            + " and expires_at <= ? order by expires_at limit ?",
        row -> row.text("id"),
        now,
        limit);
  }

  static List<PendingCall> openOf(Tx tx, String owner) {
    return tx.list(
        COLUMNS + " where owner = ? and " + OPEN + " order by id", PendingCallTable::call, owner);
  }

  /// If a member is given, only calls asked in the member's spaces; the same below.
  static long countOpen(Tx tx, @Nullable String member) {
    String count = "select count(*) as n from pending_call where " + OPEN + " and " + ASKED;
    return member == null ? tx.number(count) : tx.number(count + IN_SPACES_OF, member);
  }

  /// Filtered calls after `after`, oldest first.
  static List<PendingCall> list(
      Tx tx,
      @Nullable String member,
      PendingCalls.PendingCallFilter filter,
      String after,
      int limit) {
    var where = new StringBuilder(" where id > ?");
    var values = new ArrayList<@Nullable Object>(List.of(after));
    if (!filter.includesExecuted()) {
      where.append(" and ").append(ASKED);
    }
    if (filter.owner() != null) {
      where.append(" and owner = ?");
      values.add(filter.owner());
    }
    if (member != null) {
      where.append(IN_SPACES_OF);
      values.add(member);
    }
    if (filter.isOpen() != null) {
      where.append(filter.isOpen() ? " and " : " and not ").append(OPEN);
    }
    values.add(limit);
    return tx.list(
        COLUMNS + where + " order by id limit ?", PendingCallTable::call, values.toArray());
  }

  /// The newest resolved calls. They are selected by creation time, which has an index, and sorted
  /// by the time of their end.
  static List<PendingCall> overLast(Tx tx, @Nullable String member, int limit) {
    String own = member == null ? "" : IN_SPACES_OF;
    var values = new ArrayList<@Nullable Object>();
    if (member != null) {
      values.add(member);
    }
    values.add(limit);
    return tx
        .list(
            COLUMNS + " where not " + OPEN + " and " + ASKED + own + " order by id desc limit ?",
            PendingCallTable::call,
            values.toArray())
        .stream()
        .sorted(Comparator.comparing(PendingCall::updatedAt).reversed())
        .toList();
  }

  /// Marks calls as shown, if they were not before.
  static void shown(Tx tx, List<String> ids, Instant now) {
    var places = String.join(", ", ids.stream().map(_ -> "?").toList());
    var values = new ArrayList<@Nullable Object>(Arrays.asList((Object) now));
    values.addAll(ids);
    tx.update(
        "update pending_call set shown_at = ? where shown_at is null and id in (" + places + ")",
        values.toArray());
  }

  static PendingCall call(ResultRow row) {
    return new PendingCall(
        row.text("id"),
        row.text("owner"),
        row.textOrNull("run_id"),
        row.text("tool"),
        object(row.text("arguments")),
        PendingCallStatus.of(row.text("status")),
        object(row.textOrNull("questions")),
        object(row.textOrNull("answers")),
        row.textOrNull("result") == null ? null : object(row.textOrNull("result")),
        row.instant("created_at"),
        row.instant("updated_at"),
        row.instantOrNull("expires_at"),
        new CallVisibility(
            row.textOrNull("space_id"),
            row.textOrNull("message_id"),
            object(row.textOrNull("display")),
            row.instantOrNull("shown_at"),
            row.textOrNull("answered_by")));
  }

  private static ObjectNode object(@Nullable String text) {
    return text == null ? Json.object() : (ObjectNode) Json.own(text);
  }
}
