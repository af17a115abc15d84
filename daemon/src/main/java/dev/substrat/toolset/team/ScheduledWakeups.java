package dev.substrat.toolset.team;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.ResultRow;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Upcoming plans and reminders of all agents, the next first.
public final class ScheduledWakeups {
  private static final String UPCOMING =
      """
      select * from (
        select 'plan' as kind, plan.id as id, plan.agent_id as agent_id, agent.handle as handle,
          plan.name as name, plan.instruction as text, plan.next_at as due_at,
          plan.cron as cron, plan.timezone as timezone
        from plan join agent on agent.id = plan.agent_id
        where plan.next_at is not null and agent.terminated_at is null
        union all
        select 'reminder', reminder.id, reminder.agent_id, agent.handle,
          null, reminder.text, reminder.due_at, null, null
        from reminder join agent on agent.id = reminder.agent_id
        where agent.terminated_at is null
      ) upcoming
      where due_at > ? or (due_at = ? and id > ?)
      order by due_at, id
      limit ?
      """;

  /// Position in the list: the time in milliseconds and the id.
  private static final Pattern CURSOR = Pattern.compile("(\\d{1,15})\\.([0-9a-f-]{36})");

  private final Database database;

  public ScheduledWakeups(Database database) {
    this.database = database;
  }

  /// A scheduled wake-up. A plan has a name, and a cron if it repeats.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ScheduledWakeup(
      String kind,
      String id,
      String agentId,
      String agent,
      @Nullable String name,
      String text,
      Instant dueAt,
      @Nullable String cron,
      @Nullable String timezone) {}

  /// `next` is where the following page begins, if there may be one.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ScheduledWakeupPage(List<ScheduledWakeup> schedules, @Nullable String next) {}

  /// The first `limit` after where another page ended; from the beginning if `after` is empty.
  public ScheduledWakeupPage page(String after, int limit) {
    var cursor = CURSOR.matcher(after);
    if (!after.isEmpty() && !cursor.matches()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "after is not a valid page cursor", "use `next` of the previous page");
    }
    long time = after.isEmpty() ? Long.MIN_VALUE : Long.parseLong(cursor.group(1));
    String id = after.isEmpty() ? "" : cursor.group(2);
    List<ScheduledWakeup> found =
        database.read(tx -> tx.list(UPCOMING, ScheduledWakeups::entry, time, time, id, limit));
    return new ScheduledWakeupPage(found, found.size() < limit ? null : end(found.getLast()));
  }

  private static String end(ScheduledWakeup last) {
    return last.dueAt().toEpochMilli() + "." + last.id();
  }

  private static ScheduledWakeup entry(ResultRow row) {
    return new ScheduledWakeup(
        row.text("kind"),
        row.text("id"),
        row.text("agent_id"),
        row.text("handle"),
        row.textOrNull("name"),
        row.text("text"),
        row.instant("due_at"),
        row.textOrNull("cron"),
        row.textOrNull("timezone"));
  }
}
