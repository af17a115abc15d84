package dev.substrat.testkit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Fills an empty embedded database of the current schema with agents and their history: messages,
/// runs and their records, space messages, approvals, tokens and events.
///
/// All of it happened in the 50 minutes before `now`, so pages about the last hour have to cope
/// with all of it. Agent 0 and the operator have more of it than others. No agent has work to do:
/// waiting messages are those of external agents.
public final class LargeHistory {
  /// The handle of the agent with the most messages and runs.
  public static final String BUSIEST = "agent-0";

  /// The space with all space messages.
  public static final String SPACE = "plaza";

  private static final Duration SPAN = Duration.ofMinutes(50);
  private static final int TEAM = 100;
  private static final int LEADS = 10;
  private static final int SPACES = 20;
  private static final int MEMBERS = 50;
  private static final int OPEN_APPROVALS = 30;

  /// Waiting messages of each external agent, which are every tenth.
  private static final int WAITING = 4;

  private static final String OPERATOR = "operator";

  private final Connection connection;
  private final Size size;
  private final long start;

  private LargeHistory(Connection connection, Size size, Instant now) {
    this.connection = connection;
    this.size = size;
    this.start = now.minus(SPAN).toEpochMilli();
  }

  /// Numbers of rows. `unread` are messages to the operator; runs have two steps and four entries
  /// each; events are at least one per message and two per run.
  public record Size(
      int agents, int messages, int unread, int runs, int events, int spaceMessages) {}

  /// Writes everything in one transaction.
  public static void fill(Connection connection, Size size, Instant now) throws SQLException {
    connection.setAutoCommit(false);
    var history = new LargeHistory(connection, size, now);
    history.agents();
    history.messages();
    history.runs();
    history.transcripts();
    history.spaces();
    history.approvals();
    history.events();
    connection.commit();
    connection.setAutoCommit(true);
  }

  private String message(int number) {
    return id(number, size.messages, 'a');
  }

  private String run(int number) {
    return id(number, size.runs, 'b');
  }

  private static String agent(int number) {
    return "00000000-0000-7000-8000-%012x".formatted(number);
  }

  /// Agent 0 has every tenth.
  private String doer(int number) {
    return agent(number % 10 == 0 ? 0 : number % size.agents);
  }

  /// Row `number` of `count` equally spaced ones.
  private long at(int number, int count) {
    return start + number * SPAN.toMillis() / count;
  }

  /// An id that begins with the time, like those that the daemon makes; `kind` keeps ids of
  /// different tables apart.
  private String id(int number, int count, char kind) {
    String time = "%012x".formatted(at(number, count));
    return "%s-%s-7000-800%c-%012x"
        .formatted(time.substring(0, 8), time.substring(8), kind, number);
  }

  private void agents() throws SQLException {
    insert(
        "agent (id, handle, name, description, parent_id, role, config, created_at, provider,"
            + " team_id)",
        size.agents,
        i -> {
          String provider = i % 10 == 1 ? "external" : "scripted";
          String config =
              """
              {"name":"Agent %d","description":"Berth %d","provider":{"name":"%s"},\
              "systemPrompt":"You take care of berth %d and its crane."}\
              """
                  .formatted(i, i, provider, i);
          return row(
              agent(i),
              "agent-" + i,
              "Agent " + i,
              "Berth " + i,
              parent(i),
              "agent",
              config,
              start,
              provider,
              agent(i - i % TEAM));
        });
    insert("handle (handle, skeleton)", size.agents, i -> row("agent-" + i, "agent-" + i));
    insert(
        "credential (id, hash, principal, label, created_at, revoked_at)",
        size.agents,
        i ->
            row(
                id(i, size.agents, 'c'),
                "hash-" + i,
                agent(i),
                "",
                start,
                i % 2 == 0 ? start : null));
  }

  /// Teams of a root, nine leads, and the other agents below the leads.
  private static @Nullable String parent(int number) {
    int place = number % TEAM;
    int root = number - place;
    return place == 0 ? null : agent(place < LEADS ? root : root + 1 + place % (LEADS - 1));
  }

  /// Of ten messages, one is to the operator, one is from the operator and one to agent 0. One of
  /// 20 is dead, one is held.
  private void messages() throws SQLException {
    int firstUnread = size.messages - 10 * size.unread;
    insert(
        "message (id, sender, recipient, text, sync, depth, kind, status, stored_at, read_at,"
            + " dead_at, dead_reason, held_reason)",
        size.messages,
        i -> {
          boolean isDead = i % 20 == 5;
          boolean isHeld = i % 20 == 6;
          boolean isRead = !isDead && !isHeld && (i % 10 != 0 || i < firstUnread);
          long at = at(i, size.messages);
          return row(
              message(i),
              sender(i),
              recipient(i),
              "The tide at berth %d is late, please move the crane and report back.".formatted(i),
              0,
              0,
              "message",
              isDead ? "dead" : isRead ? "read" : "stored",
              at,
              isRead ? at : null,
              isDead ? at : null,
              isDead ? "it failed 5 times" : null,
              isHeld ? "the chain of messages is too deep" : null);
        });
    insert(
        "inbox_event (id, agent_id, kind, message_id, payload, not_before)",
        WAITING * size.agents / 10,
        i ->
            row(
                message(i),
                agent(1 + 10 * (i / WAITING)),
                "message",
                message(i),
                "{\"from\":\"operator\",\"text\":\"The tide is late.\"}",
                0));
  }

  private String sender(int message) {
    return message % 10 == 1 ? OPERATOR : agent(message / 10 % size.agents);
  }

  private String recipient(int message) {
    return switch (message % 10) {
      case 0 -> OPERATOR;
      case 2 -> agent(0);
      default -> agent((message + 7) % size.agents);
    };
  }

  private void runs() throws SQLException {
    insert(
        "run (id, agent_id, turn_no, status, stop_reason, response, started_at, ended_at)",
        size.runs,
        i -> {
          boolean isFailed = i % 50 == 0;
          long at = at(i, size.runs);
          return row(
              run(i),
              doer(i),
              i + 1,
              isFailed ? "failed" : "done",
              isFailed ? "the provider failed" : null,
              "Berth %d is free.".formatted(i),
              at,
              at + 100 + i % 900);
        });
    insert(
        "run_event (run_id, position, kind, payload, event_id)",
        size.runs,
        i -> row(run(i), 0, "message", "{\"from\":\"operator\",\"text\":\"Late?\"}", message(i)));
  }

  private void transcripts() throws SQLException {
    insert(
        "run_step (run_id, step, model, started_at, ended_at, input_tokens, output_tokens,"
            + " cost_micros)",
        2 * size.runs,
        i -> {
          long at = at(i / 2, size.runs);
          return row(run(i / 2), 1 + i % 2, "tide-1", at, at + 50, 900, 100, 250);
        });
    insert(
        "run_message (id, run_id, type, tool_name, tool_call_id, tool_input, content, at, step)",
        4 * size.runs,
        i -> {
          String type =
              switch (i % 4) {
                case 0 -> "tool_call_message";
                case 1 -> "tool_return_message";
                default -> "assistant_message";
              };
          boolean isCall = i % 4 < 2;
          return row(
              id(i, 4 * size.runs, 'd'),
              run(i / 4),
              type,
              isCall ? "read_tide" : null,
              isCall ? "call-" + i / 4 : null,
              i % 4 == 0 ? "{\"berth\":%d}".formatted(i) : null,
              i % 4 == 1 ? "{\"height\":3}" : "Rising.",
              at(i, 4 * size.runs),
              1 + i % 4 / 2);
        });
  }

  private void spaces() throws SQLException {
    insert(
        "space (id, name, kind, topic, wake_policy, last_seq, created_by, created_at)",
        SPACES,
        i ->
            row(
                space(i),
                space(i),
                "public",
                "Tides",
                "none",
                i == 0 ? size.spaceMessages : 0,
                OPERATOR,
                start));
    insert(
        "member (space_id, member, position, joined_at)",
        SPACES,
        i -> row(space(i), OPERATOR, 0, start));
    insert(
        "member (space_id, member, position, joined_at)",
        Math.min(MEMBERS, size.agents),
        i -> row(SPACE, agent(i), i + 1, start));
    insert(
        "space_message (id, space_id, seq, author, text, kind, status, depth, created_at)",
        size.spaceMessages,
        i ->
            row(
                id(i, size.spaceMessages, 'e'),
                SPACE,
                i + 1,
                agent(i % MEMBERS),
                "The crane of berth %d rests.".formatted(i),
                "message",
                "complete",
                0,
                at(i, size.spaceMessages)));
  }

  private static String space(int number) {
    return number == 0 ? SPACE : "space-" + number;
  }

  /// Open ones and decided ones.
  private void approvals() throws SQLException {
    int count = size.runs / 5 + OPEN_APPROVALS;
    insert(
        "pending_call (id, owner, run_id, tool, arguments, status, result, created_at, updated_at,"
            + " display, answered_by, shown_at)",
        count,
        i -> {
          boolean isOpen = i >= count - OPEN_APPROVALS;
          long at = at(i, count);
          return row(
              id(i, count, 'f'),
              doer(i),
              run(i),
              "move_crane",
              "{\"berth\":%d}".formatted(i),
              isOpen ? "pending" : "completed",
              isOpen ? null : "{\"approved\":true}",
              at,
              at,
              "{\"title\":\"Move the crane\"}",
              isOpen ? null : OPERATOR,
              at);
        });
  }

  /// One for each message, two for each run, and the rest for tool calls, all equally spread.
  private void events() throws SQLException {
    int turns = 2 * size.runs;
    execute("create temp table line (seq, at, kind, agent_id, peer_id, run_id, payload)");
    insert(
        "line (seq, at, kind, agent_id, peer_id, run_id, payload)",
        size.events,
        i -> {
          // A permutation, so that each part of the history has the same mix of kinds.
          int part = (int) (i * 7_919L % size.events);
          int message = share(i, size.messages);
          int run = share(i, size.runs);
          long at = at(i, size.events);
          if (part < size.messages) {
            String payload =
                """
                {"message_id":"%s","messageKind":"message","from":"agent-1","to":"agent-2",\
                "text":"The tide is late, please move the crane and report back.","sync":false}\
                """
                    .formatted(message(message));
            return row(
                i + 1, at, "message_sent", recipient(message), sender(message), null, payload);
          }
          String payload = "{\"agent\":\"agent-1\",\"turn\":%d".formatted(run + 1);
          if (part < size.messages + size.runs) {
            return row(i + 1, at, "turn_started", doer(run), null, run(run), payload + "}");
          }
          return part < size.messages + turns
              ? row(
                  i + 1,
                  at,
                  "turn_ended",
                  doer(run),
                  null,
                  run(run),
                  payload + ",\"status\":\"done\",\"response\":\"The berth is free.\"}")
              : row(
                  i + 1,
                  at,
                  "tool_called",
                  doer(run),
                  null,
                  run(run),
                  payload + ",\"tool\":\"read_tide\",\"arguments\":{\"berth\":3},\"ok\":true}");
        });
    numberEntities();
  }

  /// Moves the events from the table `line`: there they name ids, in `event` numbers.
  private void numberEntities() throws SQLException {
    execute(
        """
        insert or ignore into event_entity (id)
        select agent_id from line where agent_id is not null
        union select peer_id from line where peer_id is not null
        union select run_id from line where run_id is not null
        """);
    execute(
        """
        insert into event (seq, at, kind, agent_no, peer_no, run_no, payload)
        select seq, at, kind, agent.no, peer.no, run.no, payload
        from line
        left join event_entity agent on agent.id = agent_id
        left join event_entity peer on peer.id = peer_id
        left join event_entity run on run.id = run_id
        """);
    execute("drop table line");
  }

  /// The row of `count` that belongs to event `number`.
  private int share(int number, int count) {
    return (int) ((long) number * count / size.events);
  }

  private static @Nullable Object[] row(@Nullable Object... values) {
    return values;
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  private void insert(String table, int count, IntFunction<@Nullable Object[]> row)
      throws SQLException {
    String marks = "?, ".repeat(row.apply(0).length - 1) + "?";
    try (PreparedStatement statement =
        connection.prepareStatement("insert into %s values (%s)".formatted(table, marks))) {
      for (int i = 0; i < count; i++) {
        @Nullable Object[] values = row.apply(i);
        for (int column = 0; column < values.length; column++) {
          statement.setObject(column + 1, values[column]);
        }
        statement.executeUpdate();
      }
    }
  }
}
