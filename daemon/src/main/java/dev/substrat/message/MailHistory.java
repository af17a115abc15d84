package dev.substrat.message;

import dev.substrat.id.AgentId;
import dev.substrat.id.Principal;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.util.List;

/// Everybody's mail for people who look through it, a page at a time. Of long texts it has only the
/// beginning; whoever wants the whole asks for the message.
public final class MailHistory {
  /// A text that has more characters than this goes on elsewhere.
  public static final int BEGINNING = 4_000;

  /// Nobody counts further.
  private static final int MANY = 1_000;

  /// Greater than every id, in whatever order a database compares texts.
  private static final String AFTER_ALL = "z";

  private static final String LOST = "status in ('dead', 'expired')";

  private static final String HELD = "held_reason is not null";

  private final Database database;

  MailHistory(Database database) {
    this.database = database;
  }

  /// Which mail.
  public enum Folder {
    /// What came for the operator.
    INBOX("recipient = '" + Principal.OPERATOR_NAME + "'"),
    ALL("1 = 1"),
    /// What came to nothing.
    LOST(MailHistory.LOST),
    /// What a guard keeps back.
    HELD(MailHistory.HELD);

    private final String condition;

    Folder(String condition) {
      this.condition = condition;
    }
  }

  /// From and to an agent, the newest `limit`, oldest first.
  public List<Message> of(AgentId agent, int limit) {
    return database.read(tx -> MessageTable.inBrief(tx, agent.value(), limit));
  }

  /// Up to `limit` that came before message `before` ("" for the newest), newest first.
  public List<Message> page(Folder folder, String before, int limit) {
    return database.read(tx ->
        MessageTable.newest(tx, folder.condition, before.isEmpty() ? AFTER_ALL : before, limit));
  }

  /// How much there is in a folder, up to a thousand.
  public long count(Folder folder) {
    return database.read(tx -> count(tx, folder));
  }

  private static long count(Tx tx, Folder folder) {
    return tx.number(
        "select count(*) as n from (select 1 as one from message where %s limit %d) counted"
            .formatted(folder.condition, MANY));
  }
}
