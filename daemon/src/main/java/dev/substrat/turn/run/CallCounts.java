package dev.substrat.turn.run;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Number of calls of a turn. `refused` calls were invalid or not allowed, `failed` calls failed
/// for another reason.
public record CallCounts(String run, long calls, long refused, long failed) {
  /// SQL condition for failed results in `run_message`; a result can be in the row of its call.
  public static final String WRONG =
      "type in ('tool_return_message', 'tool_call_message') and content like '{\"error\":true%'";

  /// SQL condition for calls that failed because of a service or a bug, not because of the call.
  public static final String BROKEN =
      "type in ('tool_return_message', 'tool_call_message') and ("
          + Stream.of(ErrorCode.values())
              .filter(code ->
                  code.kind() == ErrorCode.ErrorKind.OUTSIDE
                      || code.kind() == ErrorCode.ErrorKind.BUG)
              .map(
                  code -> "content like '{\"error\":true,\"code\":\"%s\"%%'".formatted(code.name()))
              .collect(Collectors.joining(" or "))
          + ")";

  /// Tallies of these runs; runs without calls are missing.
  static Map<String, CallCounts> of(Tx tx, List<String> runs) {
    if (runs.isEmpty()) {
      return Map.of();
    }
    String sql =
        """
        select run_id,
          sum(case when type = 'tool_call_message' then 1 else 0 end) as calls,
          sum(case when WRONG then 1 else 0 end) as wrong,
          sum(case when BROKEN then 1 else 0 end) as failed
        from run_message where run_id in (RUNS)
        group by run_id
        """
            .replace("WRONG", WRONG)
            .replace("BROKEN", BROKEN)
            .replace("RUNS", String.join(", ", Collections.nCopies(runs.size(), "?")));
    return tx.list(sql, CallCounts::of, runs.toArray()).stream()
        .collect(Collectors.toMap(CallCounts::run, Function.identity()));
  }

  private static CallCounts of(ResultRow row) {
    long failed = row.number("failed");
    return new CallCounts(
        row.text("run_id"), row.number("calls"), row.number("wrong") - failed, failed);
  }
}
