package dev.substrat.messaging.message;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Paged list of all messages, for people. Long texts are truncated; the full text is in the
/// message.
public final class MessageHistory {
  /// Longer texts are truncated in lists.
  public static final int BEGINNING = 4_000;

  /// Upper bound of counting.
  public static final int MANY = 1_000;

  /// Greater than every id, in whatever order a database compares texts.
  static final String AFTER_ALL = "z";

  /// Ids start with the time; a shorter prefix would match all messages of an hour.
  private static final int MIN_PREFIX_LENGTH = 8;

  /// Number of ids listed for an ambiguous prefix.
  private static final int CANDIDATES = 5;

  private static final Pattern PREFIX = Pattern.compile("[0-9a-f-]{" + MIN_PREFIX_LENGTH + ",}");

  /// As in the index.
  private static final String LOST = "(dead_at is not null or expired_at is not null)";

  private static final String HELD = "held_reason is not null";

  private final Database database;

  MessageHistory(Database database) {
    this.database = database;
  }

  /// Selection of messages.
  public enum MessageFolder {
    /// Messages to the operator.
    INBOX("recipient = '" + Principal.OPERATOR_NAME + "'"),
    ALL("1 = 1"),
    /// Dead and expired messages.
    LOST(MessageHistory.LOST),
    /// Held messages.
    HELD(MessageHistory.HELD);

    private final String condition;

    MessageFolder(String condition) {
      this.condition = condition;
    }
  }

  /// From and to an agent, the newest `limit`, oldest first.
  public List<Message> of(AgentId agent, int limit) {
    return database.read(
        tx -> MessageTable.inBrief(tx, agent.value(), AFTER_ALL, limit).reversed());
  }

  /// Up to `limit` that came before message `before` ("" for the newest), newest first.
  public List<Message> page(MessageFolder folder, String before, int limit) {
    return database.read(tx ->
        MessageTable.newest(tx, folder.condition, before.isEmpty() ? AFTER_ALL : before, limit));
  }

  /// Filter: held messages, undeliverable ones, both, or all if neither is set; optionally only
  /// those from and to one agent.
  public record MessageFilter(boolean held, boolean dead, @Nullable AgentId agent) {
    /// Each has an index; together they would have none.
    private List<String> conditions() {
      var conditions = new ArrayList<String>();
      if (held) {
        conditions.add(HELD);
      }
      if (dead) {
        conditions.add(LOST);
      }
      return conditions;
    }
  }

  /// Up to `limit` that came before message `before` ("" for the newest), newest first.
  public List<Message> page(MessageFilter filter, String before, int limit) {
    String until = before.isEmpty() ? AFTER_ALL : before;
    return database.read(tx -> {
      if (filter.conditions().isEmpty()) {
        return filter.agent() == null
            ? MessageTable.newest(tx, MessageFolder.ALL.condition, until, limit)
            : MessageTable.inBrief(tx, filter.agent().value(), until, limit);
      }
      return filter.conditions().stream()
          .flatMap(condition -> found(tx, filter.agent(), condition, until, limit).stream())
          .sorted(Comparator.comparing((Message message) -> message.id().value()).reversed())
          .limit(limit)
          .toList();
    });
  }

  private static List<Message> found(
      Tx tx, @Nullable AgentId agent, String condition, String before, int limit) {
    return agent == null
        ? MessageTable.newest(tx, condition, before, limit)
        : MessageTable.newestOf(tx, agent.value(), condition, before, limit);
  }

  /// A message by its id, or by the beginning of its id if no other message's id begins so.
  public Message require(String typed) {
    String prefix = typed.strip().toLowerCase(Locale.ROOT);
    List<Message> found =
        database.read(tx ->
            MessageTable.find(tx, new MessageId(typed))
                .map(List::of)
                .orElseGet(() ->
                    PREFIX.matcher(prefix).matches()
                        ? MessageTable.withPrefix(tx, prefix, CANDIDATES + 1)
                        : List.of()));
    if (found.isEmpty()) {
      throw ErrorCode.MESSAGE_NOT_FOUND.fault(
          "message " + typed + " not found",
          "use the id or at least its first %d characters; list messages with: substrat message list"
              .formatted(MIN_PREFIX_LENGTH));
    }
    if (found.size() > 1) {
      String ids =
          found.stream()
              .limit(CANDIDATES)
              .map(message -> message.id().value())
              .collect(Collectors.joining(", "));
      throw ErrorCode.CONFLICT.fault(
          "%s messages have an id that begins with %s"
              .formatted(
                  found.size() > CANDIDATES ? "more than " + CANDIDATES : found.size(), typed),
          "enter more characters of the id, for example: " + ids);
    }
    return found.getFirst();
  }

  /// Number of messages in a folder, up to a thousand.
  public long count(MessageFolder folder) {
    return database.read(tx -> count(tx, folder));
  }

  private static long count(Tx tx, MessageFolder folder) {
    return tx.number(
        "select count(*) as n from (select 1 as one from message where %s limit %d) counted"
            .formatted(folder.condition, MANY));
  }
}
