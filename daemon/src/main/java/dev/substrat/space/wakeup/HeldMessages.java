package dev.substrat.space.wakeup;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Messages in spaces that wake no agent because a guard holds them. The messages themselves are
/// posted and can be read; a person releases all of a space together.
public final class HeldMessages {
  /// An event names its message in its payload, written without spaces.
  private static final String IS_ABOUT =
      " event.payload like '%\"message_id\":\"' || said.id || '\"%' ";

  public static final String SELECT =
      """
      select said.id, said.space_id, said.seq, said.author, agent.handle, said.text,
        said.held_reason, said.created_at
      from space_message said
        join space on space.id = said.space_id and said.seq > space.calm_seq
        left join agent on agent.id = said.author
      where said.held_reason is not null and (
        exists (
          select 1 from inbox_event event
          where event.space_id = said.space_id and event.held = 1 and IS_ABOUT
        ) or exists (
          select 1 from space_round where message_id = said.id and state = 'held'
        )
      )
      """
          .replace("IS_ABOUT", IS_ABOUT);

  /// Agents that have its event, or whose turn in its round has not come.
  private static final String AGENTS =
      """
      select agent.handle from space_message said, agent
      where said.id = ? and (
        exists (
          select 1 from inbox_event event
          where event.agent_id = agent.id and event.held = 1 and event.space_id = said.space_id
            and IS_ABOUT
        ) or exists (
          select 1 from space_round
          where message_id = said.id and state = 'held' and ' ' || queue || ' ' like '% ' || agent.id || ' %'
        )
      )
      order by agent.handle
      """
          .replace("IS_ABOUT", IS_ABOUT);

  private HeldMessages() {}

  /// A held message and the handles of the agents that it does not wake.
  public record HeldMessage(
      MessageId id,
      String space,
      long seq,
      String author,
      String text,
      String reason,
      Instant at,
      List<String> agents) {}

  /// Those of all spaces after message `after` ("" for all), oldest first.
  public static List<HeldMessage> list(Tx tx, String after, int limit) {
    return tx.list(
        SELECT + " and said.id > ? order by said.id limit ?", row -> held(tx, row), after, limit);
  }

  /// A message in a space, if it is held.
  public static Optional<HeldMessage> find(Tx tx, MessageId id) {
    return tx.find(SELECT + " and said.id = ?", row -> held(tx, row), id.value());
  }

  private static HeldMessage held(Tx tx, ResultRow row) {
    String id = row.text("id");
    @Nullable String handle = row.textOrNull("handle");
    return new HeldMessage(
        new MessageId(id),
        row.text("space_id"),
        row.number("seq"),
        handle == null ? row.text("author") : handle,
        row.text("text"),
        row.text("held_reason"),
        row.instant("created_at"),
        tx.list(AGENTS, agent -> agent.text("handle"), id));
  }

  /// Number of held messages for an agent, in spaces and direct ones.
  public static long countFor(Tx tx, AgentId agent) {
    return tx.number(
        """
        select (select count(*) from inbox_event where agent_id = ? and held = 1)
          + (select count(*) from space_round
             where state = 'held' and ' ' || queue || ' ' like ?) as n
        """,
        agent.value(),
        "% " + agent.value() + " %");
  }
}
