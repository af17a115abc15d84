package dev.substrat.server.console.spaces;

import dev.substrat.console.spaces.LatestMessage;
import dev.substrat.console.spaces.SpaceRow;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.server.console.DisplayNames;
import dev.substrat.server.console.approvals.QuestionReader;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.tool.pending.PendingCalls;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the latest messages and open questions of spaces, with one query each.
final class LatestMessages {
  /// Uses the index on message numbers: the cost does not depend on the number of messages.
  private static final String LATEST =
      """
      select said.space_id, said.author, substr(said.text, 1, 2000) as text, said.created_at,
        case when said.kind = 'tool' then said.metadata end as asked
      from space join space_message said on said.space_id = space.id and said.seq = (
        select one.seq from space_message one
        where one.space_id = space.id
          and (one.kind = 'message' or (one.kind = 'tool' and one.status = 'requires_action'
            and not exists (
              select 1 from pending_call
              where pending_call.message_id = one.id and pending_call.executor is not null)))
        order by one.seq desc limit 1)
      where space.id in (select value from MEMBERS)
      """;

  private LatestMessages() {}

  /// Latest messages by space id; without empty spaces.
  static Map<String, LatestMessage> in(Tx tx, List<SpaceRow> spaces, Principal viewer) {
    var faces = new DisplayNames(tx, viewer);
    var latest = new HashMap<String, LatestMessage>();
    tx.list(
            LATEST.replace("MEMBERS", tx.dialect().members()),
            row -> Map.entry(row.text("space_id"), latest(tx, row, faces)),
            Json.text(spaces.stream().map(SpaceRow::id).toList()))
        .forEach(pair -> latest.put(pair.getKey(), pair.getValue()));
    return latest;
  }

  /// Numbers of open questions by space id.
  static Map<String, Long> waiting(Tx tx) {
    var waiting = new HashMap<String, Long>();
    tx.list(
            """
            select space_id, count(*) as n from pending_call
            where space_id is not null and status in ('pending', 'asking') and executor is null
            group by space_id
            """,
            row -> Map.entry(row.text("space_id"), row.number("n")))
        .forEach(pair -> waiting.put(pair.getKey(), pair.getValue()));
    return waiting;
  }

  private static LatestMessage latest(Tx tx, ResultRow row, DisplayNames faces) {
    @Nullable String asked = row.textOrNull("asked");
    return new LatestMessage(
        faces.of(row.text("author")).handle(),
        Optional.ofNullable(asked)
            .flatMap(call -> PendingCalls.find(tx, Json.own(call).path("callId").asText()))
            .map(QuestionReader::heading)
            .orElseGet(() -> QuestionReader.line(row.text("text"))),
        asked != null,
        row.instant("created_at"));
  }
}
